// A small MCP server that declares hooks. Build it with your own tools, or run it with a runtime that reads TypeScript.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Declaration, declareHooks } from 'mcp-hooks/server';
import * as z from 'zod';

const notes: string[] = [];

const hooks: Declaration[] = [
  { event: 'session_start', context_tool: 'recall', priority: 'important' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'You just committed work. mcp__notes__add_note saves what you learned.',
    priority: 'suggestion',
  },
];

function createServer() {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('recall', { description: 'All notes.' }, () => ({
    content: [{ type: 'text', text: notes.join('\n') || 'There are no notes yet.' }],
  }));
  server.registerTool(
    'add_note',
    { description: 'Saves a note.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => {
      notes.push(text);
      return { content: [{ type: 'text', text: 'Saved.' }] };
    },
  );
  return server;
}

serveStdio(declareHooks(createServer, hooks));
