import { claude } from '../claude-code/driver.ts';
import { codex } from '../codex/driver.ts';
import { gemini } from '../gemini-cli/driver.ts';
import type { Client } from './driver.ts';

/** The clients that can be run headless against a scripted model. */
export const LIVE: readonly Client[] = [claude, codex, gemini];
