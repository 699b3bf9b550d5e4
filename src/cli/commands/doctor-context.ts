/** Gathers the facts for `doctor`. */

import { CLIENTS } from '../../clients/registry.ts';
import { type DoctorContext, gather, type Question } from '../../diagnose/doctor/context.ts';
import { managedHooks } from '../../diagnose/doctor/managed.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { shippedAs } from '../../diagnose/shipped.ts';
import { launchText } from '../../present/render/words.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { nearest } from '../../system/nearest.ts';
import type { Context } from './command.ts';
import { tellingDownload } from './progress.ts';

type Asking = Pick<Context, 'terminal' | 'env' | 'cwd' | 'version'>;

/**
 * The facts for `doctor`, and for every command that reports whether hooks fire. @throws UserError for a label that is not
 * installed.
 */
export function doctorContext(
  { terminal, env, cwd, version }: Asking,
  question?: Question,
): DoctorContext {
  const at = gather(
    {
      env,
      cwd,
      version,
      describeLaunch: launchText,
      onDownload: (label) => tellingDownload(terminal, label),
    },
    question,
  );
  const { label, broken, ledger } = at;
  const known = [...new Set(ledger.installs.map((one) => one.label))];
  // A ledger that cannot be read says nothing about labels. A separate finding reports it.
  if (label !== undefined && !broken && !known.includes(label))
    throw new UserError<DiagnoseMessage>(
      { code: 'unknown-label', label, near: nearest(label, known), known },
      fromElsewhere({ terminal, env, cwd, version }, label),
    );
  return at;
}

/** Where the hooks of a label come from that is not installed, in addition to saying so: an administrator or a plugin. */
export function fromElsewhere(asking: Asking, label: string): DiagnoseMessage[] {
  const at = doctorContext(asking);
  const clients = CLIENTS.filter((client) =>
    managedHooks(client, at).some((one) => one.label === label),
  ).map(({ name }) => name);
  return clients.length > 0
    ? [{ code: 'administrator-only', label, clients }]
    : shippedAs(label, at.user.state, disk);
}
