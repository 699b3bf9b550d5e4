/** A project's settings are inside the project: a link in a clone must not make us read or write elsewhere. */
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, type ExpectStatic } from 'vitest';
import { CLIENTS, SERVER_CLIENTS } from '../../src/clients/registry.ts';
import { isInside, replace } from '../../src/system/files.ts';
import { type ClientId, clientOf } from '../support/runner/clients.ts';
import type { Ran, World } from '../support/world.ts';
import { attack } from './attack.ts';

/** Every JSON file in which a client keeps a project's MCP servers, relative to the project. */
const SERVER_FILES = (cwd: string): string[] => {
  const at = { env: {}, home: '/nowhere', cwd, platform: process.platform };
  const files = SERVER_CLIENTS.flatMap((client) => client.files(at));
  const json = files.filter(({ path, format }) => format === 'json' && isInside(path, cwd));
  return [...new Set(json.map(({ path }) => relative(cwd, path)))];
};

/** Every settings file of every client in a project, with its scope. */
const FILES = CLIENTS.flatMap(({ id, placement }) =>
  placement.kind === 'own-file'
    ? [
        [
          id as ClientId,
          `${placement.folder.name}/${placement.folder.fileOf('notes')}`,
          'project',
        ] as const,
      ]
    : (['project', 'local'] as const).flatMap((scope) =>
        (placement.files[scope] ?? []).map(({ name }) => [id as ClientId, name, scope] as const),
      ),
);
const folderOf = (id: ClientId): string => clientOf(id).projectFolder;
/** The scopes that have files in a project. */
const SCOPES = ['project', 'local'];

const MANIFEST = JSON.stringify({
  hooks: { declarations: [{ event: 'pre_request', context: 'Hi.', priority: 'suggestion' }] },
});
const SECRET = 's3cr3t-of-ann';
/** The user's own settings, with something private in them. */
const mine = (name: string): string =>
  name.endsWith('.toml')
    ? `[mcp_servers.x]\ncommand = "${SECRET}"\n[[hooks.Stop]]\nhooks = []\n`
    : JSON.stringify({ mine: SECRET, hooks: { Stop: [] } }, null, 1);

async function project(world: World, command = 'install notes.json', ...flags: string[]) {
  await world.write('notes.json', MANIFEST);
  return world.run([...command.split(' '), '--scope', 'project', '--yes', ...flags]);
}

const into = (world: World, scope: string, id: ClientId) =>
  project(world, 'install notes.json', '--client', id, '--scope', scope);

/** Makes a link in the project. Its target is used as given, and need not exist. */
async function linked(world: World, name: string, target: string): Promise<void> {
  await mkdir(dirname(world.path(name)), { recursive: true });
  await symlink(target, world.path(name));
}

const expectRefused = (expect: ExpectStatic, { code, out, err }: Ran, name: string) => {
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('Nothing was') });
  const said = out.replace(/\s+/g, ' ');
  expect(said).toContain('outside the project');
  expect(said).toContain(name);
  expect(out).not.toContain(SECRET);
};

/** Hidden ways out of the project. */
const WAYS: Record<string, (world: World) => Promise<void>> = {
  'a chain of links, of which the last leads out': async (world) => {
    await linked(world, '.claude/settings.json', '../one.json');
    await linked(world, 'one.json', 'sub/two.json');
    await linked(world, 'sub/two.json', join(world.home, '.claude/settings.json'));
  },
  'a folder within the project that is a link out of it': async (world) => {
    await linked(world, 'sub', world.home);
    await linked(world, '.claude', 'sub/.claude');
  },
  'a relative link with enough dots': (world) =>
    linked(world, '.claude/settings.json', '../../home/ann/.claude/settings.json'),
  'dots behind a folder that is a link': async (world) => {
    await linked(world, 'sub', join(world.home, 'x'));
    await mkdir(world.path('~/x'), { recursive: true });
    await linked(world, '.claude/settings.json', '../sub/../.claude/settings.json');
  },
  'a project whose name is only the beginning of the other one': async (world) => {
    await mkdir(`${world.work}-two`);
    await linked(world, '.claude', `${world.work}-two`);
  },
};

describe('a link in a clone', () => {
  attack("a link to the user's own settings is refused", async ({ make, expect }) => {
    for (const [id, file, scope] of FILES) {
      const [world, name] = [await make(), `${folderOf(id)}/${file}`];
      await world.write(`~/${name}`, mine(file));
      await world.link(name, `~/${name}`);
      const before = await world.stamps('~');
      expectRefused(expect, await into(world, scope, id), name);
      expect(await world.stamps('~')).toEqual(before);
    }
  });

  attack('no file and no folder is made through a dangling link', async ({ make, expect }) => {
    for (const [id, file, scope] of FILES) {
      const [world, name] = [await make(), `${folderOf(id)}/${file}`];
      await linked(world, name, join(world.root, 'far', 'away', file));
      expectRefused(expect, await into(world, scope, id), name);
      expect(existsSync(join(world.root, 'far'))).toBe(false);
    }
  });

  attack(
    'a settings folder that is a link out of the project is refused',
    async ({ make, expect }) => {
      for (const [id, file, scope] of FILES) {
        const world = await make();
        await world.write(`~/elsewhere/${file}`, mine(file));
        await world.link(folderOf(id), '~/elsewhere');
        const before = await world.stamps('~');
        expectRefused(expect, await into(world, scope, id), folderOf(id));
        expect(await world.stamps('~')).toEqual(before);
      }
    },
  );

  attack(
    'chains of links, links in the middle and dots do not lead out of the project',
    async ({ make, expect }) => {
      for (const lead of Object.values(WAYS)) {
        const world = await make();
        await world.write('~/.claude/settings.json', mine('settings.json'));
        await lead(world);
        const before = await world.stamps('~');
        const ran = await project(world, 'install notes.json', '--client', 'claude-code');
        expectRefused(expect, ran, '.claude');
        expect(await world.stamps('~')).toEqual(before);
        expect(existsSync(`${world.work}-two/settings.json`)).toBe(false);
      }
    },
  );

  attack(
    'a link from a project above the home into the home is refused',
    async ({ world, expect }) => {
      await world.write('~/.claude/settings.json', mine('settings.json'));
      const above = dirname(world.home);
      await symlink('ann/.claude', join(above, '.claude'));
      await world.write('notes.json', MANIFEST);
      const ran = await world.run(
        [
          'install',
          world.path('notes.json'),
          ...'--scope project --yes --client claude'.split(' '),
        ],
        { cwd: above },
      );
      expectRefused(expect, ran, '.claude');
      expect(await world.read('~/.claude/settings.json')).toBe(mine('settings.json'));
    },
  );
});

describe('every command', () => {
  const fileOf = (scope: string) => (scope === 'local' ? 'settings.local.json' : 'settings.json');
  const swap = async (world: World, scope: string) => {
    await into(world, scope, 'claude-code');
    await world.write(`~/.claude/${fileOf(scope)}`, mine('settings.json'));
    renameSync(world.path('.claude'), world.path('.claude-before'));
    await world.link('.claude', '~/.claude');
  };

  attack(
    'a diff, an update and an uninstall refuse a settings folder that became a link',
    async ({ make, expect }) => {
      for (const scope of SCOPES) {
        const world = await make();
        await swap(world, scope);
        const before = await world.stamps('~');
        for (const line of ['diff notes', 'diff notes.json', 'update notes', 'uninstall notes']) {
          const flags = ['--scope', scope, ...(line.startsWith('diff') ? [] : ['--yes'])];
          const { code, out } = await world.run([...line.split(' '), ...flags]);
          expect(code).toBe(2);
          expect(out.replace(/\s+/g, ' ')).toContain('outside the project');
          expect(out).not.toContain(SECRET);
          expect(await world.stamps('~')).toEqual(before);
        }
      }
    },
  );

  attack(
    'hooks of files that a project only links to are not fired',
    async ({ make, trap, expect }) => {
      for (const scope of SCOPES) {
        const world = await make();
        await swap(world, scope);
        // The same entry, behind a link of the project.
        const entry = await world.read(`.claude-before/${fileOf(scope)}`);
        const altered = entry.replace('EXIT; ', `EXIT; ${trap.shell('it')}; `);
        expect(altered).not.toBe(entry);
        await world.write(`~/.claude/${fileOf(scope)}`, altered);
        for (const line of ['fire notes pre_request', 'verify notes']) {
          const { out } = await world.run(`${line} --scope ${scope}`, {
            env: { PATH: process.env.PATH },
          });
          expect(out.replace(/\s+/g, ' ')).toContain('outside the project');
        }
        expect((await world.run(`verify notes --scope ${scope}`)).code).toBe(1);
        const { out } = await world.run('doctor');
        expect(out.replace(/\s+/g, ' ')).toContain('outside the project');
        expect((await world.run('list')).out).toContain('outside the project');
      }
      expect(trap.sprung()).toEqual([]);
    },
  );

  attack(
    'doctor does not show what is in a file that a clone links to',
    async ({ make, expect }) => {
      const word = 'hersalone';
      for (const text of [
        `{ "token": ${word} }`,
        `${word} = 1`,
        JSON.stringify({ model: 3, modelOverrides: { [word]: 3 } }),
        JSON.stringify({ hooks: { [word]: [{ hooks: [{ type: word }] }] } }),
        JSON.stringify({ [word]: { hooks: [{ type: 'command', command: word }] } }),
      ]) {
        const world = await make();
        await world.folder('~/.claude');
        await project(world, 'install notes.json', '--scope', 'user');
        await world.write('~/.config/token', text);
        await linked(world, '.claude/settings.local.json', world.path('~/.config/token'));
        for (const line of ['doctor', 'doctor --json', 'verify', 'list --json']) {
          const { out, err } = await world.run(line);
          expect(out + err).not.toMatch(/hersalone|modelOverrides/);
        }
        const words = (await world.run('doctor')).out.replace(/\s+/g, ' ');
        if (text.includes('hooks')) continue;
        expect(words).toContain('outside the project');
        expect(words).toMatch(
          /Until you replace the link, mcp-hooks looks for no hooks behind it, and cannot tell whether [\w ]+ follows it\./,
        );
      }
    },
  );

  attack(
    "the user's own servers are not read through a link in a clone",
    async ({ make, expect }) => {
      const servers = { mine: { command: 'npx', args: ['mine', '--token', SECRET] } };
      for (const text of [
        JSON.stringify({ mcpServers: servers, servers }),
        '{ "mcpServers": hersalone }',
      ]) {
        const world = await make();
        await world.folder('.git');
        await world.write('~/dotfiles/mcp.json', text);
        const files = SERVER_FILES(world.path('.'));
        for (const file of files) await linked(world, file, world.path('~/dotfiles/mcp.json'));
        for (const line of ['scan', 'scan --json', 'install mine', 'install other']) {
          const { out, err } = await world.run(line);
          expect(out + err).not.toMatch(/s3cr3t|hersalone/);
          if (line === 'scan --json')
            expect(out.split('a symbolic link points outside the project').length - 1).toBe(
              files.length,
            );
        }
      }
    },
  );

  attack(
    'a link that appears between the plan and the write is not followed',
    ({ world, expect }) => {
      const path = join(world.work, 'settings.json');
      const bytes = Buffer.from('{}');
      symlinkSync(join(world.home, 'settings.json'), path);
      expect(() => replace(path, null, bytes, 0o600, world.work)).toThrow('changed-meanwhile');
      writeFileSync(join(world.home, 'settings.json'), bytes);
      expect(() => replace(path, bytes, null, 0o600, world.work)).toThrow('changed-meanwhile');
      expect(readFileSync(join(world.home, 'settings.json'), 'utf8')).toBe('{}');
    },
  );
});

describe('hard links, and links that are allowed', () => {
  attack("a hard link to the user's own file is refused", async ({ world, expect }) => {
    await world.write('~/.claude/settings.json', mine('settings.json'));
    await mkdir(world.path('.claude'));
    await link(world.path('~/.claude/settings.json'), world.path('.claude/settings.json'));
    const { code, out } = await project(world, 'install notes.json', '--client', 'claude-code');
    expect(code).toBe(2);
    expect(out).toContain('hard link');
    expect(out).not.toContain(SECRET);
    expect(await world.read('~/.claude/settings.json')).toBe(mine('settings.json'));
  });

  attack('links that stay within the project are followed', async ({ world, expect }) => {
    await linked(world, '.claude', 'config/claude');
    await world.folder('config/claude');
    const { code } = await project(world, 'install notes.json', '--client', 'claude-code');
    expect(code).toBe(0);
    expect(await world.read('config/claude/settings.json')).toContain('UserPromptSubmit');
  });

  attack(
    'a file of servers that is linked within the project is read',
    async ({ world, expect }) => {
      await world.folder('.git');
      await world.write(
        'config/mcp.json',
        JSON.stringify({ mcpServers: { ours: { command: 'x' } } }),
      );
      await linked(world, 'packages/one/.mcp.json', '../../config/mcp.json');
      const { out } = await world.run('scan', { cwd: world.path('packages/one') });
      expect(out).toContain('ours');
      expect(out).not.toContain('outside the project');
    },
  );

  attack('a project that is itself reached by a link is the project', async ({ world, expect }) => {
    await world.write('notes.json', MANIFEST);
    await world.link('~/desk', '.');
    const line = 'install notes.json --scope project --yes --client claude,codex,gemini';
    expect((await world.run(line, { cwd: world.path('~/desk') })).code).toBe(0);
    expect(await world.read('.claude/settings.json')).toContain('UserPromptSubmit');
  });

  attack('your own links may lead anywhere', async ({ world, expect }) => {
    await world.write('notes.json', MANIFEST);
    await world.link('~/.claude', 'dotfiles');
    expect((await world.run('install notes.json --yes --client claude')).code).toBe(0);
    expect(await world.read('dotfiles/settings.json')).toContain('UserPromptSubmit');
  });
});
