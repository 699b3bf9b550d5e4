/** Runs the user's own npm, which brings its registry, proxy and login. */

import { onExit } from '../../system/cleanup.ts';
import type { UserError } from '../../system/errors.ts';
import { atMost } from '../../system/plurals.ts';
import { signalGroup } from '../../system/process-group.ts';
import { SourceError } from '../messages.ts';
import { wordsOf } from '../redacted.ts';
import type { Request } from '../resolved-server.ts';

/** Milliseconds by default. */
const DEADLINE = 60_000;

/** Maximum bytes of npm's output: with --json it lists every file. */
const SAID = 64 * 1024 * 1024;

export type Asked = Pick<Request, 'env' | 'deadline'>;

/**
 * What npm prints. It runs no script of a package.
 *
 * @param about The package, for errors, and the folder in which it runs, which has a package.json of ours. Without that, npm
 *   would take the next parent folder with such a file for its project, and obey the .npmrc there.
 */
export async function runNpm(
  [command, ...words]: readonly [string, ...string[]],
  { spec, folder }: { readonly spec: string; readonly folder: string },
  { env, deadline = DEADLINE }: Asked,
): Promise<string> {
  const { execa } = await import('execa');
  const flags = [
    '--ignore-scripts',
    `--prefix=${folder}`,
    '--no-global',
    '--loglevel=error',
    '--no-update-notifier',
    // Report a missing network soon, not after minutes.
    ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'],
  ];
  // Its own process group, so that everything it starts ends with it.
  const npm = execa('npm', [command, ...flags, ...words], {
    cwd: folder,
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
