/**
 * Loads main.cjs and the files that it shares, with V8's compiled code from an earlier run, because compiling is most of the
 * startup time. The compiled code is stored next to main.cjs if that folder is writable, in one file per command, and is never
 * part of the package. V8 rejects it for another version or other flags, and its file name changes with the bundle.
 */
'use strict';
const {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { join, sep } = require('node:path');
const { Script } = require('node:vm');

const MAIN = 'main.cjs';
/** Relative to the folder of the bundles. */
const TEMPLATES = 'templates/';
/** Bundles and runner files that most commands need. All others are loaded by Node. */
const FILES = [
  ...[MAIN, 'helpers.cjs', 'schema.cjs', 'zod.cjs'],
  ...[
    'configured',
    'files',
    'json',
    'lock',
    'runner',
    'secrets',
    'steering',
    'values',
    'words',
  ].map((name) => `${TEMPLATES}${name}.cjs`),
];

/** Returns the exports of main.cjs and `keep`, which stores the code that V8 has compiled by then for a command. */
function start(folder, command) {
  const { size, mtimeMs } = statSync(join(folder, MAIN));
  const { version, versions, arch } = process;
  const name = [
    command,
    version,
    versions.v8,
    arch,
    size.toString(36),
    Math.trunc(mtimeMs).toString(36),
  ];
  const compiled = join(folder, `${name.join('-')}.bin`);
  const known = existsSync(compiled);

  const script = new Script(sourceOf(folder), {
    filename: MAIN,
    cachedData: known ? readFileSync(compiled) : undefined,
  });
  const functions = script.runInThisContext();
  /** `require` for a file in one of the two folders. */
  const loading = (from) => (path) => {
    const file = path.startsWith('./') ? from + path.slice('./'.length) : path;
    const index = FILES.indexOf(file);
    if (index === -1) return require(file.startsWith(TEMPLATES) ? join(folder, file) : path);
    const isBeside = !file.startsWith(TEMPLATES);
    const its = isBeside ? folder : join(folder, 'templates');
    const whole = its + sep + (isBeside ? file : file.slice(TEMPLATES.length));
    // Node's own cache, so that files loaded later share the same module.
    const loaded = require.cache[whole];
    if (loaded) return loaded.exports;
    const made = new module.constructor(whole);
    require.cache[whole] = made;
    functions[index](made.exports, loading(isBeside ? '' : TEMPLATES), made, whole, its);
    return made.exports;
  };
  return { ...loading('')(`./${MAIN}`), keep: () => known || keep(compiled, script) };
}

/** All files as one script, because V8 caches the code of each script separately: a list of CommonJS wrapper functions. */
function sourceOf(folder) {
  const open = FILES.map((file) => openSync(`${folder}/${file}`));
  const sizes = open.map((file) => fstatSync(file).size);
  // All files are read into one buffer and converted to a string once, because each copy of a megabyte takes time.
  const [start, end] = ['(function(exports,require,module,__filename,__dirname){', '\n}),'];
  const between = start.length + end.length;
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((all, size) => all + size + between, 2));
  let at = bytes.write('[');
  open.forEach((file, index) => {
    at += bytes.write(start, at);
    at += readSync(file, bytes, at, sizes[index]);
    at += bytes.write(end, at);
    closeSync(file);
  });
  bytes.write(']', at);
  return bytes.latin1Slice();
}

/** Best effort. The file is either complete or absent. */
function keep(compiled, script) {
  try {
    const temporary = `${compiled}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o644 }); // the file is executed
    renameSync(temporary, compiled);
  } catch {} // the folder is not ours
}

module.exports = { start };
