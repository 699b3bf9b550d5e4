/** `node:module`: loads the runner's files from the machine's disk, and built-in modules. */

import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import buffer from 'buffer/';
import network from './network.ts';
import { process, provide } from './process.ts';

interface Module {
  exports: unknown;
}

type Require = ((name: string) => unknown) & { main?: Module };

const BUILTIN: Readonly<Record<string, unknown>> = {
  'node:child_process': childProcess,
  'node:crypto': crypto,
  'node:fs': fs,
  'node:http': network,
  'node:https': network,
  'node:os': os,
  // Nothing else runs on the machine, so no runner waits for others.
  'node:perf_hooks': { performance: { nodeTiming: { bootstrapComplete: 0 } } },
  'node:path': path,
  'node:util': util,
  'node:v8': v8,
  'node:vm': vm,
};

function builtin(name: string): unknown {
  const found = BUILTIN[name];
  if (found === undefined)
    throw Object.assign(new Error(`no ${name} in a browser`), { code: 'MODULE_NOT_FOUND' });
  return found;
}

provide(builtin);
// The runner's files are compiled when they are loaded, and so see the globals alone.
Object.assign(globalThis, { process, Buffer: buffer.Buffer, global: globalThis });

/** As in Node: a function that loads each file once, seen from the file that calls it. */
export function createRequire(from: string): Require {
  const loaded = new Map<string, Module>();
  const requireIn =
    (folder: string): Require =>
    (name) => {
      if (name.startsWith('node:')) return builtin(name);
      const file = path.resolve(folder, name);
      const known = loaded.get(file);
      if (known) return known.exports;
      const module: Module = { exports: {} };
      loaded.set(file, module);
      load(file, module, requireIn(path.dirname(file)));
      return module.exports;
    };
  return requireIn(path.dirname(from));
}

/** Runs a file as `node <file>` would. */
export function runMain(file: string): void {
  const module: Module = { exports: {} };
  load(file, module, Object.assign(createRequire(file), { main: module }));
}

function load(file: string, module: Module, require: Require): void {
  const text = fs.readFileSync(file, 'utf8');
  const run = new Function('module', 'exports', 'require', '__dirname', '__filename', text);
  run(module, module.exports, require, path.dirname(file), file);
}
