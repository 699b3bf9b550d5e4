/** Runs the user's own npm, and so with its registry, proxy and login. */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, TookTooLong } from '../../system/child.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { codeOf, reasonOf, type UserError } from '../../system/errors.ts';
import { withinTimerLimit } from '../../system/plurals.ts';
import { SourceError } from '../messages.ts';
import { wordsOf } from '../redacted.ts';
import type { Request } from '../resolved-server.ts';

/** Default deadline in milliseconds. */
const DEADLINE = 60_000;

export type Asked = Pick<Request, 'env' | 'deadline'>;

/** Runs `action` with an empty folder, which is removed afterwards. */
export function inScratchFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const { tmpdir } = process.getBuiltinModule('node:os'); // loaded only when needed
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-npm-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return withCleanup(remove, () => action(folder));
}

/**
 * Runs npm and returns its output. No script of a package is run.
 *
 * @param about The package, for errors, and the working folder, which contains a package.json of ours. Without it, npm would
 * use the nearest parent folder with a package.json as its project, and obey the .npmrc there.
 */
export async function runNpm(
  [command, ...words]: readonly [string, ...string[]],
  { spec, folder }: { readonly spec: string; readonly folder: string },
  { env, deadline = DEADLINE }: Asked,
): Promise<string> {
  const flags = [
    '--ignore-scripts',
    `--prefix=${folder}`,
    '--no-global',
    '--loglevel=error',
    '--no-update-notifier',
    // Reports a missing network after seconds instead of minutes.
    ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'],
  ];
  const npm = run(['npm'], [command, ...flags, ...words], {
    ...{ cwd: folder, env },
    deadline: withinTimerLimit(deadline),
  });
  const { exitCode, stdout, stderr } = await npm.catch((error: unknown) => {
    if (error instanceof TookTooLong)
      throw new SourceError({ code: 'npm-timeout', spec, seconds: deadline / 1000 });
    // An npm that does not find its node has no system call in its error.
    const isMissing = codeOf(error) === 'ENOENT' && Object.hasOwn(Object(error), 'syscall');
    throw isMissing
      ? new SourceError({ code: 'npm-missing' })
      : refusal(spec, reasonOf(error).text);
  });
  if (exitCode !== 0) throw refusal(spec, stderr);
  return stdout;
}

const UNREACHED =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E?NET\w+|EHOSTUNREACH|ERR_SOCKET\w*|ENOTCACHED|UNABLE\w*|CERT\w*|SELF\w*|DEPTH\w*)$/;

/** Why npm failed, by the code in its output. */
function refusal(spec: string, said: string): UserError {
  const [, code = 'no code'] = /^npm (?:ERR!|error) code (\w{1,40})/m.exec(said) ?? [];
  if (code === 'E404') return new SourceError({ code: 'npm-not-found', spec });
  if (code === 'ETARGET' || code === 'ENOVERSIONS')
    return new SourceError({ code: 'npm-no-version', spec });
  if (/^(?:E401|E403|ENEEDAUTH|EOTP)$/.test(code))
    return new SourceError({ code: 'npm-not-allowed', spec, npmCode: code });
  if (UNREACHED.test(code)) return new SourceError({ code: 'npm-offline', spec, npmCode: code });
  const last = wordsOf(said.trim().split(/\r?\n/).slice(-8));
  return new SourceError(
    { code: 'npm-failed', spec, npmCode: code },
    said.trim() ? [{ code: 'npm-last-words' }, ...last] : [],
  );
}
