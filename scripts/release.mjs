// `npm run release`: checks what a release needs and packs it into `release/`. `--checked` is for a workflow in which `.ci/run`
// has passed already. `-- --publish <sha256>` publishes the packed file with that digest, with provenance; if npm has it already,
// because a run broke off after that, it goes on. Only the workflow of a tag may do either, because npm attests where a package
// was built only there. `-- --dry-run` packs anywhere, and does all of the publishing except for the last step.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  formula,
  integrityOf,
  schemaStoreEntry,
  scoopManifest,
  sha256,
} from './release/channels.mjs';
import { notesOf } from './release/notes.mjs';
import { faultsOf } from './release/packed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: flags } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    checked: { type: 'boolean' },
    publish: { type: 'string' },
  },
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
const out = join(root, 'release');

if (read('git', 'status', '--porcelain') !== '') stop('The work tree has changes. Commit them.');
if (json('package-lock.json').version !== version)
  stop(`package-lock.json is not of version ${version}. Run npm install.`);
const tagged = read('git', 'tag', '--list', tag) !== '';
const isHere = read('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag);
if (tagged && !isHere) stop(`${tag} is the tag of another commit. Set the next version.`);
if (!isDry && (!isHere || process.env.GITHUB_REF_NAME !== tag))
  stop(`Only the workflow of the tag ${tag} publishes. Push the tag, or add --dry-run.`);
say(`Version ${version}, tag ${tag}: ${isHere ? 'of this commit' : 'not used yet'}.`);

const publishing = (file) => ['publish', file, '--access=public', '--provenance'];

if (flags.publish !== undefined) {
  publish(join(out, `${pkg.name}-${version}.tgz`), flags.publish);
  process.exit(0);
}

/** @param sum The digest of the file that a job without npm's token has packed and checked. */
function publish(file, sum) {
  if (!existsSync(file)) stop(`There is no ${file.replace(root, '')}.`);
  const bytes = readFileSync(file);
  if (sha256(bytes) !== sum)
    stop(`${file.replace(root, '')} has the digest ${sha256(bytes)}, and should have ${sum}.`);
  const there = publishedAs(`${pkg.name}@${version}`);
  if (there === integrityOf(bytes)) return say(`npm has this file as ${version} already.`);
  if (there !== undefined)
    stop(`npm has another file as ${version}, with ${there}. Set the next version.`);
  npm(publishing(file), { stdio: ['ignore', 'ignore', 'inherit'] });
  say(`Published ${version}.`);
}

/** The digest of a version's file on npm; undefined if npm does not have the version. */
function publishedAs(spec) {
  const words = ['view', spec, 'dist.integrity', '--json', '--prefer-online'];
  const { stdout, status } = spawnSync('npm', words, {
    ...{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  });
  const answer = stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (status === 0) return answer;
  if (answer?.error?.code === 'E404') return undefined;
  return stop(`npm does not say whether ${spec} is published: ${answer?.error?.summary ?? stdout}`);
}

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

const words = publishing(tarball);
say(`npm ${words.join(' ').replace(root, '')}${isDry ? ' --dry-run' : ''}`);
if (isDry) npm([...words, '--dry-run'], { stdio: ['ignore', 'ignore', 'inherit'] });
say(
  isDry
    ? `Nothing is published. To release: git tag ${tag} && git push origin ${tag}`
    : `To publish: npm run release -- --publish ${sum}`,
);
