/** Servers that stand in a client's configuration: whether they still stand there, as the user has seen them. */

import type { ProgramServer } from '../../compile/program.ts';
import { ANYTHING, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { isObject } from '../../edit/value.ts';
import type { Install } from '../../install/ledger.ts';
import { type Parts, partsOf, seenAs, steeringOf } from '../../sources/entry.ts';
import { UserError } from '../../system/errors.ts';
import { type Check, type CheckResult, ofTools } from './check.ts';
import { type DoctorContext, valueAt } from './context.ts';

const each = ofTools('configured', 'server configured as it was', (install, at) => {
  const server = entryOf(install, at);
  if (!server) return [];
  const { entry } = server;
  const name = entry.path.at(-1) ?? '';
  const finding = (what: string, todo: string): CheckResult[] => [
    { level: 'error', what: `${what}: its tools are not called`, where: entry.file, todo },
  ];
  const update = `mcp-hooks update ${install.label} shows it and asks.`;
  try {
    const bytes = at.read(entry.file);
    const document =
      bytes === null ? undefined : FORMATS[entry.format].read(decode(bytes), ANYTHING);
    const value = valueAt(document, entry.path);
    const parts = isObject(value) ? partsOf(value, entry.fields) : undefined;
    if (!parts)
      return finding(
        `${name} is no longer configured there`,
        `Configure it again, or mcp-hooks update ${install.label} finds it elsewhere.`,
      );
    if (seenAs(parts) !== entry.seen) return finding('its configuration has changed', update);
    return isSteeredAs(parts, server, install, at)
      ? []
      : finding('a variable that decides what runs has changed', update);
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof UserError)) throw error;
    return finding(`the configuration of ${name} cannot be read`, 'Mend the file.');
  }
});

/** Whether its variables still have it run what it ran. A file of variables may be there in the folder of a session only. */
function isSteeredAs(
  parts: Parts,
  { entry, given }: Entered,
  { project }: Install,
  { machine: { cwd, env } }: DoctorContext,
): boolean {
  try {
    return steeringOf(parts, { given, env, cwd: project ?? cwd }).mark === entry.steering;
  } catch (error) {
    if (error instanceof UserError) return true;
    throw error;
  }
}

/** Of the others nothing is said. */
export const configured: Check = {
  ...each,
  look: (at) =>
    each.look({ ...at, installs: at.installs.filter((install) => entryOf(install, at)) }),
};

type Entered = Extract<ProgramServer, { entry: unknown }>;

/** What its runner reads; undefined: its server stands nowhere else, or is not needed. */
function entryOf(install: Install, at: DoctorContext): Entered | undefined {
  const server = at.programs(install).find((one) => one.server)?.server;
  return server && 'entry' in server ? server : undefined;
}
