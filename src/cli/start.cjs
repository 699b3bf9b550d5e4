/**
 * Loads main.cjs with the code that V8 made of it in an earlier run: compiling is most of what
 * starting costs. That code is kept beside it when its folder can be written, for each command what it needs, and never
 * comes with the package. V8 refuses it for another version or other flags, and the file's name changes with the bundle.
 */
'use strict';
const { existsSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** What main.cjs exports, and `keep`, which writes what V8 has made of it by then for a command. */
function start(folder, command) {
  const main = join(folder, 'main.cjs');
  const { size, mtimeMs } = statSync(main);
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

  // The file is a function already (build.mjs): to put one around it here would be one more copy to collect.
  const script = new Script(readFileSync(main, 'latin1'), {
    filename: 'main.cjs',
    cachedData: known ? readFileSync(compiled) : undefined,
  });
  const loaded = { exports: {} };
  const run = script.runInThisContext();
  run(loaded.exports, require, loaded, main, folder);
  return { ...loaded.exports, keep: () => known || keep(compiled, script) };
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
