// https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md
import type { Client } from './client.ts';
import { afterTurn, beforeEnd, withPrompt } from './lowerings.ts';

export const geminiCli: Client = {
  id: 'gemini-cli',
  aliases: ['gemini'],
  name: 'Gemini CLI',
  docs: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md',
  verified: '0.61.0',
  executable: 'gemini',

  userFolder: (env, home) => `${env.GEMINI_CLI_HOME || home}/.gemini`,
  projectFolder: '.gemini',
  files: [
    {
      name: 'settings.json',
      format: 'json',
      dialect: {
        comments: true,
        trailingCommas: false,
        bom: false,
        empty: false,
        otherwise: 'stops Gemini CLI from starting',
      },
    },
  ],
  positional: false,

  matcherStyle: 'regex',
  tools: {
    Bash: 'run_shell_command',
    Edit: 'replace',
    MultiEdit: 'replace',
    Write: 'write_file',
    Read: 'read_file',
    Grep: 'grep_search',
    Glob: 'glob',
    LS: 'list_directory',
    WebFetch: 'web_fetch',
    WebSearch: 'google_web_search',
    TodoWrite: 'write_todos',
    Agent: 'invoke_agent',
    Task: 'invoke_agent',
    Skill: 'activate_skill',
    EnterPlanMode: 'enter_plan_mode',
  },
  mcpNames: {
    prefix: 'mcp_',
    separator: '_',
    allowed: 'A-Za-z0-9_.:-',
    limit: { length: 63, first: 30 },
  },

  nativeEvents: {
    BeforeAgent: { matcher: 'none', timeout: 15 },
    AfterTool: { matcher: 'tool', timeout: 15 },
    AfterAgent: { matcher: 'none', timeout: 15 },
    SessionEnd: { matcher: 'none', timeout: 15 },
  },
  lowering: {
    session_start: {
      text: {
        grade: 'adapted',
        when: "together with the session's first prompt: a SessionStart hook says nothing after /clear or in an editor, and on --resume the prompt it was put before is lost",
        except: 'Gemini CLI does not tell its subagents, nor again after compression.',
        on: [{ native: 'BeforeAgent', act: 'tell', once: true }],
      },
    },
    pre_request: withPrompt('BeforeAgent'),
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'together with the result of the call: before it, a hook of Gemini CLI can only forbid the call',
        except: 'Gemini CLI drops what hooks say about a failed call.',
        on: [{ native: 'AfterTool', act: 'tell' }],
      },
    },
    post_tool_use: {
      text: {
        grade: 'exact',
        when: 'together with the result of the call',
        except: 'Gemini CLI drops what hooks say about a failed call.',
        on: [{ native: 'AfterTool', act: 'tell' }],
      },
    },
    post_request: afterTurn('AfterAgent', 'BeforeAgent'),
    // Gemini CLI fires SessionEnd three times on /quit.
    session_end: beforeEnd('AfterAgent', 'SessionEnd'),
  },

  wire: {
    session: 'session_id',
    cwd: 'cwd',
    prompt: 'prompt',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: ['tool_response.error', 'tool_response.llmContent'],
    serverName: 'mcp_context.server_name',
    serverTool: 'mcp_context.tool_name',
    continued: 'stop_hook_active',
    // The reason of an `ask` comes back as a prompt: it begins with the runner's heading.
    ownPrompt: '^Message from the MCP server "',
    promptPrefix: '^<hook_context>[^]*?</hook_context>\\s*',
    tell: { hookSpecificOutput: { hookEventName: '{event}', additionalContext: '{text}' } },
    ask: { decision: 'deny', reason: '{text}' },
  },
  group: ({ label, native, matcher, command, timeout }) => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [
      // Named, because Gemini CLI runs hooks of one name and command only once, and /hooks lists the names.
      { name: `mcp-hooks ${label} ${native}`, type: 'command', command, timeout: timeout * 1000 },
    ],
  }),
};
