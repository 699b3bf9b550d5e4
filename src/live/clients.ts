import { claude } from './claude.ts';
import type { Client } from './client.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';

/** The clients that can be run headless against a scripted model. */
export const LIVE: readonly Client[] = [claude, codex, gemini];
