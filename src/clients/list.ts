/** The clients that we can install hooks in, as data. The rest of their folders is in the registry. */

import { claudeCode } from './claude-code/client.ts';
import { cline } from './cline/client.ts';
import { codex } from './codex/client.ts';
import type { Client } from './contract.ts';
import { copilotCli } from './copilot-cli/client.ts';
import { cursor } from './cursor/client.ts';
import { droid } from './droid/client.ts';
import { geminiCli } from './gemini-cli/client.ts';
import { kimiCode } from './kimi-code/client.ts';
import { opencode } from './opencode/client.ts';
import { qwenCode } from './qwen-code/client.ts';
import { vsCode } from './vs-code/client.ts';

/** The id of a client that we can install hooks in. */
export type ClientId =
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'copilot-cli'
  | 'qwen-code'
  | 'droid'
  | 'kimi-code'
  | 'opencode'
  | 'cline'
  | 'cursor'
  | 'vs-code';

export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  geminiCli,
  copilotCli,
  qwenCode,
  droid,
  kimiCode,
  opencode,
  cline,
  cursor,
  vsCode,
];
