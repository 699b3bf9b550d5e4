/** The registry: every client we can install into. */
import { claudeCode } from './claude-code/client.ts';
import { codex } from './codex/client.ts';
import type { Client } from './contract.ts';
import { geminiCli } from './gemini-cli/client.ts';

export const CLIENTS: readonly Client[] = [claudeCode, codex, geminiCli];

/** By id or alias. */
export function findClient(name: string): Client | undefined {
  return CLIENTS.find((client) => client.id === name || client.aliases.includes(name));
}
