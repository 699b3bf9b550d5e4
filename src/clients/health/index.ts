/** What `doctor` knows of each client, by its id. */

import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import type { Health } from './health.ts';

export const HEALTH: Readonly<Record<string, Health>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
};
