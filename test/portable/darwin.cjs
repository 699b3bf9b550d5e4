// A Node that takes this for macOS: it says so, and finds no /proc. For `node --require`.
const fs = require('node:fs');

Object.defineProperty(process, 'platform', { value: 'darwin' });
const missing = (path) =>
  Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
for (const name of ['readFileSync', 'readdirSync', 'openSync', 'statSync']) {
  const own = fs[name];
  fs[name] = Object.assign((path, ...rest) => {
    if (/^\/proc(?:\/|$)/.test(String(path))) throw missing(path);
    return own(path, ...rest);
  }, own);
}
const { existsSync } = fs;
fs.existsSync = (path) => !/^\/proc(?:\/|$)/.test(String(path)) && existsSync(path);
