// The real Codex reads what we write: the user's hooks keep their places and their trust, and every form that its files can
// have is preserved. Only its app-server runs here, and no model is asked.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AppServer, withAppServer } from '../../src/clients/codex/app-server.ts';
import {
  isObject,
  type JsonValue,
  type Placed,
  type JsonObject as ReadonlyJson,
} from '../../src/edit/edit.ts';
import { json } from '../../src/edit/json.ts';
import { type Arrangement, arrange } from '../../src/edit/reconcile.ts';
import { toml } from '../../src/edit/toml.ts';
import { eventsOf } from '../../src/edit/value.ts';
import { run } from '../../src/system/child.ts';
import { getPath, type Json, type JsonObject, parse, str } from '../../src/system/json.ts';
import { keeping, LABELS, LENIENT, tomlFile, wanted, whose } from '../edit/arbitraries.ts';
import { UNDER_HOOKS } from '../edit/layouts.ts';
import { CODEX_TOML } from '../support/codex-toml.ts';
import { LAUNCH } from './clients.ts';
import { quietly, type Reading, reading, trust, warnings } from './codex-app-server.ts';
import { mcpHooks } from './ours.ts';
import { type Scratch, scratch } from './scratch.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/settings/toml', import.meta.url));
const EVENTS = ['PostToolUse', 'Stop'];

let place: Scratch;
beforeEach(() => {
  place = scratch();
  mkdirSync(join(place.home, '.codex'));
});
afterEach(() => place.remove());

const codexFile = (name: string) => join(place.home, '.codex', name);
const contents = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);

/** Starts a Codex that reads its files, and also returns its warnings at the start. */
async function started<T>(use: (server: AppServer) => Promise<T>) {
  const options = { ...quietly(place.home, place.project), deadline: 40_000 };
  const { value, result } = await withAppServer(options, use);
  return { value, warned: warnings(result, place.home) };
}

const look = (server: AppServer): Promise<Reading> => reading(server, place.project);

/** Installs a label on PostToolUse and on Stop, and leaves the trust to the test. */
async function install(label: string, tool = 'Bash', words = 'words'): Promise<void> {
  const declarations = [
    { event: 'post_tool_use', matcher: { tool_name: tool }, context: words },
    { event: 'session_end', context: words },
  ].map((hook) => ({ ...hook, priority: 'suggestion' }));
  const file = join(place.files, `${label}.json`);
  writeFileSync(file, JSON.stringify({ name: label, hooks: { declarations } }));
  await mcpHooks(place, 'install', file, '--client', 'codex', '--yes');
}

/** The label whose runner a hook starts; undefined for the user's own. */
const labelOf = (hook: JsonObject): string | undefined =>
  /\/\.mcp-hooks\/servers\/(\w+)\//.exec(str(hook.command))?.[1];

/** The values with groups appended to those of their events. */
function withAdded(values: JsonValue, placed: readonly Placed[]): JsonValue {
  const root = isObject(values) ? values : {};
  const hooks = { ...(isObject(root.hooks) && root.hooks) };
  for (const { event, group } of placed) hooks[event] = [...groupsOf({ hooks }, event), group];
  return placed.length === 0 ? root : { ...root, hooks };
}

function groupsOf(values: JsonValue, event: string): readonly JsonValue[] {
  const hooks = isObject(values) ? values.hooks : undefined;
  const groups = isObject(hooks) ? hooks[event] : undefined;
  return Array.isArray(groups) ? groups : [];
}

/** A file with a hook of the user's own for each event, and how the user adds and removes others in an editor. */
interface Hand {
  readonly name: string;
  readonly start: string;
  add(text: string, command: string): string;
  remove(text: string, command: string): string;
}
const table = (event: string, command: string) =>
  `\n[[hooks.${event}]]\nhooks = [{ type = "command", command = "${command}" }]\n`;
const tables = (command: string) => EVENTS.map((event) => table(event, command)).join('');
const item = (command: string) =>
  `      { "hooks": [{ "type": "command", "command": "${command}" }] }`;
const HANDS: readonly Hand[] = [
  {
    name: 'config.toml',
    start: `model = "gpt-5.6" # mine\n${tables('first')}\n# the end of my hooks\n\n[tui]\ntheme = "dark"\n`,
    add: (text, command) => text + tables(command),
    remove: (text, command) => text.replace(tables(command), ''),
  },
  {
    name: 'hooks.json',
    start: `{\n  "hooks": {\n${EVENTS.map((event) => `    "${event}": [\n${item('first')}\n    ]`).join(',\n')}\n  }\n}\n`,
    add: (text, command) => text.replaceAll('\n    ]', `,\n${item(command)}\n    ]`),
    remove: (text, command) => text.replaceAll(`,\n${item(command)}`, ''),
  },
];

/** What Codex writes for "Trust all and continue". */
const STATE = /\n\[hooks\.state.*\]\n(trusted_hash = .*\n)?/g;

describe.each(HANDS)('trust, by positions in $name', ({ name, start, add, remove }) => {
  const edit = (change: (text: string) => string) => {
    const before = readFileSync(codexFile(name), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(codexFile(name), after);
  };
  const now = async () => {
    const { value, warned } = await started(look);
    // Codex accepts the file without a warning, at the start and when asked about hooks.
    expect({ warned, said: value.said }).toEqual({ warned: [], said: [] });
    return value;
  };
  const others = ({ hooks }: Reading, label: string) =>
    hooks.filter((hook) => labelOf(hook) !== label);
  const trusted = ({ hooks }: Reading) => hooks.map(({ trustStatus }) => trustStatus === 'trusted');

  /** The user's own hooks first and last, and those of two labels between them. Each hook is trusted when it is new. */
  async function crowded(): Promise<Reading> {
    writeFileSync(codexFile(name), start);
    await started(async (server) => {
      await trust(server, place.project);
      await install('annal');
      await trust(server, place.project);
      await install('serena');
      edit((text) => add(text, 'later'));
      await trust(server, place.project);
    });
    const seen = await now();
    expect(seen.hooks.map((hook) => labelOf(hook) ?? hook.command)).toEqual(
      EVENTS.flatMap(() => ['first', 'annal', 'serena', 'later']),
    );
    expect(trusted(seen)).toEqual(Array(8).fill(true));
    return seen;
  }

  test('an uninstall removes its own hooks and the trust in them, and no other hooks', async () => {
    const all = await crowded();
    const isOurs = (key: string) =>
      all.hooks.some((hook) => hook.key === key && labelOf(hook) !== undefined);
    const granted = Object.entries(getPath(all.config, 'hooks', 'state') ?? {});
    const theirs = Object.fromEntries(granted.filter(([key]) => !isOurs(key)));
    expect([granted.length, Object.keys(theirs).length]).toEqual([8, 4]);

    await mcpHooks(place, 'uninstall', 'annal', '--yes');
    const one = await now();
    expect(one.hooks).toEqual(others(all, 'annal'));
    expect(one.hooks).toHaveLength(6);

    await mcpHooks(place, 'uninstall', 'serena', '--yes');
    const none = await now();
    expect(none.hooks).toEqual(others(one, 'serena'));
    expect(none.hooks.map(({ command }) => command)).toEqual(['first', 'later', 'first', 'later']);

    edit((text) => remove(text, 'later'));
    // No position must be kept any more, so our next command removes empty groups.
    await mcpHooks(place, 'uninstall', 'annal', '--yes');
    const last = await now();
    expect(last.hooks).toEqual(none.hooks.filter(({ command }) => command === 'first'));
    expect(trusted(last)).toEqual([true, true]);
    const text = readFileSync(codexFile(name), 'utf8');
    // Codex's records of trust are where Codex wrote them.
    expect(text.replace(STATE, '')).toBe(start);
    expect(getPath(last.config, 'hooks', 'state')).toEqual(theirs);
    expect(existsSync(join(place.home, '.mcp-hooks'))).toBe(false);
  });

  test('an update in place asks for trust only if the command or the matcher has changed', async () => {
    const all = await crowded();
    await install('annal', 'Bash', 'other words');
    expect((await now()).hooks).toEqual(all.hooks);

    await install('annal', 'Edit', 'other words');
    const changed = await now();
    const [ours] = all.hooks.filter((hook) => labelOf(hook) === 'annal');
    expect(changed.hooks).toEqual(
      all.hooks.map((hook) =>
        hook === ours
          ? {
              ...hook,
              matcher: 'apply_patch',
              currentHash: expect.not.stringMatching(str(hook.currentHash)),
              trustStatus: 'modified',
            }
          : hook,
      ),
    );
    const { value: agreed } = await started(async (server) => {
      await trust(server, place.project);
      return look(server);
    });
    expect(trusted(agreed)).toEqual(Array(8).fill(true));
  });
});

/** The user's file before an install; null if there is none. */
interface Form {
  readonly form: string;
  readonly name: string;
  text(): string | null;
}
const FORMS: readonly Form[] = [
  { form: 'no file', name: 'config.toml', text: () => null },
  ...readdirSync(FIXTURES)
    // These fixtures are about edits of our entries, not about a form of their own.
    .filter((form) => !existsSync(join(FIXTURES, form, 'edited.toml')))
    .map((form) => ({
      form,
      name: 'config.toml',
      text: () =>
        readFileSync(join(FIXTURES, form, 'before.toml'), 'utf8')
          .replaceAll('/home/u/', `${place.home}/`)
          // An empty group has no key that could be lost.
          .replaceAll('hooks = []', 'hooks = [{ type = "command", command = "mine" }]'),
    })),
  {
    form: 'hooks.json',
    name: 'hooks.json',
    text: () =>
      `{\r\n\t"description": "mine",\r\n\t"hooks": {\r\n\t\t"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]\r\n\t}\r\n}`,
  },
];

/** The commands of all hooks in a document, as our own readers see them. */
const commandsIn = (document: ReadonlyJson): JsonValue[] =>
  [...eventsOf(document, UNDER_HOOKS).values()]
    .flat()
    .flatMap((group) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
    .map((handler: JsonValue) => (isObject(handler) ? (handler.command ?? null) : null));

describe("a file keeps the user's own form", () => {
  test.each(FORMS)('$form', async ({ name, text }) => {
    const file = codexFile(name);
    const other = codexFile(name === 'hooks.json' ? 'config.toml' : 'hooks.json');
    const original = text();
    if (original !== null) writeFileSync(file, original);
    await install('annal');
    const written = readFileSync(file, 'utf8');
    expect(existsSync(other)).toBe(false);
    const { value, warned } = await started(async (server) => {
      const installed = await look(server);
      await mcpHooks(place, 'uninstall', 'annal', '--yes');
      return { installed, without: await look(server) };
    });
    // The bytes are restored, so this is also what Codex saw before.
    const { installed, without } = value;
    expect(contents(file)).toBe(original);
    expect(existsSync(other)).toBe(false);

    expect({ with: installed.said, without: without.said }).toEqual({ with: [], without: [] });
    // Fixtures have settings that Codex does not know, and it warns about them without our hooks as well.
    if (warned.length > 0) expect((await started(look)).warned).toEqual(warned);

    const [format, source] = name === 'hooks.json' ? [json, '{}'] : [toml, ''];
    const mine = format.read(original ?? source, LENIENT);
    expect(without.hooks.map(({ command }) => command).sort()).toEqual(commandsIn(mine).sort());
    expect(installed.hooks.filter((hook) => !labelOf(hook))).toEqual(without.hooks);
    const ours = installed.hooks.filter(labelOf);
    expect(ours.map(({ key }) => key)).toEqual([
      `${file}:post_tool_use:${groupsOf(mine, 'PostToolUse').length}:0`,
      `${file}:stop:${groupsOf(mine, 'Stop').length}:0`,
    ]);

    const [onTool, onStop] = ours.map(({ command, timeoutSec }) => ({
      hooks: [{ type: 'command', command: str(command), timeout: Number(timeoutSec) }],
    }));
    const values = ({ config }: Reading, text: string | null): Json =>
      name === 'hooks.json' ? parse(text ?? source) : (config ?? null);
    expect(values(installed, written)).toEqual(
      withAdded(values(without, original), [
        { event: 'PostToolUse', group: { matcher: 'Bash', ...onTool } },
        { event: 'Stop', group: { ...onStop } },
      ]),
    );
  });

  test('Codex would report a second file with hooks, or a file that it refuses', async () => {
    const [inToml, inJson] = HANDS;
    for (const hand of [inToml, inJson])
      writeFileSync(codexFile(hand?.name ?? ''), hand?.start ?? '');
    const both = await started(look);
    expect(both.value.said).toEqual([expect.stringContaining('loading hooks from both')]);
    expect(both.value.hooks).toHaveLength(4);

    writeFileSync(codexFile('config.toml'), `hooks = {}\n${inToml?.start}`);
    const refused = await started(look);
    expect(refused.value.said).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('cannot extend value') }),
    );
    expect(refused.value.config).toBeUndefined();
    expect(refused.warned).not.toEqual([]);
  });
});

test('random documents: Codex reads what it read before, and our hooks', async () => {
  const [annal, serena] = LABELS;
  const samples = fc.sample(fc.tuple(tomlFile, wanted(annal), wanted(serena)), {
    seed: 2282,
    numRuns: 100,
  });
  const file = codexFile('config.toml');
  await started(async (server) => {
    const read = (text: string) => {
      writeFileSync(file, text);
      return look(server);
    };
    let left = 40;
    for (const [{ source }, first, second] of samples) {
      const before = await read(source);
      // To Codex, profiles are not a list. It must accept the file with our entries as it did without.
      if (before.config === undefined) continue;
      if (left-- === 0) break;
      const base = {
        format: toml,
        dialect: LENIENT,
        layout: UNDER_HOOKS,
        ...whose(true),
        ...keeping(true),
      };
      let { text, record }: Arrangement = { text: source, record: null };
      const set = async (label: string, want: readonly Placed[]) => {
        ({ text, record } = arrange(text, { ...base, label, want, record: record ?? undefined }));
        const { hooks, said, config } = await read(text ?? '');
        const users = hooks.filter((hook) => !/^\/r\//.test(str(hook.command)));
        expect({ hooks: users, said }).toEqual({ hooks: before.hooks, said: before.said });
        return config;
      };
      const config = before.config ?? null;
      expect(await set(annal, first)).toEqual(withAdded(config, first));
      expect(await set(serena, second)).toEqual(withAdded(config, [...first, ...second]));
      const kept = first.filter(({ event }) => second.some((later) => later.event === event));
      const empty = kept.map(({ event }) => ({ event, group: { hooks: [] } }));
      expect(await set(annal, [])).toEqual(withAdded(config, [...empty, ...second]));
      expect(await set(serena, [])).toEqual(config);
      expect(text).toBe(source);
    }
    expect(left).toBeLessThanOrEqual(0);
  });
});

test.each(CODEX_TOML)('Codex reads %j exactly if we do', async (text, reads) => {
  writeFileSync(codexFile('config.toml'), text);
  const { exitCode, stderr } = await run(LAUNCH.codex, ['mcp', 'list', '--json'], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, CODEX_HOME: join(place.home, '.codex') },
  });
  expect([exitCode === 0, stderr]).toEqual([reads, expect.any(String)]);
});
