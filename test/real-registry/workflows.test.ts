// The files that GitHub reads. Without these tests, a mistake in them would show only on GitHub.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import own from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const FILES = [
  'action.yml',
  ...['.github/workflows', '.github/ISSUE_TEMPLATE'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  ),
];

function read(file: string): unknown {
  const document = parseDocument(readFileSync(join(ROOT, file), 'utf8'));
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

/** The values of a key at any depth. */
const valuesOf = (value: unknown, key: string): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) =>
        name === key ? [one, ...valuesOf(one, key)] : valuesOf(one, key),
      )
    : [];

describe.each(FILES)('%s', (file) => {
  test("is valid YAML, and runs only existing scripts and GitHub's own actions", () => {
    const value = read(file);
    for (const command of valuesOf(value, 'run')) {
      // An expression would put its text into the script, even text written by an attacker.
      expect(command).not.toContain('${{');
      for (const [, name = ''] of String(command).matchAll(/\bnpm run ([\w:]+)/g))
        expect(own.scripts).toHaveProperty([name]);
    }
    for (const name of valuesOf(value, 'script').flat())
      expect(own.scripts).toHaveProperty([String(name)]);
    for (const used of valuesOf(value, 'uses').map(String))
      if (used.startsWith('./')) expect(existsSync(join(ROOT, used))).toBe(true);
      else expect(used).toMatch(/^(?:actions|github)\/[\w/-]+@v\d+$/);
  });
});

test('every system runs the oldest supported Node, and the later ones; Wine and other shells run, too', () => {
  expect(valuesOf(read('.github/workflows/ci.yml'), 'matrix')).toEqual([
    {
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: [own.engines.node.replace('>=', ''), '22', '24'],
    },
    { script: ['test:windows', 'test:portable'] },
  ]);
});

test('the site is built for the path at which GitHub Pages serves it', () => {
  const name = own.repository.url.replace(/^.*\/|\.git$/g, '');
  const script = readFileSync(join(ROOT, 'site/deploy.sh'), 'utf8');
  expect(script).toContain(`MCP_HOOKS_SITE_BASE=\${2:-/${name}/}`);
  const ran = valuesOf(read('.github/workflows/site.yml'), 'run');
  expect(ran).toEqual(['npm ci', 'bash site/deploy.sh origin']);
});

/** The jobs that may do more than read. A job's permissions replace those of its workflow, and a checkout has to read. */
const WRITERS: Readonly<Record<string, object>> = {
  'release.yml publish': { contents: 'read', 'id-token': 'write' },
  'release.yml notes': { contents: 'write' },
  'site.yml deploy': { contents: 'write' },
};

test('every workflow may only read, except for the jobs that publish', () => {
  const workflows = FILES.filter((file) => file.includes('/workflows/'));
  const own = workflows.flatMap((file) => {
    const { permissions, jobs } = read(file) as {
      permissions: unknown;
      jobs: Record<string, { permissions?: object }>;
    };
    expect([file, permissions]).toEqual([file, { contents: 'read' }]);
    return Object.entries(jobs).flatMap(([name, job]) =>
      job.permissions ? [[`${file.replace(/.*\//, '')} ${name}`, job.permissions] as const] : [],
    );
  });
  expect(Object.fromEntries(own)).toEqual(WRITERS);
});

test('only one step has the npm token, in a job that installs nothing and gets the packed file by its digest', () => {
  const jobs = read('.github/workflows/release.yml') as {
    jobs: Record<string, { steps?: { run?: string; env?: Record<string, string> }[] }>;
  };
  const all = Object.entries(jobs.jobs).filter(([, job]) =>
    JSON.stringify(job).includes('NPM_TOKEN'),
  );
  expect(all.map(([name]) => name)).toEqual(['publish']);
  const runs = all.flatMap(([, { steps = [] }]) => steps.filter(({ run }) => run !== undefined));
  expect(runs).toEqual([
    {
      run: 'node scripts/release.mjs --publish "$SHA256"',
      env: {
        SHA256: expect.stringContaining('needs.pack.outputs.sha256'),
        NODE_AUTH_TOKEN: expect.stringContaining('secrets.NPM_TOKEN'),
      },
    },
  ]);
});
