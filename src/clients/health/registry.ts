/** What `doctor` knows of each client, by its id. */

import { claudeCode } from '../claude-code/health.ts';
import { codex } from '../codex/health.ts';
import { geminiCli } from '../gemini-cli/health.ts';
import type { Health } from './health.ts';

export const HEALTH: Readonly<Record<string, Health>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
};
