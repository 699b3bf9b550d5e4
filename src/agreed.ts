/** The declaration that a user agreed to, as it is kept beside the runner: what a server says later is compared with it. */

import type { Declaration } from './declaration/declaration.ts';
import type { Declared } from './declaration/declared.ts';
import { readDeclarations } from './declaration/manifest.ts';
import { isRecord } from './declaration/schema.ts';
import { launchOf } from './describe.ts';

/** Its name in the folder of the runner. */
export const AGREED = 'declaration.json';

export interface Agreed {
  /** All of them, also those that were left out. */
  readonly hooks: readonly Declaration[];
  /** What is run or asked for its tools, in words: no value of `env` or `headers` is in them. */
  readonly launch: readonly string[];
}

export const agreedOf = (declared: Declared): Agreed => ({
  hooks: declared.hooks,
  launch: launchOf(declared),
});

export const writeAgreed = (declared: Declared): Buffer =>
  Buffer.from(`${JSON.stringify(agreedOf(declared), null, 1)}\n`);

/** Undefined: it is not there, as before version 0.2, or cannot be understood. */
export function parseAgreed(bytes: Buffer | null): Agreed | undefined {
  if (bytes === null) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !Array.isArray(value.launch)) return undefined;
  const { declarations, problems } = readDeclarations({ declarations: value.hooks }, []);
  if (problems.some(({ level }) => level === 'error')) return undefined;
  return { hooks: declarations, launch: value.launch.map(String) };
}
