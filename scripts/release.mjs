// `npm run release`: checks what a release needs, packs it, and publishes the packed file with provenance. Only the workflow of
// a tag may publish, because npm attests where a package was built only there. `npm run release -- --dry-run` does all of it
// except publishing. `--checked` is for a workflow in which `.ci/run` has passed already.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formula, schemaStoreEntry, scoopManifest, sha256 } from './release/channels.mjs';
import { notesOf } from './release/notes.mjs';
import { faultsOf } from './release/packed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: flags } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, checked: { type: 'boolean' } },
});
const isDry = flags['dry-run'] === true;

const say = (text) => console.log(text);
function stop(text) {
  console.error(text);
  process.exit(1);
}
const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const read = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
/** Starts npm, which is a script on Windows. */
const npm = (args, options) =>
  execFileSync('npm', args, {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    ...{ shell: process.platform === 'win32', ...options },
  });

const pkg = json('package.json');
const { version } = pkg;
const tag = `v${version}`;

if (read('git', 'status', '--porcelain') !== '') stop('The work tree has changes. Commit them.');
if (json('package-lock.json').version !== version)
  stop(`package-lock.json is not of version ${version}. Run npm install.`);
const tagged = read('git', 'tag', '--list', tag) !== '';
const isHere = read('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag);
if (tagged && !isHere) stop(`${tag} is the tag of another commit. Set the next version.`);
if (!isDry && (!isHere || process.env.GITHUB_REF_NAME !== tag))
  stop(`Only the workflow of the tag ${tag} publishes. Push the tag, or add --dry-run.`);
say(`Version ${version}, tag ${tag}: ${isHere ? 'of this commit' : 'not used yet'}.`);

const { notes, isDated } = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (notes === '') stop(`CHANGELOG.md has nothing about ${version}.`);
if (!isDated && !isDry) stop(`CHANGELOG.md needs a heading "## ${version} - <date>".`);
const lines = notes.split('\n').length;
say(
  isDated
    ? `Notes: ${lines} lines of CHANGELOG.md.`
    : `Notes: ${lines} lines of CHANGELOG.md, still under "Unreleased".`,
);

if (flags.checked) say('Checks: passed before.');
else execFileSync('bash', ['.ci/run'], { cwd: root, stdio: 'inherit' });

const out = join(root, 'release');
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', out]));
const tarball = join(out, packed.filename);
const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-release-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(['install', tarball, '--offline', '--no-audit', '--no-fund'], { cwd: folder });
  const installed = join(folder, 'node_modules', pkg.name);
  const faults = faultsOf(packed, installed);
  if (faults.length > 0) stop(faults.join('\n'));
  const command = join(installed, pkg.bin[pkg.name]);
  const printed = read(process.execPath, command, '--version');
  if (printed !== version) stop(`The installed command prints ${printed} for its version.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
say(`Packed: ${packed.filename}, ${packed.size} bytes, ${packed.entryCount} files. It runs.`);

const sum = sha256(readFileSync(tarball));
const files = {
  'notes.md': `${notes}\n`,
  [`${pkg.name}.rb`]: formula(pkg, sum),
  [`${pkg.name}.json`]: `${JSON.stringify(scoopManifest(pkg, sum), null, 4)}\n`,
  'schemastore.json': `${JSON.stringify(schemaStoreEntry(json('schema/manifest.json')), null, 2)}\n`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
const ruby = spawnSync('ruby', ['-c', join(out, `${pkg.name}.rb`)], { encoding: 'utf8' });
if (ruby.status !== null && ruby.status !== 0) stop(ruby.stderr);
const checked = ruby.status === 0 ? 'Ruby reads it' : 'no Ruby here to check it';
say(`For Homebrew: release/${pkg.name}.rb (${checked}). For Scoop: release/${pkg.name}.json.`);
say('For SchemaStore: release/schemastore.json.');

const publish = ['publish', tarball, '--access=public', '--provenance'];
say(`npm ${publish.join(' ').replace(root, '')}${isDry ? ' --dry-run' : ''}`);
npm([...publish, ...(isDry ? ['--dry-run'] : [])], { stdio: ['ignore', 'ignore', 'inherit'] });
say(
  isDry
    ? `Nothing is published. To release: git tag ${tag} && git push origin ${tag}`
    : `Published ${version}.`,
);
