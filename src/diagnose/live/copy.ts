/**
 * The hooks of one label in a home of their own: the files of its runner, byte for byte as the user has them but for the
 * path of the state folder, and the file of settings with its entries. What is missing there is so here, and what is not
 * as it was installed is missing, because it would be run.
 */

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ClientDriver } from '../../clients/driver/driver.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import {
  configPath,
  filesIn,
  type Places,
  runnerFolder,
  tokensFolder,
} from '../../clients/places.ts';
import { shellQuote } from '../../compile/command.ts';
import { policyPath } from '../../declaration/policy.ts';
import type { Subject } from './hook-scenarios.ts';
import { settingsFor } from './settings.ts';

export const placesIn = (home: string): Places => ({
  env: {},
  home,
  state: join(home, '.mcp-hooks'),
  scope: 'user',
});

/** What is copied of a label, and for which client. */
export interface Copied extends Pick<Subject, 'client' | 'label' | 'places' | 'disk' | 'runner'> {
  readonly driver: Pick<ClientDriver, 'keeps'>;
  readonly written: readonly ConfiguredHook[];
}

export function copyHooks(copied: Copied, home: string): void {
  const { client, driver, label, places: from, disk, runner, written } = copied;
  const to = placesIn(home);
  const move = moving(from.state, to.state);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  mkdirSync(to.state, { mode: 0o700 });
  const folder = runnerFolder(from, label);
  for (const [name, bytes] of runner)
    put(join(to.state, relative(from.state, folder), name), move(bytes.toString()));
  // Not a copy: what renews a token works once.
  if (existsSync(tokensFolder(from.state)))
    symlinkSync(tokensFolder(from.state), tokensFolder(to.state), 'junction');
  const policy = disk.read(policyPath(from.state));
  if (policy) put(policyPath(to.state), policy.toString());

  for (const path of new Set(written.map((hook) => hook.path))) {
    // The copy's are the user's, wherever the hooks were.
    const known = from.scope === 'local' ? [] : filesIn(client, from);
    const config = known.find((file) => configPath(client, file, from) === path) ?? client.files[0];
    const target = configPath(client, config, to);
    const prepared = existsSync(target) ? readFileSync(target, 'utf8') : null;
    const ours = written.filter((hook) => hook.path === path);
    const bytes = disk.read(path);
    if (bytes) put(target, settingsFor(config, { client, driver, bytes, prepared, ours, move }));
  }
}

/** A text with one path for another, however it is written there: in JSON, as a word of a shell, or as it is. */
function moving(from: string, to: string): (text: string) => string {
  const inShell = (path: string) => shellQuote(path).replace(/^'([\s\S]*)'$/, '$1');
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const ways = [(path: string) => path, inShell, inJson];
  return (text) => {
    const way = ways.find((one) => text.includes(one(from)));
    return way ? text.replaceAll(way(from), () => way(to)) : text;
  };
}
