/** `mcp-hooks completion <shell>`, and `complete`, which the script that it prints calls at each tab. */

import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { findPlaces } from '../../clients/places.ts';
import { readLedger } from '../../install/ledger.ts';
import { disk } from '../../system/disk.ts';
import { type Context, OK } from './context.ts';

const NAMES_LABELS = /^(?:label|server)s?$/;

export async function completion(_: Context, shell: string): Promise<number> {
  script(shell, 'mcp-hooks', 'mcp-hooks');
  return OK;
}

/**
 * Prints what may come next.
 *
 * @param cli With all its commands.
 * @param words What has been typed behind `mcp-hooks`; the last is still being typed.
 */
export function complete(cli: Command, words: readonly string[], context: Context): number {
  const root = tab(cli, { completionCommandName: 'completions' });
  // A path is for the shell to complete: it is told that nothing is known.
  if (/[./]/.test(words.at(-1) ?? '')) {
    context.terminal.out(':0\n');
    return OK;
  }
  const labels = labelsIn(context);
  for (const one of cli.commands) {
    const [first] = one.registeredArguments;
    if (!first || !NAMES_LABELS.test(first.name())) continue;
    root.commands.get(one.name())?.argument(
      first.name(),
      (offer) => {
        for (const label of labels) offer(label, '');
      },
      first.variadic,
    );
  }
  root.parse([...words]);
  return OK;
}

/** Whatever is wrong with the record is no matter of a completion. */
function labelsIn({ env, cwd }: Context): string[] {
  try {
    const { installs } = readLedger(findPlaces(env, cwd, 'user').state, disk.read).ledger;
    return [...new Set(installs.map(({ label }) => label))];
  } catch {
    return [];
  }
}
