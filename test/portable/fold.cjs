// A disk that does not tell upper case from lower, or the two ways to write a letter with an accent: it finds a file by any of
// them, and keeps the name that it was made with, as the disks of macOS do. For `node --require`; the folder is in FOLDED.
const fs = require('node:fs');
const { join, sep } = require('node:path');

const root = fs.realpathSync.native(process.env.FOLDED);
const { readdirSync } = fs;
const fold = (name) => name.normalize('NFC').toLowerCase();

/** The path as it is on the disk, as far as it is there. */
function kept(path) {
  if (typeof path !== 'string' || !fold(path).startsWith(fold(root + sep))) return path;
  let at = root;
  for (const part of path.slice(root.length + 1).split(sep)) {
    let names = [];
    try {
      names = readdirSync(at);
    } catch {} // not there, or no folder
    at = join(at, names.find((name) => fold(name) === fold(part)) ?? part);
  }
  return at;
}

/** What takes a handle, or nothing. */
const NO_PATH = /^(?:_|[A-Z]|close|f[cdst]|futimes|read$|readv|readSync|write$|writev|writeSync)/;
/** What takes two paths that have to be found. */
const TWO = /^(?:link|rename|copyFile|cp)/;

for (const from of [fs, fs.promises])
  for (const [name, own] of Object.entries(from)) {
    if (typeof own !== 'function' || NO_PATH.test(name)) continue;
    const found = (words) =>
      words.map((word, at) =>
        // The first of a symbolic link is only kept.
        (/^symlink/.test(name) ? at === 1 : at === 0 || (at === 1 && TWO.test(name)))
          ? kept(word)
          : word,
      );
    from[name] = Object.assign((...words) => own.apply(from, found(words)), own);
    if (own.native) from[name].native = (...words) => own.native(...found(words));
  }
