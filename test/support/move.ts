/** A person's set-up that moves over: hooks of one's own in three clients, and five servers that have hooks in the catalogue. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const OWN = join(import.meta.dirname, '../../fixtures/hand-written');
const read = (path: string) => readFileSync(path, 'utf8');

/** The hooks of one's own, below the home. */
export const OWN_FILES: Readonly<Record<string, string>> = {
  '.claude/settings.json': read(join(OWN, 'claude-code/user.json')),
  '.codex/config.toml': read(join(OWN, 'codex/config.toml')),
  '.gemini/settings.json': read(join(OWN, 'gemini-cli/common.json')),
};

export const OWN_SERVERS: Readonly<Record<string, string>> = {
  memory: '@modelcontextprotocol/server-memory',
  filesystem: '@modelcontextprotocol/server-filesystem',
  think: '@modelcontextprotocol/server-sequential-thinking',
  browser: '@playwright/mcp',
  docs: '@upstash/context7-mcp',
};

/** The file in the home that configures the servers. */
export const SERVERS_FILE = '.claude.json';
export const serversFile = (): string => {
  const mcpServers = Object.fromEntries(
    Object.entries(OWN_SERVERS).map(([name, npm]) => [name, { command: 'npx', args: ['-y', npm] }]),
  );
  return JSON.stringify({ mcpServers });
};

/** A server that declares no hooks, and whose one tool finds something. */
const ANSWERS = [
  {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'own', version: '1' },
  },
  { tools: [{ name: 'search_nodes', inputSchema: { type: 'object' } }] },
  { content: [{ type: 'text', text: 'The database is PostgreSQL 17.' }] },
].map((result) => JSON.stringify({ body: { result } }));

const QUIET = 'afplay black cargo curl notify-send osascript paplay say terminal-notifier'.split(
  ' ',
);

/**
 * Programs on the PATH: npx starts the server, whichever is asked for, npm looks nothing up in a registry, and what the hooks
 * run does nothing.
 */
export const PROGRAMS: Readonly<Record<string, string>> = {
  npx: `#!/bin/sh\nexec sh '${join(import.meta.dirname, 'servers/answering.sh')}' "\${0%/*}/answers"\n`,
  answers: ANSWERS.join('\n'),
  npm: '#!/bin/sh\nexit 1\n',
  ...Object.fromEntries(QUIET.map((name) => [name, '#!/bin/sh\n'])),
};

export const MOVE = {
  scan: 'scan',
  servers: 'install --all --yes --allow context-tool --trust',
  import: 'import --out mine.json',
  own: 'install mine.json --allow block,command,project-code --replace-originals --yes --trust --quiet',
  live: 'verify docs --live --timeout 100',
  undo: 'uninstall --all --yes',
} as const;
