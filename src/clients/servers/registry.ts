/** Every client whose configured servers we know how to find; in the order in which the same server is taken from them. */
import { claudeCode } from '../claude-code/servers.ts';
import { codex } from '../codex/servers.ts';
import { cursor } from '../cursor/servers.ts';
import { geminiCli } from '../gemini-cli/servers.ts';
import { vsCode } from '../vs-code/servers.ts';
import type { ServerClient } from './servers.ts';

export const SERVER_CLIENTS: readonly ServerClient[] = [
  claudeCode,
  codex,
  geminiCli,
  cursor,
  vsCode,
];

/** By id or alias. */
export const findServerClient = (name: string): ServerClient | undefined =>
  SERVER_CLIENTS.find(({ id, aliases }) => id === name || aliases.includes(name));
