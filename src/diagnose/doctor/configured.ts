/** Servers that are in a client's configuration: whether they are still there, as the user has seen them. */

import type { CompileMessage } from '../../compile/messages.ts';
import { ANYTHING, isObject, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { unknownServersNamed } from '../../install/known-servers.ts';
import type { Install } from '../../install/ledger.ts';
import { partsOf, passingOf, seenAs, steeringOf } from '../../sources/entry.ts';
import { ifPossible, UserError } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type Check, type CheckResult, type Finding, ofTools } from './check.ts';
import { type DoctorContext, settingAt } from './context.ts';
import { updateCommand } from './origin.ts';

const each = ofTools('configured', 'configured-as-it-was', (install, at) => {
  const server = entryOf(install, at);
  if (!server) return undefined;
  const { entry } = server;
  const { label } = install;
  const name = entry.path.at(-1) ?? '';
  const finding = (why: DiagnoseMessage, todo: CheckResult['todo']): CheckResult => ({
    level: 'error',
    what: { code: 'so-no-tools', why },
    where: entry.file,
    todo,
  });
  try {
    const bytes = at.read(entry.file);
    const document =
      bytes === null ? undefined : FORMATS[entry.format].read(decode(bytes), ANYTHING);
    const value = settingAt(document, entry.path);
    const parts = isObject(value) ? partsOf(value, entry.fields) : undefined;
    if (!parts)
      return finding({ code: 'no-longer-configured', name }, { code: 'configure-again', label });
    if (seenAs(parts) !== entry.seen)
      return finding({ code: 'configuration-changed' }, { code: 'update-asks', label });
    // A file of variables may exist only in the folder of a session.
    const around = {
      given: server.given,
      env: at.machine.env,
      cwd: install.project ?? at.machine.cwd,
    };
    const steering = ifPossible(() => steeringOf(parts, around));
    if (steering && steering.mark !== entry.steering)
      return finding({ code: 'steering-changed' }, { code: 'update-asks', label });
    if (passingOf(parts, false).mark !== entry.passing)
      return finding({ code: 'passes-on-others' }, { code: 'update-asks', label });
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof UserError)) throw error;
    return finding({ code: 'configuration-unread', name }, 'mend-file');
  }
});

/** Says nothing about other installs. */
export const configured: Check = {
  ...each,
  look: (at) =>
    each.look({ ...at, installs: at.installs.filter((install) => entryOf(install, at)) }),
};

/** The entry that the runner reads. Undefined if the server comes from elsewhere, or none is needed. */
function entryOf(install: Install, at: DoctorContext) {
  const server = at.serverOf(install);
  return server && 'entry' in server ? server : undefined;
}

/** Tools of servers that hooks name but the client has not configured under that name. Says nothing about others. */
export const mentions: Check = {
  name: 'mentions',
  look: async (at) =>
    (await Promise.all(at.installs.map((install) => findingsOf(install, at)))).flat(),
};

const todoFor = (message: CompileMessage, client: string, command: string): DiagnoseMessage => {
  if (message.code === 'own-server-renamed') return { code: 'takes-name', command };
  return message.code === 'own-server-missing'
    ? { code: 'add-own-server', client, command }
    : { code: 'configure-server', client };
};

async function findingsOf(install: Install, at: DoctorContext): Promise<Finding[]> {
  const hooks = at.approval(install)?.hooks ?? [];
  const about = { hooks, install, programs: at.programs(install) };
  const clients = at.clients.filter(({ id }) => install.clients.includes(id));
  const named = await unknownServersNamed(about, clients, at.placesOf(install), at.machine.cwd);
  return named.map(({ client, message }) => ({
    level: 'warning',
    about: at.nameOf(install),
    what: message,
    todo: todoFor(message, client.name, updateCommand(install)),
  }));
}
