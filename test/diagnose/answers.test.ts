/** Many commands report whether a hook fires. For each home, they all agree. */
import { describe, expect } from 'vitest';
import { env, type Id } from '../support/fired.ts';
import { furnish, HOMES, type Home, idsOf, pathOf, scopeOf } from '../support/homes.ts';
import { test, type World } from '../support/world.ts';

interface Hook {
  readonly hook: number;
  readonly event: string;
  readonly fires: boolean;
}

interface Status {
  readonly client: Id;
  readonly fires: boolean;
  readonly hooks: readonly Hook[];
  readonly leftOut: readonly { readonly hook: number }[];
}

/** For each client with hooks that do not fire: the numbers of these hooks. */
type Column = Partial<Record<Id, readonly number[]>>;

const notFiringIn = (statuses: readonly Status[]): Column =>
  Object.fromEntries(
    statuses
      .filter(({ fires }) => !fires)
      .map(({ client, hooks }) => [client, notFiring(hooks)] as const),
  );
const notFiring = (hooks: readonly Hook[]) => [
  ...new Set(hooks.filter(({ fires }) => !fires).map(({ hook }) => hook)),
];

/** What each of the commands reports. */
class Answers {
  readonly #world: World;
  readonly #path: string;
  readonly #home: Home;

  constructor(world: World, path: string, home: Home) {
    this.#world = world;
    this.#path = path;
    this.#home = home;
  }

  /** The exit code and the JSON of a command. */
  async json(line: string | readonly string[]) {
    const { code, out, err } = await this.#world.run(line, { env: { PATH: this.#path } });
    if (out === '') throw new Error(`${line}: ${err}`);
    return { code, ...JSON.parse(out) };
  }

  async fire(): Promise<Column> {
    const { scope } = this.#home;
    const more = ['--json', ...(scope ? ['--scope', scope] : [])];
    const call = ['--tool', 'Bash', '--input', '{"command":"git commit -m x"}'];
    const statuses: Status[] = [];
    for (const [event, ...words] of [['session_start'], ['post_tool_use', ...call]] as const) {
      const { clients }: { clients: readonly FiredIn[] } = await this.json([
        ...['fire', 'annal', event, '--client', `${idsOf(this.#home)}`],
        ...[...words, ...more],
      ]);
      for (const { id, firings, status } of clients) {
        const told = firings.flatMap(({ hooks }) => hooks.filter((one) => one.shown));
        for (const { hook, fires } of status.hooks.filter((one) => one.event === event))
          if (fires && !told.some((one) => one.hook === hook))
            throw new Error(`${id}: hook ${hook} fires, and is not shown`);
        statuses.push({ ...status, client: id });
      }
    }
    return notFiringIn(statuses);
  }

  async verify(): Promise<Column> {
    const { code, fires, verified } = await this.json(`verify annal --json${scopeOf(this.#home)}`);
    agree(code, fires);
    return notFiringIn(
      verified.map(({ events, ...one }: { events: { hooks: Hook[] }[] }) => ({
        ...one,
        hooks: events.flatMap(({ hooks }) => hooks).sort((a, b) => a.hook - b.hook),
      })),
    );
  }

  async doctor(): Promise<Column> {
    const { code, fires, status } = await this.json('doctor annal --json');
    agree(code, fires);
    return notFiringIn(status);
  }

  async list(): Promise<Column> {
    const { installed } = await this.json('list --json');
    const [{ clients }] = installed;
    return notFiringIn(clients.map((one: { id: Id }) => ({ ...one, client: one.id })));
  }
}

/** The firings in a client. */
interface FiredIn {
  readonly id: Id;
  readonly firings: readonly {
    readonly hooks: readonly { readonly hook: number; readonly shown: boolean }[];
  }[];
  readonly status: Omit<Status, 'client'>;
}

/** Runs the commands that prepare a home. The second stage runs as a process in one home only, which saves time. */
const installing =
  (world: World, { title }: Home) =>
  (line: string) =>
    world.run(line, { env, whole: title === 'all is well' });

const agree = (code: number, fires: boolean) => {
  if ((code === 0) !== fires) throw new Error(`fires: ${fires}, and exit ${code}`);
};

// Each home needs about fifteen commands.
describe.concurrent('every command reports the same about a home in which', {
  timeout: 120_000,
}, () => {
  for (const home of HOMES)
    test(home.title, async ({ world }) => {
      const answers = new Answers(world, await pathOf(world, home), home);
      await furnish(world, home, installing(world, home));
      const { notFiring, after = notFiring, leftOut = [] } = home;
      expect({
        fire: await answers.fire(),
        verify: await answers.verify(),
        doctor: await answers.doctor(),
        list: await answers.list(),
      }).toEqual({ fire: notFiring, verify: notFiring, doctor: notFiring, list: notFiring });

      const flags = home.flags ?? '--allow context-tool';
      const line = `install annal.json ${flags} --client ${idsOf(home)} --yes --json${scopeOf(home)}`;
      if (home.refuses) expect((await world.run(line, { env })).code).toBe(2);
      else {
        const { code, status } = await answers.json(line);
        expect({ code, notFiring: notFiringIn(status) }).toEqual({ code: 0, notFiring: after });
        for (const one of status)
          expect(one.leftOut.map(({ hook }: { hook: number }) => hook)).toEqual(leftOut);
        expect(await answers.list()).toEqual(after);
      }
      // No client has run a session.
      expect(await answers.json('log --json')).toMatchObject({ code: 0, entries: [] });
    });
});

describe.concurrent('the output for people', { timeout: 60_000 }, () => {
  /** Prepares a home of the table, and returns a function that runs commands in it. */
  async function homeIn(world: World, title: string) {
    const home = HOMES.find((one) => one.title === title);
    if (!home) throw new Error(`no home in which ${title}`);
    const PATH = await pathOf(world, home);
    await furnish(world, home, installing(world, home));
    return async (line: string) => {
      const { code, out, err } = await world.run(line, { env: { PATH } });
      return { code, out: out.replace(/\s+/g, ' '), err };
    };
  }

  test('list names the hooks that do not fire, and why', async ({ world }) => {
    const run = await homeIn(world, 'Codex has one of them switched off');
    expect((await run('list')).out).toContain(
      'Codex CLI intact, but hook 1 does not fire: switched off in Codex CLI',
    );
  });

  test('fire reports the failure of a tool that it has just called only once', async ({
    world,
  }) => {
    const run = await homeIn(world, 'the tool fails');
    await run('verify');
    expect((await run('list')).out).toContain(
      'hook 2 does not fire: its tool failed when it was last called',
    );
    const { out } = await run('fire annal session_start --client claude');
    expect(out).toContain(
      'its tool was not called: there_is_none of annal: the server has no tool',
    );
    expect(out).not.toContain('last called');
  });

  test('fire reports only the hooks of its event', async ({ world }) => {
    const run = await homeIn(world, 'policy.json lets it call no tool');
    const { out } = await run('fire annal post_tool_use --tool Bash --client claude');
    expect(out).not.toContain('policy.json');
    expect((await run('fire annal session_start --client claude')).out).toContain(
      'your policy.json forbids tool calls.',
    );
  });

  test('if the record cannot be read, nothing counts as installed', async ({ world }) => {
    const run = await homeIn(world, 'all is well');
    await world.write('~/.mcp-hooks/ledger.json', '{');
    const unread = expect.stringContaining('the record of what is installed, cannot be read');
    const told = 'mcp-hooks cannot tell what is installed. ';
    expect(await run('list')).toEqual({ code: 0, out: told, err: unread });
    expect(JSON.parse((await run('list --json')).out)).toEqual({
      schemaVersion: 1,
      readable: false,
      installed: [],
      managed: [],
      shipped: [],
    });
    expect(await run('update')).toEqual({ code: 2, out: '', err: unread });
    expect(await run('update annal')).toEqual({ code: 2, out: '', err: unread });
    for (const line of ['verify --json', 'doctor --json', 'doctor annal --json']) {
      const { code, out } = await run(line);
      expect({ line, code, fires: JSON.parse(out).fires }).toEqual({ line, code: 1, fires: false });
    }
  });

  test('an install in another scope is named', async ({ world }) => {
    const run = await homeIn(world, "everything is in the user's own settings of a project");
    const there = `Installed: annal (in ${world.work}, local scope).`;
    for (const command of ['verify', 'update'])
      expect(await run(command)).toEqual({
        code: 0,
        out: `Nothing is installed in user scope. ${there} For this project: mcp-hooks ${command} --scope local `,
        err: '',
      });
    const here = 'It is installed in this project: add --scope local.';
    for (const [line, where] of [
      ['verify annal', here],
      ['update annal', there],
      ['fire annal session_start', here],
    ] as const)
      expect(await run(line)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`annal is not installed in user scope. ${where}`),
      });
  });

  test('an outdated client is not an error if nothing is installed in it', async ({ world }) => {
    const run = await homeIn(world, 'a client is too old');
    expect((await run('doctor')).code).toBe(1);
    await run('uninstall annal --yes');
    expect(await run('doctor')).toMatchObject({
      code: 0,
      out: expect.stringContaining('No problems found.'),
    });
  });
});
