/** The registry: every client we can install into. */
import { claudeCode } from './claude-code.ts';
import type { Client } from './client.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';

export const CLIENTS: readonly Client[] = [claudeCode, codex, geminiCli];

/** By id or alias. */
export function findClient(name: string): Client | undefined {
  return CLIENTS.find((client) => client.id === name || client.aliases.includes(name));
}
