// https://developers.openai.com/codex/config-reference
import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import { codex as client } from '../codex.ts';
import { faultsUnder, groupOf } from './faults.ts';
import type { Fault, Health, TrustLook } from './health.ts';
import { fields, flag, list, table, text, variants, whole, word } from './shapes.ts';

const timeout = { timeout: whole(0) };
const GROUP = groupOf(
  variants({
    command: fields({ ...timeout, command: text, async: flag }, 'command'),
    mcp_tool: fields({ ...timeout, server: text, tool: text }, 'server', 'tool'),
    prompt: fields(timeout),
    agent: fields(timeout),
  }),
);
/** There are many more, and new ones with every version: Codex itself is asked about them. */
const SETTINGS = fields({
  model: text,
  model_provider: text,
  notify: list(text),
  sandbox_mode: word('read-only', 'workspace-write', 'danger-full-access'),
});
/** Settings that need nobody to be asked, where there are no others. */
const PLAIN = {
  model: text,
  hooks: table(() => []),
  projects: table(fields({ trust_level: word('trusted', 'untrusted') })),
};
const EVENTS = [...Object.keys(client.nativeEvents), ...(client.otherEvents ?? [])];

export const codex: Health = {
  layers: [
    { whose: 'defaults', path: ({ root }) => `${root}/etc/codex/config.toml` },
    { whose: 'user' },
    { whose: 'project' },
    { whose: 'managed', path: ({ root }) => `${root}/etc/codex/requirements.toml` },
  ],
  switches: [
    { key: ['features', 'hooks'], off: false },
    { key: ['features', 'codex_hooks'], off: false },
    { key: ['allow_managed_hooks_only'], off: true, only: 'managed' },
  ],
  faults: (document, file): Fault[] => [
    ...(basename(file) === 'hooks.json'
      ? Object.keys(document)
          .filter((key) => key !== 'hooks' && key !== 'description')
          .map((key) => ({ path: [key], what: 'is a key that Codex does not know there' }))
      : SETTINGS(document)),
    ...EVENTS.flatMap((event) => faultsUnder(document, event, GROUP)),
  ],
  isPlain: (document) =>
    Object.keys(document).every((key) => Object.hasOwn(PLAIN, key)) &&
    fields(PLAIN)(document).length === 0,
  faulty: (file) =>
    basename(file) === 'hooks.json'
      ? 'Codex ignores the whole file'
      : 'it stops Codex from starting',
  stops: (file) => basename(file) !== 'hooks.json',
  trust: {
    of: 'project',
    decide: folderTrust,
    undecided: 'Codex reads nothing of the .codex folder in it',
    todo: 'Start codex here and trust the folder.',
  },
};

/** A project is trusted by its own folder, or by that of the repository that it is in. */
function folderTrust({ cwd, folder, setting }: TrustLook) {
  const where = join(folder, 'config.toml');
  const projects = setting('projects');
  const level = (at: string): JsonValue | undefined => {
    const known = isObject(projects) ? projects[at] : undefined;
    if (isObject(known) && known.trust_level !== undefined) return known.trust_level;
    return dirname(at) === at ? undefined : level(dirname(at));
  };
  const said = level(cwd);
  const state = said === 'trusted' ? 'trusted' : said === undefined ? 'undecided' : 'refused';
  return { where, state } as const;
}
