/** Whether texts hold secrets, by the rules of the runner: those by which it masks what it hands on. */

import { secretRulesFile } from './package-files.ts';
import { runnerCode } from './runner-code.ts';

interface Redact {
  readonly masked: (values: readonly unknown[]) => Promise<{ readonly values: readonly unknown[] }>;
  readonly findRulesBy: (load: () => unknown) => void;
}

/** Where that cannot be told, it holds one. */
export async function holdsSecret(value: unknown): Promise<boolean> {
  const redact: Redact = runnerCode('./redact.cjs');
  redact.findRulesBy(() => runnerCode(secretRulesFile()));
  const { values } = await redact.masked([value]);
  return JSON.stringify(values[0]) !== JSON.stringify(value);
}
