/**
 * mcp-hooks: what a hook that may decide remembers of a session. A client may start several calls at once that nothing tells
 * apart, and asks about each: all of them need the same decision, though they count once. So the file of a fact says which
 * call it is from.
 */
'use strict';
const fs = require('node:fs');
const { hashOf, textOf } = require('./values.cjs');

/** What a call has in common with those that nothing tells from it; empty: there is nothing to go by. */
const callOf = ({ occasion = [] }) => (occasion.length === 0 ? '' : hashOf(occasion).slice(0, 16));

/** Whether the file of a fact is there and is from another call. */
function isOthers(file, firing) {
  if (!fs.existsSync(file)) return false;
  const call = callOf(firing);
  return call === '' || textOf(file) !== call;
}

/**
 * Claims a fact for a call, and again only after `window` milliseconds.
 *
 * @param stage The functions of runner.cjs.
 * @returns `isOurs`: this call has it; `isNew`: this process has made the file.
 */
function claimFor(file, firing, stage, window = Number.POSITIVE_INFINITY) {
  const call = callOf(firing);
  const own = `${file}.${process.pid}`;
  write(own, call, stage);
  try {
    if (link(own, file)) return { isOurs: true, isNew: true };
    if (!isOthers(file, firing)) return { isOurs: true, isNew: false };
    const { mtimeMs: last } = fs.statSync(file);
    const age = Date.now() - last;
    // Or the clock was set back. Another process of this call may have taken it over since we looked.
    if (age < window && age > -window) return { isOurs: !isOthers(file, firing), isNew: false };
    // All who find it old try to make the same.
    const next = `${file}.${Math.trunc(last)}`;
    if (!link(own, next)) return { isOurs: !isOthers(next, firing), isNew: false };
    fs.renameSync(own, file);
    return { isOurs: true, isNew: true };
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** The fact is this call's from now on. */
function takeOver(file, firing, stage) {
  const own = `${file}.${process.pid}`;
  write(own, callOf(firing), stage);
  fs.renameSync(own, file);
}

function write(file, text, { open }) {
  const handle = open(file, 'w');
  fs.writeSync(handle, text);
  fs.closeSync(handle);
}

/** Makes a file with its contents at once, so that nobody finds it empty. False when it is there already. */
function link(from, to) {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    // This disk has no links.
    if (fs.existsSync(to)) return false;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  }
}

module.exports = { callOf, claimFor, isOthers, takeOver };
