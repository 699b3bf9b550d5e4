/**
 * `npm:<package>`: a package that is not installed. If it contains a file with hooks, that file is read and nothing is run.
 * Otherwise its command is started and queried, if the user agrees.
 */

import { isLabel } from '../../declaration/declaration.ts';
import { readManifestText, type ServerStart } from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { isRecord } from '../../declaration/schema.ts';
import { UserError } from '../../system/errors.ts';
import { environmentIn, homeOf } from '../folder.ts';
import { readTarball } from '../manifests/archive.ts';
import type { Contents } from '../manifests/kind.ts';
import { commandOfPackage } from '../manifests/package-json.ts';
import { accept, checkManifestText, fromManifest, IN_FOLDER } from '../manifests/read.ts';
import { SourceError } from '../messages.ts';
import type { Finder, Request, ResolvedServer } from '../resolved-server.ts';
import { fetchPackage, readSpec } from './fetch.ts';

const PREFIX = 'npm:';
const PACKAGE = 'package.json';

export const findNpm: Finder = async (operand, request) => {
  if (!operand.startsWith(PREFIX)) return undefined;
  const spec = operand.slice(PREFIX.length);
  const wanted = readSpec(spec);
  if (!wanted) throw new SourceError({ code: 'npm-bad-spec', spec });
  const { exact, tarball } = await fetchPackage(wanted, request);
  const shown = `${PREFIX}${exact}`;
  const files = await readTarball(tarball, [...IN_FOLDER, PACKAGE], shown);
  const text = files.texts.get(PACKAGE);
  const contents = text === undefined ? undefined : readManifestText(text).value;
  if (!isRecord(contents)) throw new SourceError({ code: 'npm-broken', spec: shown });

  const source = { kind: 'npm', spec } as const;
  const label = wanted.name.replace(/^.*\//, '');
  const file = [...IN_FOLDER, PACKAGE].find(
    (name) => files.texts.has(name) && (name !== PACKAGE || 'mcpHooks' in contents),
  );
  if (file === undefined) return toBeAsked({ exact, contents, label, source }, request);
  const written = checkManifestText({
    text: files.texts.get(file) ?? '',
    shown: `${shown}/${file}`,
    file,
    source,
    where: { packed: files.has },
    name: request.name,
    known: { label, serverStart: () => startedBy(exact, contents, request) },
  });
  return fromManifest(accept(written));
};

interface Package extends Pick<ResolvedServer, 'label' | 'source'> {
  /** `name@1.2.3`. */
  readonly exact: string;
  readonly contents: Contents;
}

function toBeAsked({ exact, contents, label, source }: Package, request: Request): ResolvedServer {
  const { name = label, env } = request;
  const { server, reason } = startedBy(exact, contents, request);
  if (!server || 'url' in server)
    throw new SourceError(
      { code: 'npm-no-command', spec: `${PREFIX}${exact}`, ...(reason && { why: reason }) },
      [{ code: 'npm-choose', spec: exact }],
    );
  if (!isLabel(name)) throw new UserError<DeclarationMessage>({ code: 'bad-label', label: name });
  const { command, args = [], cwd = homeOf(request) } = server;
  const launch = () => ({ command, args, cwd, env: environmentIn(cwd, env) });
  return { label: name, source, server, launch, consent: { code: 'npm-consent', spec: exact } };
}

/**
 * The package's command through npx, always in the version that was inspected. It does not start in a project's folder, whose
 * .npmrc could point npm to another registry with its own package of that name and version.
 */
function startedBy(exact: string, contents: Contents, request: Request): ServerStart {
  const command = commandOfPackage(contents);
  if ('why' in command) return { reason: command.why };
  return { server: { command: 'npx', args: ['-y', exact], cwd: homeOf(request) } };
}
