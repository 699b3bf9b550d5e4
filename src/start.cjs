/**
 * Loads main.cjs with the code that V8 made of it before: compiling is most of what starting costs.
 * Node 22 and later keep such code themselves; for the node that built the package it lies beside it (build.mjs).
 * V8 refuses code of another version or with other flags, and then compiles as ever.
 */
'use strict';
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');

const compiledIn = (folder) => join(folder, `main-${process.versions.v8}-${process.arch}.bin`);

/** `main.cjs` of a folder as a script, and what it exports. */
function load(folder, cachedData) {
  const { Script } = require('node:vm');
  const source = readFileSync(join(folder, 'main.cjs'), 'latin1'); // esbuild writes ASCII
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
    { filename: 'main.cjs', cachedData },
  );
  const loaded = { exports: {} };
  const file = join(folder, 'main.cjs');
  const run = script.runInThisContext();
  run(loaded.exports, nodeModule.createRequire(file), loaded, file, folder);
  return { script, exports: loaded.exports };
}

/** Writes what V8 has made of it once `warmUp` has used it. */
async function compile(folder, warmUp) {
  const { script, exports } = load(folder);
  await warmUp(exports);
  writeFileSync(compiledIn(folder), script.createCachedData());
}

/** What main.cjs exports. */
function start(folder) {
  const compiled = compiledIn(folder);
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  else if (existsSync(compiled)) return load(folder, readFileSync(compiled)).exports;
  return require(join(folder, 'main.cjs'));
}

module.exports = { compile, start };
