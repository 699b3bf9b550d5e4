/**
 * Loads main.cjs, and what it shares with other files, with the code that V8 made of it in an earlier run: compiling is most of what
 * starting costs. That code is kept beside it when its folder can be written, for each command what it needs, and never
 * comes with the package. V8 refuses it for another version or other flags, and the file's name changes with the bundle.
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
/** From the folder of the bundles. */
const TEMPLATES = 'templates/';
/** What most commands need: of the bundles, and of the runner. Anything else is loaded in node's own way. */
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

/** What main.cjs exports, and `keep`, which writes what V8 has made of it by then for a command. */
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
  /** `require`, of a file in one of the two folders. */
  const loading = (from) => (path) => {
    const file = path.startsWith('./') ? from + path.slice('./'.length) : path;
    const index = FILES.indexOf(file);
    if (index === -1) return require(file.startsWith(TEMPLATES) ? join(folder, file) : path);
    const isBeside = !file.startsWith(TEMPLATES);
    const its = isBeside ? folder : join(folder, 'templates');
    const whole = its + sep + (isBeside ? file : file.slice(TEMPLATES.length));
    // Where node looks, too: what is loaded later gets the same.
    const loaded = require.cache[whole];
    if (loaded) return loaded.exports;
    const made = new module.constructor(whole);
    require.cache[whole] = made;
    functions[index](made.exports, loading(isBeside ? '' : TEMPLATES), made, whole, its);
    return made.exports;
  };
  return { ...loading('')(`./${MAIN}`), keep: () => known || keep(compiled, script) };
}

/** All files as one script, because V8 keeps the code of each for itself: a list of functions of what a CommonJS module knows. */
function sourceOf(folder) {
  const open = FILES.map((file) => openSync(`${folder}/${file}`));
  const sizes = open.map((file) => fstatSync(file).size);
  // Read into one place, and a string is made once: each copy of a megabyte costs.
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

/** Best effort, and whole or not at all. */
function keep(compiled, script) {
  try {
    const temporary = `${compiled}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o644 }); // it is run
    renameSync(temporary, compiled);
  } catch {} // somebody else's folder
}

module.exports = { start };
