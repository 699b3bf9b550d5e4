/** Only what mcp-hooks wrote into a client's settings is ours, to the character. Everything else belongs to the user, and stays. */
import { parse, stringify } from 'smol-toml';
import { describe, expect } from 'vitest';
import { nameOfClient } from '../../src/clients/registry.ts';
import { CLIENTS, type ClientUnderTest, COMMITTED, manifest } from '../support/hooks.ts';
import type { World } from '../support/world.ts';
import { attack } from './attack.ts';

interface Group {
  readonly hooks: readonly Record<string, unknown>[];
}

/** The groups of the client's event, after a change if one is given. */
async function groups(
  world: World,
  { config, event }: ClientUnderTest,
  change?: (groups: Group[]) => Group[],
): Promise<readonly Group[]> {
  const text = await world.read(config);
  const isToml = config.endsWith('.toml');
  const settings: { hooks?: Record<string, Group[]> } = isToml ? parse(text) : JSON.parse(text);
  const found = settings.hooks?.[event] ?? [];
  if (!change) return found;
  const hooks = { ...settings.hooks, [event]: change(found) };
  const next = { ...settings, hooks };
  await world.write(config, isToml ? stringify(next) : JSON.stringify(next));
  return hooks[event] ?? [];
}

async function install(world: World): Promise<void> {
  for (const { config } of CLIENTS) await world.write(config, config.endsWith('.toml') ? '' : '{}');
  await world.write('annal.json', manifest(COMMITTED));
  await world.run('install annal.json --yes');
}

/** A change to our only group, given our command and the path of our runner. */
type Alter = (ours: Group, command: string, runner: string) => Group[];

/** Alters our entry in every client. The user's part has to survive an install and an uninstall. */
async function survives(world: World, alter: Alter): Promise<void> {
  for (const record of ['there', 'lost']) {
    await install(world);
    const kept = new Map<ClientUnderTest, readonly Group[]>();
    for (const client of CLIENTS) {
      const runner = world.path(`~/.mcp-hooks/servers/annal/${client.id}.${client.event}.sh`);
      const altered = await groups(world, client, ([ours = { hooks: [] }]) =>
        alter(ours, String(ours.hooks[0]?.command), runner),
      );
      const theirs = altered.filter((group) => JSON.stringify(group).includes('notify'));
      expect(theirs).toHaveLength(1);
      kept.set(client, theirs);
    }
    if (record === 'lost') await world.remove('~/.mcp-hooks/ledger.json');
    const { out } = await world.run('install annal.json --yes');
    for (const { id } of CLIENTS) expect(leftIn(out)).toContain(nameOfClient(id));
    // Clients with the same message share a warning.
    const said = leftIn(out)
      .split('\n')
      .map((one) => one.replace(/^warning: [^:]*: /, ''));
    expect(said).toEqual([...new Set(said)]);
    for (const [client, theirs] of kept)
      expect(await groups(world, client)).toEqual(expect.arrayContaining([...theirs]));
    await world.run('uninstall annal --yes');
    for (const [client, theirs] of kept)
      expect((await groups(world, client)).filter(({ hooks }) => hooks.length > 0)).toEqual(theirs);
  }
}

/** The warnings about hooks that are left unchanged. */
const leftIn = (out: string): string =>
  (out.replace(/\s+/g, ' ').match(/warning: [^:]*: [^.]*; left unchanged\./g) ?? []).join('\n');

const runs = (command: string) => ({ hooks: [{ type: 'command', command }] });

describe.concurrent('a hook of the user', () => {
  attack('a hook that only names our runner is not taken for ours', async ({ world }) => {
    await survives(world, (ours, _, runner) => [ours, runs(`notify "$(wc -c < ${runner})"`)]);
  });

  attack('a hook that goes on after our command stays', async ({ world }) => {
    await survives(world, (_, command) => [runs(`${command}\nnotify`)]);
  });

  attack('a hook that runs something before our command stays', async ({ world }) => {
    await survives(world, (_, command) => [runs(`notify; ${command}`)]);
  });

  attack('a hook with our command in a comment stays', async ({ world }) => {
    await survives(world, (_, command) => [runs(`notify # ${command}`)]);
  });

  attack('a hook beside ours in one group stays', async ({ world, expect }) => {
    const notify = runs('notify').hooks;
    for (const record of ['there', 'lost']) {
      await install(world);
      const before = new Map<ClientUnderTest, Group | undefined>();
      for (const client of CLIENTS) {
        const [ours] = await groups(world, client);
        before.set(client, ours);
        await groups(world, client, ([ours]) => [
          { ...ours, hooks: [...(ours?.hooks ?? []), ...notify] },
        ]);
      }
      if (record === 'lost') await world.remove('~/.mcp-hooks/ledger.json');
      const { out } = await world.run('install annal.json --yes');
      // In Codex, the user's hook would move, and need to be trusted again.
      expect(leftIn(out).match(/left unchanged/g)).toHaveLength(1);
      await world.run('uninstall annal --yes');
      for (const [client, ours] of before) {
        const hooks = client.id === 'codex' ? [...(ours?.hooks ?? []), ...notify] : notify;
        expect(await groups(world, client)).toEqual([{ ...ours, hooks }]);
      }
    }
  });

  attack('a command for Windows beside ours stays', async ({ world }) => {
    await survives(world, (ours) => [
      { ...ours, hooks: ours.hooks.map((hook) => ({ ...hook, commandWindows: 'notify' })) },
    ]);
  });

  attack('an entry with a command before ours is called altered', async ({ world }) => {
    await install(world);
    for (const client of CLIENTS)
      await groups(world, client, ([ours]) => [runs(`notify; ${ours?.hooks[0]?.command}`)]);
    for (const line of ['list', 'doctor']) {
      const { out } = await world.run(line);
      const said = out.replace(/\s+/g, ' ').match(/was edited; left unchanged/g);
      expect(said).toHaveLength(3);
    }
  });
});
