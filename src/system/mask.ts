/** Whether texts hold secrets, by the same rules with which the runner masks what it hands on. */

import { runnerCode } from './runner-code.ts';

interface Redact {
  readonly masked: (values: readonly unknown[]) => Promise<{ readonly values: readonly unknown[] }>;
}

/** A value that cannot be checked counts as a secret. */
export async function holdsSecret(value: unknown): Promise<boolean> {
  const redact: Redact = runnerCode('./redact.cjs');
  const { values } = await redact.masked([value]);
  return JSON.stringify(values[0]) !== JSON.stringify(value);
}
