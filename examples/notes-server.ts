// A small MCP server that declares hooks. Build it with your own tools, or run it with a runtime that reads TypeScript.
import { appendFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Declaration, declareHooks } from 'mcp-hooks/server';
import * as z from 'zod';

// A hook calls `recall` in a new process of this server, which does not share the memory of another one.
const FILE = process.env.NOTES_FILE ?? join(homedir(), 'notes.txt');
const saved = () => readFile(FILE, 'utf8').catch(() => ''); // there is no file before the first note

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
  server.registerTool('recall', { description: 'All notes.' }, async () => ({
    content: [{ type: 'text', text: (await saved()) || 'There are no notes yet.' }],
  }));
  server.registerTool(
    'add_note',
    { description: 'Saves a note.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => {
      await appendFile(FILE, `${text}\n`);
      return { content: [{ type: 'text', text: 'Saved.' }] };
    },
  );
  return server;
}

serveStdio(declareHooks(createServer, hooks));
