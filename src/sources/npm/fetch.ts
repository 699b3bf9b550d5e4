/** Fetches a package with the user's own npm, which brings its registry, proxy and login. Nothing of the package runs. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../declaration/schema.ts';
import { onExit, withCleanup } from '../../system/cleanup.ts';
import { attempt, type UserError } from '../../system/errors.ts';
import { atMost } from '../../system/plurals.ts';
import { signalGroup } from '../../system/process-group.ts';
import { SourceError } from '../messages.ts';
import { wordsOf } from '../redacted.ts';
import type { Request } from '../resolved-server.ts';

/** Maximum bytes of a packed package. */
const LIMIT = 128 * 1024 * 1024;

/** Milliseconds by default. */
const DEADLINE = 60_000;

/** Maximum bytes of npm's output: with --json it lists every file. */
const SAID = 64 * 1024 * 1024;

export interface Fetched {
  /** `name@1.2.3`. */
  readonly exact: string;
  readonly tarball: Buffer;
}

type Asked = Pick<Request, 'env' | 'deadline'>;

export function fetchPackage({ name, version }: Wanted, request: Asked): Promise<Fetched> {
  const spec = `${name}@${version}`;
  const { tmpdir } = process.getBuiltinModule('node:os'); // loaded when it is needed
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-npm-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return withCleanup(remove, async () => {
    // npm would take the next parent folder with such a file for its project, and obey the .npmrc there.
    writeFileSync(join(folder, 'package.json'), '{}\n');
    const said = await pack(spec, folder, request);
    const [file, ...more] = readdirSync(folder).filter((one) => one.endsWith('.tgz'));
    const found = versionIn(said);
    if (file === undefined || more.length > 0 || found === undefined)
      throw new SourceError({ code: 'npm-broken', spec });
    const path = join(folder, file);
    if (statSync(path).size > LIMIT)
      throw new SourceError({ code: 'npm-too-large', spec, limitBytes: LIMIT });
    return { exact: `${name}@${found}`, tarball: readFileSync(path) };
  });
}

/** The version that the registry served. What a package says about itself may differ. */
function versionIn(said: string): string | undefined {
  const answer: unknown = attempt(() => JSON.parse(said));
  const [first]: unknown[] = Object.values(answer ?? {}); // a list or, in newer ones, an object
  const version = isRecord(first) ? first.version : undefined;
  return typeof version === 'string' && isExact(version) ? version : undefined;
}

async function pack(spec: string, cwd: string, request: Asked): Promise<string> {
  const { env, deadline = DEADLINE } = request;
  const { execa } = await import('execa');
  const flags = [
    '--json',
    '--ignore-scripts',
    `--pack-destination=${cwd}`,
    '--loglevel=error',
    '--no-update-notifier',
    // Report a missing network soon, not after minutes.
    ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'],
  ];
  // Its own process group, so that everything it starts ends with it.
  const npm = execa('npm', ['pack', ...flags, '--', spec], {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    detached: process.platform !== 'win32',
    cleanup: false,
    reject: false,
    maxBuffer: SAID,
    encoding: 'utf8',
  });
  const end = () => signalGroup(npm, 'SIGKILL');
  const ended = onExit(end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, atMost(deadline));
  const { failed, code, stdout, stderr } = await npm;
  clearTimeout(timer);
  end();
  ended();
  if (late) throw new SourceError({ code: 'npm-timeout', spec, seconds: deadline / 1000 });
  if (code === 'ENOENT') throw new SourceError({ code: 'npm-missing' });
  if (failed) throw refusal(spec, stderr);
  return stdout;
}

const UNREACHED =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E?NET\w+|EHOSTUNREACH|ERR_SOCKET\w*|ENOTCACHED|UNABLE\w*|CERT\w*|SELF\w*|DEPTH\w*)$/;

/** Why npm gave up, by the code that it names. */
function refusal(spec: string, said: string): UserError {
  const [, code = 'no code'] = /^npm (?:ERR!|error) code (\w{1,40})/m.exec(said) ?? [];
  if (code === 'E404') return new SourceError({ code: 'npm-not-found', spec });
  if (code === 'ETARGET' || code === 'ENOVERSIONS')
    return new SourceError({ code: 'npm-no-version', spec });
  if (/^(?:E401|E403|ENEEDAUTH|EOTP)$/.test(code))
    return new SourceError({ code: 'npm-not-allowed', spec, npmCode: code });
  if (UNREACHED.test(code)) return new SourceError({ code: 'npm-offline', spec, npmCode: code });
  const last = wordsOf(said.trim().split(/\r?\n/).slice(0, 8));
  return new SourceError(
    { code: 'npm-failed', spec, npmCode: code },
    said.trim() ? [{ code: 'npm-last-words' }, ...last] : [],
  );
}

// Nothing that is a name or a version can be a flag, a path or an address.
/** Also with capitals, which old names have. Source: https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;

/** Source: https://semver.org */
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** A version, a tag, or a range of one word. */
const WANTED = /^[~^]?[0-9A-Za-z][0-9A-Za-z._+-]*$/;

export const isPackageName = (text: string): boolean => text.length <= 214 && NAME.test(text);
export const isExact = (text: string): boolean => text.length <= 256 && EXACT.test(text);

export interface Wanted {
  readonly name: string;
  readonly version: string;
}

/** `name`, `@scope/name`, `name@1.2.3`, `name@next`; undefined for anything else. */
export function readSpec(spec: string): Wanted | undefined {
  const sign = spec.indexOf('@', 1);
  const name = sign === -1 ? spec : spec.slice(0, sign);
  const version = sign === -1 ? 'latest' : spec.slice(sign + 1);
  return isPackageName(name) && version.length <= 256 && WANTED.test(version)
    ? { name, version }
    : undefined;
}
