/** Whether a hook fires is answered by many commands. In each home they all give the same answer. */
import { describe } from 'vitest';
import { env } from './support/fired.ts';
import { furnish, HOMES, IDS, type Id, pathOf } from './support/homes.ts';
import { test, type World } from './support/world.ts';

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

/** For each client in which not everything fires: the numbers of the hooks that do not. */
type Column = Partial<Record<Id, readonly number[]>>;

const silentIn = (statuses: readonly Status[]): Column =>
  Object.fromEntries(
    statuses
      .filter(({ fires }) => !fires)
      .map(({ client, hooks }) => [client, silent(hooks)] as const),
  );
const silent = (hooks: readonly Hook[]) => [
  ...new Set(hooks.filter(({ fires }) => !fires).map(({ hook }) => hook)),
];

const TOOLS = { 'claude-code': 'Bash', codex: 'Bash', 'gemini-cli': 'run_shell_command' } as const;

/** The commands, and for each what it says. */
class Answers {
  readonly #world: World;
  readonly #path: string;

  constructor(world: World, path: string) {
    this.#world = world;
    this.#path = path;
  }

  /** The code, and what is printed as JSON. */
  async json(line: string | readonly string[]) {
    const { code, out, err } = await this.#world.run(line, { env: { PATH: this.#path } });
    if (out === '') throw new Error(`${line}: ${err}`);
    return { code, ...JSON.parse(out) };
  }

  async fire(): Promise<Column> {
    const statuses: Status[] = [];
    for (const id of IDS) {
      const call = ['--tool', TOOLS[id], '--input', '{"command":"git commit -m x"}'];
      for (const [event, ...more] of [['session_start'], ['post_tool_use', ...call]] as const) {
        const flags = [...more, '--client', id, '--json'];
        const { clients } = await this.json(['fire', 'annal', event, ...flags]);
        const [{ firings, status }]: [{ firings: { hooks: Told[] }[]; status: Status }] = clients;
        const told = firings.flatMap(({ hooks }) => hooks.filter((one) => one.told));
        for (const { hook, fires } of status.hooks.filter((one) => one.event === event))
          if (fires && !told.some((one) => one.hook === hook))
            throw new Error(`${id}: hook ${hook} fires, and is not told`);
        statuses.push({ ...status, client: id });
      }
    }
    return silentIn(statuses);
  }

  async verify(): Promise<Column> {
    const { code, fires, verified } = await this.json('verify annal --json');
    agree(code, fires);
    return silentIn(
      verified.map(({ events, ...one }: { events: { hooks: Hook[] }[] }) => ({
        ...one,
        hooks: events.flatMap(({ hooks }) => hooks).sort((a, b) => a.hook - b.hook),
      })),
    );
  }

  async doctor(): Promise<Column> {
    const { code, fires, status } = await this.json('doctor annal --json');
    agree(code, fires);
    return silentIn(status);
  }

  async list(): Promise<Column> {
    const { installed } = await this.json('list --json');
    const [{ clients }] = installed;
    return silentIn(clients.map((one: { id: Id }) => ({ ...one, client: one.id })));
  }
}

interface Told {
  readonly hook: number;
  readonly told: boolean;
}

const agree = (code: number, fires: boolean) => {
  if ((code === 0) !== fires) throw new Error(`fires: ${fires}, and exit ${code}`);
};

// A home takes some fifteen commands.
describe.concurrent('every command says the same of a home in which', { timeout: 120_000 }, () => {
  for (const home of HOMES)
    test(home.title, async ({ world, expect }) => {
      const answers = new Answers(world, await pathOf(world, home));
      await furnish(world, home, (line) => world.run(line, { env }));
      const { silent, after = silent, leftOut = [] } = home;
      expect({
        fire: await answers.fire(),
        verify: await answers.verify(),
        doctor: await answers.doctor(),
        list: await answers.list(),
      }).toEqual({ fire: silent, verify: silent, doctor: silent, list: silent });

      const flags = home.flags ?? '--allow context-tool';
      const line = `install annal.json ${flags} --client claude,codex,gemini --yes --json`;
      if (home.refuses) expect((await world.run(line, { env })).code).toBe(2);
      else {
        const { code, status } = await answers.json(line);
        expect({ code, silent: silentIn(status) }).toEqual({ code: 0, silent: after });
        for (const one of status)
          expect(one.leftOut.map(({ hook }: { hook: number }) => hook)).toEqual(leftOut);
        expect(await answers.list()).toEqual(after);
      }
      // No client has run anything.
      expect(await answers.json('log --json')).toMatchObject({ code: 0, entries: [] });
    });
});
