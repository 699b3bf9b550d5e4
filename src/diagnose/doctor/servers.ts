/** The servers themselves, which are started only when that is asked for. */

import { findClient } from '../../clients/registry.ts';
import type { ServerHooks, ServerLaunch } from '../../declaration/declared.ts';
import { isApproved } from '../../install/consent/approval.ts';
import type { Install } from '../../install/ledger.ts';
import { folderTrusted } from '../../sources/configurations.ts';
import { fill, type Parts } from '../../sources/entry.ts';
import { findAgain } from '../../sources/find.ts';
import { environmentIn, searchPlaceOf } from '../../sources/folder.ts';
import { readWithKeptSignIn } from '../../sources/oauth/authorized.ts';
import { askServer } from '../../sources/protocol/ask.ts';
import { launchRedactor } from '../../sources/redacted.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { isManifest } from '../../sources/same-source.ts';
import { said } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofTools, refused } from './check.ts';
import type { DoctorContext } from './context.ts';
import { again, where } from './origin.ts';
import { isInstalled, readSource, startsSame } from './sources.ts';

export const server = ofTools(
  'server',
  'server-declares-same',
  async (install, at): Promise<CheckResult[]> => {
    if (isManifest(install) && !at.programs(install).some((one) => one.server))
      return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'no-server-needed' }) }];
    if (!at.servers)
      return [{ level: 'info', what: said<DiagnoseMessage>({ code: 'server-not-looked-at' }) }];
    try {
      if (isManifest(install)) return await askedAsManifest(install, at);
      return install.origin ? await askedAgain(install, at) : await askedAsRemembered(install, at);
    } catch (error) {
      return [refused(error)];
    }
  },
);

/** What it declares today, wherever it is. */
async function askedAgain(install: Install, at: DoctorContext): Promise<CheckResult[]> {
  const { machine, deadline } = at;
  const { label, project, origin } = install;
  if (!origin) return [];
  const around = { cwd: project ?? machine.cwd, env: machine.env, deadline };
  const target = await findAgain(origin, label, around);
  if (!isApproved(target, at.approval(install))) return [anotherOne(install)];
  const declared = await ask(target, at);
  if (declared.hooks.length === 0)
    return [
      {
        level: 'warning',
        what:
          declared.problems.length + (declared.unsupported?.length ?? 0) > 0
            ? said<DiagnoseMessage>({ code: 'nothing-understood-any-more' })
            : said<DiagnoseMessage>({ code: 'nothing-declared-any-more' }),
        todo: said<DiagnoseMessage>({ code: 'goes-on-as-it-is', where: where(install) }),
      },
    ];
  const todo = said<DiagnoseMessage>({ code: 'shows-changes', command: again(install) });
  return compared(declared, install, at, todo);
}

/** The server whose tools a manifest has called; it may declare hooks of its own. */
async function askedAsManifest(install: Install, at: DoctorContext): Promise<CheckResult[]> {
  const known = await readSource(install, at);
  if (!known?.server)
    return [{ level: 'info', what: said<DiagnoseMessage>({ code: 'manifest-names-no-server' }) }];
  // Whoever changes the manifest could have anything started otherwise.
  if (!startsSame(known.server, install, at)) return [anotherOne(install)];
  const declared = await ask(targetOf(known, known.server, install, at), at);
  if (declared.hooks.length === 0)
    return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'hooks-are-manifests' }) }];
  const todo = said<DiagnoseMessage>({ code: 'compare-with-manifest' });
  return compared(declared, install, at, todo);
}

const anotherOne = (install: Install): CheckResult => ({
  level: 'warning',
  what: said<DiagnoseMessage>({ code: 'another-server' }),
  todo: said<DiagnoseMessage>({ code: 'shows-and-asks', command: again(install) }),
});

/** What it declares today beside what is installed. */
const compared = (
  declared: ServerHooks,
  install: Install,
  at: DoctorContext,
  todo: DiagnoseMessage,
): CheckResult[] =>
  isInstalled(declared, install, at)
    ? []
    : [
        {
          level: 'warning',
          what: said<DiagnoseMessage>({ code: 'server-declares-else' }),
          todo,
        },
      ];

/** With tokens that are kept; nobody is asked to sign in. */
const ask = (
  target: ResolvedServer,
  { deadline, onDownload, user, version }: DoctorContext,
): Promise<ServerHooks> =>
  readWithKeptSignIn(target, user.state, {
    deadline,
    version,
    onDownload: onDownload(target.label),
  });

/** It is started or reached as the first of its clients would have that done. */
function targetOf(
  { label, source }: ServerHooks,
  server: ServerLaunch,
  { clients, project }: Install,
  { machine }: DoctorContext,
): ResolvedServer {
  const given = clients.flatMap((id) => findClient(id)?.givenToServers ?? [])[0];
  if (!given) return { label, source, server };
  const { env } = machine;
  const values = ('url' in server ? server.headers : server.env) ?? {};
  const parts: Parts =
    'url' in server
      ? { url: server.url, headers: values, headersFromVariables: {} }
      : { command: server.command, args: server.args ?? [], env: values, passedOn: [] };
  const folder = folderTrusted(
    clients,
    searchPlaceOf({ env, cwd: project ?? machine.cwd }, machine.home),
  );
  const around = { given, env, cwd: ('cwd' in server && server.cwd) || folder };
  const filled = fill(parts, Object.keys(values), around);
  return { label, source, server, launch: () => filled, hide: launchRedactor(parts, filled) };
}

/** Versions before 0.2 have kept only words, as is done where a secret is among them: where one of them may have had a space in it, that would be another command. */
async function askedAsRemembered(install: Install, at: DoctorContext): Promise<CheckResult[]> {
  const { label, source } = install;
  const { machine, deadline, onDownload, version } = at;
  const todo = said<DiagnoseMessage>({ code: 'brings-up-to-date', command: again(install) });
  const known = at.programs(install).find((one) => one.server)?.server;
  if (known && 'url' in known && !known.headers && !known.templates) {
    const { url } = known;
    const from = { label, source: { kind: 'url', url }, hooks: [], problems: [] } as const;
    return compared(await ask(targetOf(from, { url }, install, at), at), install, at, todo);
  }
  const isPlain =
    /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/.test(source) && !/ -\w*[ce]\b/.test(source);
  const words =
    known && 'command' in known
      ? [known.command, ...known.args]
      : isPlain && !known
        ? source.split(' ')
        : [];
  const [command, ...args] = words;
  if (command === undefined)
    return [
      {
        level: 'info',
        what: said<DiagnoseMessage>({ code: 'remembered-in-words' }),
      },
    ];
  const declared = await askServer({
    label,
    command,
    args,
    cwd: machine.home,
    env: environmentIn(machine.home, machine.env),
    deadline,
    version,
    onDownload: onDownload(label),
  });
  return compared(declared, install, at, todo);
}
