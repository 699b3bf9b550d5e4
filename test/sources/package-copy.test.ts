// Which commands can be replaced by a copy of their package, and which packages npm's record makes suitable for a copy.
import { expect, test } from 'vitest';
import { foundIn, npxStart } from '../../src/sources/npm/copy.ts';

test.each([
  [['npx', 'notes'], 'notes', 1],
  [['npx', '-y', '@acme/notes@1.2.3', '--db', 'x'], '@acme/notes@1.2.3', 2],
  [['/usr/bin/npx', '--yes', 'notes@next'], 'notes@next', 2],
  [['cmd', '/c', 'npx', '-y', 'notes'], 'notes', 4],
  [['C:\\node\\npx.cmd', '-y', 'notes'], 'notes', 2],
])('%j starts a package', ([command = '', ...args], spec, after) => {
  expect(npxStart({ command, args })).toMatchObject({ spec, after });
});

test.each([
  [['npx']],
  [['npx', '-y']],
  [['npx', '--package=notes', 'other']],
  [['npx', '-p', 'notes', 'other']],
  [['npx', '--registry', 'https://evil.example', 'notes']],
  [['npx', '-c', 'notes']],
  [['npx', './notes']],
  [['npx', 'github:acme/notes']],
  [['npx', 'https://evil.example/notes.tgz']],
  [['npx', 'notes@https://evil.example']],
  [['npx', '$' + '{PACKAGE}']],
  [['npx', '***']],
  [['npxx', 'notes']],
  [['./npx', 'notes']],
  [['tools/npx', 'notes']],
  [['uvx', 'notes']],
  [['node', 'npx', 'notes']],
  [['cmd', '/c', 'npx.evil', 'notes']],
])('%j is not replaced', ([command = '', ...args]) => {
  expect(npxStart({ command, args })).toBeUndefined();
});

test.each([
  [{ NPM_CONFIG_REGISTRY: 'https://evil.example' }],
  [{ HOME: '/srv/notes' }],
  [{ UserProfile: 'C:\\notes' }],
  [{ PREFIX: '/srv/notes' }],
])('a server with other settings of npm is not replaced: %j', (env) => {
  expect(npxStart({ command: 'npx', args: ['notes'], env })).toBeUndefined();
});

const CHECKED = { integrity: 'sha512-AAAA', resolved: 'https://npm.example/a.tgz' };
const lockOf = (own: object, others: object = {}) =>
  JSON.stringify({
    packages: {
      '': { dependencies: { notes: 'latest' } },
      'node_modules/notes': { version: '1.2.3', bin: { notes: 'cli.js' }, ...CHECKED, ...own },
      ...others,
    },
  });
const found = (own: object, others?: object) =>
  foundIn(lockOf(own, others), { name: 'notes', version: 'latest' });

test('the name of a copy depends on all packages in it', () => {
  const [one, other] = ['1.0.0', '1.0.1'].map((version) =>
    found({}, { 'node_modules/dep': { version, ...CHECKED } }),
  );
  expect(one).toMatchObject({ exact: 'notes@1.2.3', others: 1, made: { bin: 'notes/cli.js' } });
  expect(one?.folder).toMatch(/^notes-1\.2\.3-[0-9a-f]{12}$/);
  expect(other?.folder).not.toBe(one?.folder);
});

const foreign = process.platform === 'darwin' ? 'linux' : 'darwin';

test.each([
  ['an optional package for another system', { optional: true, os: [foreign] }],
  ['an optional package for all other systems', { optional: true, os: [`!${process.platform}`] }],
])('%s does not prevent a copy', (_, facts) => {
  const others = { 'node_modules/dep': { ...CHECKED, hasInstallScript: true, ...facts } };
  expect(found({}, others).exact).toBe('notes@1.2.3');
});

test.each([
  ['copy-needs-scripts', {}, { ...CHECKED, hasInstallScript: true }],
  ['copy-needs-scripts', {}, { ...CHECKED, hasInstallScript: true, optional: true }],
  ['copy-unchecked', {}, { resolved: 'git+ssh://git@evil.example/a.git', integrity: 'sha512-A' }],
  ['copy-unchecked', {}, { resolved: 'https://npm.example/a.tgz' }],
  ['copy-unchecked', {}, { ...CHECKED, integrity: 'sha1-AAAA' }],
  ['copy-unchecked', {}, { resolved: '../a', link: true }],
  ['copy-no-start', { bin: { notes: '../../../evil.js' } }, CHECKED],
  ['copy-no-start', { bin: { notes: '/evil.js' } }, CHECKED],
  ['copy-no-start', { bin: { notes: 'a\\..\\..\\..\\evil.js' } }, CHECKED],
  ['copy-no-start', { bin: { notes: 'C:evil.js' } }, CHECKED],
  ['copy-no-start', { bin: {} }, CHECKED],
  ['copy-no-start', { bin: { one: 'a.js', two: 'b.js' } }, CHECKED],
  ['npm-broken', { version: '../evil' }, CHECKED],
])('%s: %j, needing %j', (code, own, dep) => {
  expect(() => found(own, { 'node_modules/dep': dep })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code }) }),
  );
});
