// https://docs.github.com/en/copilot/reference/hooks-reference
// VS Code reads these files, too (../vs-code/client.ts), and accepts some of the answers.
import { ANYTHING } from '../../edit/edit.ts';
import {
  BLOCK,
  deciding,
  event,
  events,
  lineOf,
  lowering,
  NOTICE,
  settingsFile,
  settingsFolder,
  wire,
} from '../claude-shaped.ts';
import type { Client, Wire } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  afterSubagent,
  afterTurn,
  beforeCall,
  beforeCompaction,
  beforeEnd,
  blockedAfterwards,
  blockedEnd,
  blockedPrompt,
  decided,
  notified,
  overBudgetAfterTurn,
  withPrompt,
} from '../lowerings.ts';
import { identityMap, words } from '../words.ts';

const IGNORED = 'makes GitHub Copilot CLI silently ignore the whole file';

/** Variables that are only set for hooks. */
const HOOKS_OWN = '^(?:CLAUDE_PROJECT_DIR|COPILOT_(?:CLI|HOOK_DIR|PROJECT_DIR))$';

/**
 * If several UserPromptSubmit hooks return texts, only the last one counts, which may be the user's own hook. The same applies
 * here, but the text is added to the prompt in its current form, and this event is rarely used by others.
 */
const PROMPT = 'userPromptTransformed';

/** For an event that has no PascalCase name, or whose payload does not depend on the name. */
const CAMEL_CASE = { session: 'sessionId', begins: '{"sessionId":"' } as const;

/** Copilot cuts the texts of all hooks together. */
const CUT: Partial<Wire> = { limit: { characters: 9900 } };

const PROMPT_EXCEPT =
  'It is added after the prompt itself. If you have a userPromptTransformed hook of your own, only one of the two reaches the model.';

/** A subagent has its own Stop, but its model is shown nothing: Copilot ignores the request for another turn there. */
const OF_SESSION: Wire['onlyIf'] = { at: 'parent_agent_id', like: '^undefined$' };

const AFTER_COMPACTION = 'with the first prompt after a compaction';

const TOOL_EXCEPT = ['Texts after a call share 10,240 characters.', { exceptOf: 'long' }] as const;

/** A decision is bound to the event of the prompt itself. A text can be lost there, but only there does a block count. */
const BLOCKED_PROMPT = 'UserPromptSubmit';

// It accepts even more, such as keys without quotes (1.0.102).
const SETTINGS = settingsFile('settings.json', { ...ANYTHING, otherwise: IGNORED });

export const copilotCli: Client = {
  id: 'copilot-cli',
  aliases: ['copilot'],
  name: 'GitHub Copilot CLI',
  shortName: 'Copilot',
  evidence: { measured: '1.0.102' },
  // In the previous version (1.0.92), the session's record lacks the tokens that the model has used.
  minimum: '1.0.102',
  executable: 'copilot',
  // It updates itself into its cache, and then runs a newer version than this package's.
  npmPackage: '@github/copilot',

  userFolder: (env, home) => env.COPILOT_HOME || `${home}/.copilot`,
  projectFolder: '.github',
  placement: {
    kind: 'own-file',
    folder: settingsFolder({ otherwise: IGNORED }, ['vs-code']),
    // In a project it is copilot/settings.json.
    files: { user: [SETTINGS], project: [SETTINGS] },
  },
  readsHooks: 'at start',
  otherEvents: ['permissionRequest'],
  positional: false,

  // Independent of SHELL and PATH.
  hookShell: ['/bin/bash', '--norc', '--noprofile', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {
    // Both name the top of the repository, in which hooks start. The session may be below it.
    CLAUDE_PROJECT_DIR: '{cwd}',
    COPILOT_PROJECT_DIR: '{cwd}',
    COPILOT_CLI: '1',
  },
  matching: {
    anchored: true,
    lists: '[A-Za-z0-9_|-]+',
    // Only a list can match a tool by its own name. A regular expression is matched against Claude Code's name, if there is
    // one.
    aliases: {
      Agent: ['Task', 'task'],
      AskUserQuestion: ['ask_user'],
      Bash: ['bash', 'powershell'],
      Edit: ['apply_patch', 'edit', 'str_replace_editor'],
      Glob: ['glob'],
      Grep: ['grep', 'rg'],
      Read: ['view'],
      TodoWrite: ['update_todo'],
      WebFetch: ['web_fetch'],
      WebSearch: ['web_search'],
      Write: ['create'],
    },
  },
  // With PascalCase event names, payloads and matchers have Claude Code's names.
  tools: {
    ...identityMap(`
      Agent AskUserQuestion Bash Edit Glob Grep Read TodoWrite WebFetch WebSearch Write`),
    BashOutput: 'read_bash',
    ExitPlanMode: 'exit_plan_mode',
    KillShell: 'stop_bash',
    MultiEdit: 'Edit',
    Skill: 'skill',
    Task: 'Agent',
  },
  // Some models get a patch tool in place of these.
  toolInputs: {
    Agent: { keys: { agent_type: 'subagent_type' } },
    Edit: { keys: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' }, patch: '' },
    Read: { keys: { path: 'file_path' } },
    Write: { keys: { path: 'file_path', file_text: 'content' } },
  },
  otherTools: words(`
    fetch_copilot_cli_documentation list_agents list_bash list_powershell lsp read_agent
    read_powershell session_store_sql sql stop_powershell task_complete write_agent write_bash
    write_powershell`),
  // None of its own tools has a `-` in its name.
  mcpNames: {
    prefix: '',
    separator: '-',
    allowed: 'A-Za-z0-9_-',
    replacement: '-',
    limit: { length: 64 },
    // Other letters become Punycode.
    unpredictable: '[^\\x00-\\x7f]',
  },
  givenToServers: {
    // Variables that it does not pass on (tokens, providers) are not passed to hooks either. A server also gets the session's
    // id.
    variables: [{ name: HOOKS_OWN, kept: false }],
    set: { PYTHONUNBUFFERED: '1' },
    expansion: {
      pattern: '\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)(?::-([^}]*))?\\})',
      except: HOOKS_OWN,
    },
  },

  nativeEvents: {
    // Neither event has a matcher, nor does that of a failed call. SessionStart also comes when a session is resumed.
    SessionStart: event('none', { occasion: 'source' }),
    SubagentStart: event('none', {
      occasion: 'agent_id',
      wire: { ...CAMEL_CASE, occasion: ['agent_id'] },
    }),
    SubagentStop: events.SubagentStop,
    PreCompact: event('none'),
    [BLOCKED_PROMPT]: deciding('none', { block: BLOCK, alone: true }),
    [PROMPT]: event('none', {
      wire: {
        ...CAMEL_CASE,
        subagent: 'agentId',
        repeats: 'timestamp',
        tell: {
          modifiedTransformedPrompt:
            '{payload:transformedPrompt}\n\n<system_reminder>\n{text}\n</system_reminder>',
        },
      },
    }),
    PreToolUse: events.PreToolUse,
    PostToolUse: event('tool', {
      wire: {
        ...CUT,
        // For the tool, a command that ended with an error is a success.
        failed: [
          {
            at: 'tool_result.text_result_for_llm',
            like: '<shellId: [^>]* completed with exit code (?!0>)[^>]*>\\s*$',
            tools: ['Bash', 'read_bash', 'write_bash'],
          },
        ],
        varying: '<shellId: \\S+',
        decide: {
          block: BLOCK,
          output: { modifiedResult: { resultType: 'success', textResultForLlm: '{output}' } },
          alone: 'block',
        },
      },
    }),
    PostToolUseFailure: event('none', { wire: { ...CUT, failed: true } }),
    Stop: deciding(
      'none',
      { block: BLOCK },
      { wire: { repeats: 'timestamp', onlyIf: OF_SESSION } },
    ),
    SessionEnd: event('none', { end: true }),
    notification: event('none', { wire: { ...CAMEL_CASE, ...NOTICE } }),
  },
  lowering: {
    session_start: {
      text: {
        grade: 'exact',
        when: 'before the first request of a session, again after /clear, in a resumed session and in each subagent, and after compaction with the next prompt',
        except: 'What a compaction in the middle of a turn removed is shown with the next prompt.',
        // The text is not part of the history, so it has to be shown again after a resume. It is shown once.
        on: [
          { native: 'SessionStart', act: 'tell' },
          { native: 'SubagentStart', act: 'tell' },
          { native: 'PreCompact', act: 'mark' },
          { native: PROMPT, act: 'tell', marked: true },
        ],
      },
    },
    pre_request: {
      ...withPrompt(PROMPT, PROMPT_EXCEPT),
      decide: { block: blockedPrompt(BLOCKED_PROMPT) },
    },
    pre_tool_use: {
      ...beforeCall('GitHub Copilot CLI', 'PreToolUse'),
      decide: { block: decided(), input: decided() },
    },
    post_tool_use: {
      ...afterCall('PostToolUse', 'PostToolUseFailure', ...TOOL_EXCEPT),
      decide: {
        block: {
          ...blockedAfterwards(
            'the model reads the reason instead of the result, and no text beside it; it has no effect if the tool itself failed',
          ),
          on: 'PostToolUse',
        },
        output: {
          grade: 'adapted',
          when: 'reaches the model, unless the tool itself failed',
          on: 'PostToolUse',
        },
      },
    },
    post_request: {
      ...afterTurn('Stop', PROMPT, PROMPT_EXCEPT),
      decide: { block: blockedEnd('Stop', 'the model') },
    },
    session_end: beforeEnd(
      'Stop',
      'SessionEnd',
      'GitHub Copilot CLI ends the session after each turn, so the tool is called then, each time',
    ),
    pre_compact: beforeCompaction('PreCompact', PROMPT, AFTER_COMPACTION, PROMPT_EXCEPT),
    post_compact: afterCompaction('late', 'PreCompact', PROMPT, AFTER_COMPACTION, PROMPT_EXCEPT),
    tool_error: afterFailure(['PostToolUse', 'PostToolUseFailure'], ...TOOL_EXCEPT),
    subagent_start: lowering.subagent_start,
    subagent_end: {
      ...afterSubagent('SubagentStop', ['PostToolUse', PROMPT]),
      decide: { block: blockedEnd('SubagentStop', 'the subagent') },
    },
    // The payloads of calls and prompts do not contain the path of the record, so it cannot block a prompt either.
    budget_exceeded: overBudgetAfterTurn(
      'Stop',
      PROMPT,
      'If the transcript is late, the text comes one turn later.',
    ),
    notification: notified({ permission: 'notification', turn: 'Stop' }),
  },

  wire: {
    ...wire,
    begins: '{"hook_event_name":"{event}","session_id":"',
    recurring: ['resume'],
    // None: see session_start.
    continuing: [],
    // Few payloads contain it.
    transcriptFile: {
      variable: 'COPILOT_HOME',
      folder: '.copilot',
      name: 'session-state/{session}/events.jsonl',
    },
    history: {
      said: {
        part: '"output":{"additionalContext":',
        keys: { 'data.output.additionalContext': true },
      },
      anew: {
        part: '"type":"session.compaction_complete","data":{"success":true',
        keys: { type: 'session.compaction_complete', 'data.success': true },
      },
    },
    // All hooks of an event have the same time, but so may parallel calls.
    occasion: ['timestamp', 'source', 'agent_id', 'tool_name', 'tool_input'],
    // For apply_patch, the input is a string.
    toolOutput: ['tool_result.text_result_for_llm', 'error'],
    // The reason of an `ask` comes back as a prompt that begins with the runner's heading.
    ownPrompt: '^Note from the MCP server "',
    limit: {},
    // Copilot reads the first; the second is for VS Code.
    tell: {
      additionalContext: '{text}',
      ...wire.tell,
    },
    ask: { decision: 'block', reason: '{text}' },
    agent: 'agent_type',
    usage: {
      lines: lineOf('session.usage_record'),
      tokens: ['data.usage.inputTokens', 'data.usage.outputTokens'],
    },
    record: {
      time: ['timestamp'],
      calls: { lines: lineOf('tool.execution_start'), names: ['data.toolCallId'] },
      window: {
        lines: { part: '"maxPromptTokens"', keys: { type: 'session.usage_record' } },
        at: 'data.usage.maxPromptTokens',
      },
      // Within 50 ms (1.0.102).
      until: { lines: lineOf('hook.start'), key: 'timestamp' },
    },
  },
  // According to its documentation.
  // VS Code runs the hooks of Claude Code, too, and then gets the texts from those.
  hosts: { others: {}, payloads: { 'vs-code': 'hookEventName', 'claude-code': 'hookEventName' } },
  entry: {
    shape: 'flat',
    handler: ({ command, powerShell, timeout }) => ({
      type: 'command',
      command,
      ...(powerShell !== undefined && { powershell: powerShell }),
      timeout,
    }),
    commands: ['command', 'powershell', 'bash'],
  },
};
