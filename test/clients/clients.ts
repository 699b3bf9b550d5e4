import { claude } from './claude.ts';
import type { Client, ClientId } from './client.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';

export const CLIENTS = {
  'claude-code': claude,
  codex,
  'gemini-cli': gemini,
} as const satisfies Record<ClientId, Client>;

export { claude, codex, gemini };
