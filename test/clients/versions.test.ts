// A client that is older than our minimum for it causes a warning, and the same files are written. No client is started: its
// version is in the package around it. For the real versions: npm run test:versions.
import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { CLIENTS as ALL, findClient } from '../../src/clients/registry.ts';
import { manifest } from '../support/hooks.ts';
import { each, IDS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';
import { expected } from './expectations.ts';

type Versions = Readonly<Record<string, string>>;

const CLIENTS = ALL.filter(({ minimum }) => minimum !== null);

/** Real versions, each the last one before the minimum. */
const BEFORE: Versions = each((id) => expected[id].tooOld);
const AT_LEAST: Versions = Object.fromEntries(CLIENTS.map((one) => [one.id, one.minimum ?? '']));

/** The client as npm installs it: an executable that is a link into its package. A start of it leaves a trace. */
async function put(world: World, versions: Versions): Promise<void> {
  for (const { id, executable, npmPackage } of CLIENTS) {
    const version = versions[id];
    if (version === undefined) continue;
    const folder = `../lib/${npmPackage}`;
    const started = world.path('../started');
    await world.write(`${folder}/bin/x`, `#!/bin/sh\necho ${id} >> '${started}'\nexit 1\n`, 0o755);
    await world.write(`${folder}/package.json`, JSON.stringify({ name: npmPackage, version }));
    await world.remove(`../bin/${executable}`);
    await world.link(`../bin/${executable}`, `${folder}/bin/x`);
  }
  const hook = { event: 'session_start', context: 'AT-START', priority: 'important' };
  await world.write('annal.json', manifest(hook));
}

interface Plan {
  readonly clients: readonly { readonly version: string; readonly warning?: string }[];
}

async function plan(world: World, versions: Versions): Promise<Plan['clients']> {
  await put(world, versions);
  const ids = Object.keys(versions).join(',');
  const { out, err } = await world.run(`diff annal.json --client ${ids} --json`);
  expect(err).toBe('');
  return (JSON.parse(out) as Plan).clients;
}

const withoutVersion = ({ version: _, warning: _w, ...rest }: Plan['clients'][number]) => rest;

describe('a client before its minimum', () => {
  test('gets the same entries as any other, and a warning', async ({ world }) => {
    const [old, young] = [await plan(world, BEFORE), await plan(world, AT_LEAST)];
    expect(old.map(withoutVersion)).toEqual(young.map(withoutVersion));
    expect(young.map(({ warning }) => warning)).toEqual(CLIENTS.map(() => undefined));
    expect(old.map(({ warning }) => warning)).toEqual(
      CLIENTS.map(
        ({ id, name, minimum, npmPackage }) =>
          `${name} ${BEFORE[id]} is too old: before ${minimum}, hooks may not fire, or not as shown here. Update it: npm install --global ${npmPackage}@latest`,
      ),
    );
    expect(existsSync(world.path('../started'))).toBe(false);
  });

  test.for(Object.keys(BEFORE))(
    'install of %s warns once; --strict refuses',
    async (id, { world }) => {
      const client = findClient(id);
      await put(world, BEFORE);
      const strict = await world.run(`install annal.json --client ${id} --yes --strict`);
      expect(strict.code).toBe(2);
      expect(strict.err.replace(/\s+/g, ' ')).toContain(
        `--strict: ${client?.name} ${BEFORE[id]} is too old, and ${client?.minimum} or newer is needed.`,
      );
      expect(existsSync(world.path('~/.mcp-hooks'))).toBe(false);
      const { code, out } = await world.run(`install annal.json --client ${id} --yes`);
      expect([code, out.split(`${client?.name} ${BEFORE[id]} is too old`).length - 1]).toEqual([
        0, 1,
      ]);
      expect(out.replace(/\s+/g, ' ')).toContain(
        `npm install --global ${client?.npmPackage}@latest`,
      );
      await world.run('uninstall --all --yes');
      await put(world, AT_LEAST);
      const young = await world.run(`install annal.json --client ${id} --yes`);
      expect(young.out).not.toContain('too old');
    },
  );

  test('doctor, list and verify report it until it is updated', async ({ world }) => {
    await put(world, BEFORE);
    await world.run(`install annal.json --client ${IDS} --yes`);
    const about = async () => {
      const { code, out } = await world.run('doctor --json');
      const {
        findings,
      }: { findings: { check: string; level: string; what: string; todo: string }[] } =
        JSON.parse(out);
      const found = findings.filter(
        ({ check, level }) => check === 'client-version' && level !== 'ok' && level !== 'info',
      );
      return { code, said: found.map(({ level, what, todo }) => `${level}: ${what}. ${todo}`) };
    };
    expect(await about()).toEqual({
      code: 1,
      said: CLIENTS.map(
        ({ id, minimum, npmPackage }) =>
          `error: it is ${BEFORE[id]}, which is too old for our hooks. ${minimum} or newer is needed: npm install --global ${npmPackage}@latest`,
      ),
    });
    expect((await world.run('list')).out).toContain('does not fire: this version is too old');
    expect((await world.run('verify --client claude-code')).code).toBe(1);
    await put(world, AT_LEAST);
    expect((await about()).said).toEqual([]);
    expect((await world.run('verify --client claude-code')).code).toBe(0);
  });
});
