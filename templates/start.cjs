/**
 * mcp-hooks: starts the second stage of the hook runner with the code that V8 has made of it before: to make it again
 * costs as much as anything the second stage does. That code is kept beside it by the first run that says something,
 * under a name that changes with the file and with the node; V8 refuses what it cannot use.
 */
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');

const file = `${__dirname}/runner.cjs`;
/** The fingerprint of that file, which install puts here. */
const mark = 'none';
const { version, arch, pid } = process;
const compiled = `${__dirname}/runner.cjs.${mark}-${version}-${arch}.bin`;

function start() {
  const cachedData = read(compiled);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`,
    { filename: file, cachedData },
  );
  // As node's own `require` would, for the files that require it.
  const runner = new module.constructor(file);
  require.cache[file] = runner;
  script.runInThisContext()(runner.exports, require, runner, file, __dirname);
  if (!cachedData || script.cachedDataRejected)
    process.once('exit', () => runner.exports.hasSpoken() && keep(script));
  return runner.exports.main(...process.argv.slice(2));
}

function read(path) {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Best effort, and whole or not at all, also after the power has failed: V8 looks at the beginning alone, and of half a
 * file every later run would die. What was kept of another node or an older file goes.
 */
function keep(script) {
  const temporary = `${compiled}.${pid}.bin`;
  try {
    const handle = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(handle, script.createCachedData());
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, compiled);
    for (const name of fs.readdirSync(__dirname)) {
      const other = `${__dirname}/${name}`;
      if (/^runner\.cjs\..*\.bin$/.test(name) && other !== compiled) fs.unlinkSync(other);
    }
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}

try {
  start();
} catch {}
