/**
 * mcp-hooks: the conditions that hooks of the extended vocabulary may have: paths, patterns, repetitions, the branch, the
 * project, a budget. No server's pattern may take long, and no program is started to look something up.
 */

import fs = require('node:fs');
import path = require('node:path');

import { clockOf } from './clock.cjs';
import { jsonOf } from './json.cjs';

import texts = require('./texts.cjs');

import type {
  Clock,
  Condition,
  EventProgram,
  Firing,
  Glob,
  NamedFile,
  NotedCall,
  ProgramHook,
  Running,
  Stage,
} from './types.cjs';
import { hashOf, isObject, textOf } from './values.cjs';
import { foldersFrom, projectName } from './words.cjs';

/** Whether all of a hook's conditions hold, beyond those that `fits` of runner.cjs checks. */
export const holds = (hook: ProgramHook, run: Condition): boolean => unmet(hook, run) === undefined;

/** A field of the extended vocabulary with a condition. */
export type Unmet =
  | 'failed'
  | 'exclude'
  | 'branch'
  | 'project'
  | 'output_contains'
  | 'input_matches'
  | 'output_matches'
  | 'repeat'
  | 'budget';

/** The field of a hook's condition that does not hold; undefined: all of them hold. */
function unmet(hook: ProgramHook, run: Condition): Unmet | undefined {
  const { program, firing, stage } = run;
  const { when = {}, budget } = hook.extended ?? {};
  const failed = () => hasFailed(firing, program, stage) === true;
  if (hook.event === 'tool_error' && !failed()) return 'failed';
  if (when.failed !== undefined && when.failed !== failed()) return 'failed';
  if (when.exclude && isExcluded(when.exclude, run)) return 'exclude';
  if (when.branch && !isAny(branchOf(firing), when.branch, stage)) return 'branch';
  if (when.project) {
    firing.project ??= projectName(firing.cwd);
    if (!isAny(firing.project, when.project, stage)) return 'project';
  }
  const { outputContains, inputMatches, outputMatches } = when;
  if (outputContains !== undefined && !texts.contains(firing, firing.output, outputContains))
    return 'output_contains';
  if (inputMatches !== undefined && !texts.isMatched(firing, firing.input, inputMatches))
    return 'input_matches';
  if (outputMatches !== undefined && !texts.isMatched(firing, firing.output, outputMatches))
    return 'output_matches';
  if (when.repeat && !isRepeated(when.repeat, hook, run)) return 'repeat';
  return budget && !require('./budget.cjs').isOver(hook, run) ? 'budget' : undefined;
}

/** The same for a caller that only asks. It may write to the state folder of `at`. */
export function wouldNotHold(
  hook: ProgramHook,
  firing: Firing,
  program: EventProgram,
  stage: Stage,
): Unmet | undefined {
  const now: Running = { ...program, started: Date.now() };
  const run: Condition = { program: now, firing: { ...firing, budgets: new Map() }, stage };
  noteCall(run);
  return unmet(hook, run);
}

/** Whether the call has failed; undefined: it is not over, or the client does not say. */
export function hasFailed(
  { payload, tool }: Pick<Firing, 'payload' | 'tool'>,
  { wire: { failed } }: { readonly wire: Pick<Running['wire'], 'failed'> },
  { get }: Pick<Stage, 'get'>,
): boolean | undefined {
  if (failed === undefined || failed === true) return failed;
  const said = failed.map(({ at, like, tools }) => {
    const value = get(payload, at);
    if (tools && !(tool !== undefined && tools.includes(tool))) return false;
    if (like === undefined) return Boolean(value);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? value : jsonOf(value);
    return new RegExp(like).test(text.slice(-END));
  });
  return said.includes(true) || (said.includes(false) ? false : undefined);
}

/** Characters at the end of an output that say how a command ended. A longer part could take long. */
const END = 1000;

const isAny = (
  name: string | undefined,
  globs: readonly Glob[],
  { isLike }: Condition['stage'],
): boolean => name !== undefined && globs.some((glob) => isLike(name, glob));

type Conditions = NonNullable<NonNullable<ProgramHook['extended']>['when']>;

// Excluded tools and paths.

function isExcluded(
  { tools, paths }: NonNullable<Conditions['exclude']>,
  { firing, stage }: Condition,
): boolean {
  if (firing.names.some((name) => tools.some((globs) => stage.isOf(name, globs)))) return true;
  if (paths.length === 0) return false;
  const clock = clockOf(firing);
  const isMeant = (name: string) =>
    paths.some((glob) => {
      clock.step(name.length + 20);
      return stage.isLike(name, glob);
    });
  const files = pathsOf(firing);
  return (
    files.length > 0 &&
    files.every(({ written, opened }) => written.some(isMeant) && opened().some(isMeant))
  );
}

/** The names of each file that the call is about: as it is written, and of the file that is opened. Made once for all hooks. */
function pathsOf(firing: Firing): readonly NamedFile[] {
  const { input, cwd } = firing;
  if (firing.paths && firing.paths.input === input) return firing.paths.all;
  const clock = clockOf(firing);
  const all = filesOf(firing, clock).map((file) => {
    clock.step(file.length);
    let opened: readonly string[] | undefined;
    return {
      written: namesOf(path.resolve(cwd, file), cwd),
      opened: () => (opened ??= openedNames(file, cwd)),
    };
  });
  firing.paths = { input, all };
  return all;
}

/** The names of the file that a system opens or makes, wherever links lead. None if that cannot be known. */
function openedNames(file: string, cwd: string): string[] {
  // `..` behind a link is not the folder that the link is in, so nothing is resolved before.
  const real = behindLinks(path.isAbsolute(file) ? file : `${cwd}${path.sep}${file}`);
  if (real === undefined) return [];
  const base = behindLinks(cwd) ?? cwd;
  return [...namesOf(real, base), ...namesOf(path.resolve(cwd, path.relative(base, real)), cwd)];
}

/** A path without links; what does not exist yet has none. */
function behindLinks(place: string): string | undefined {
  if (place.length > LONGEST) return undefined;
  try {
    return fs.realpathSync.native(place);
  } catch {
    // A link that leads to nothing may lead anywhere once something is there.
    const isThere = fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
    const folder = path.dirname(place);
    const above = isThere || folder === place ? undefined : behindLinks(folder);
    return above === undefined ? undefined : path.join(above, path.basename(place));
  }
}
/** Characters of a path. No system opens a longer one. */
const LONGEST = 4096;

/** Tools of clients that are given a file, by their names in declarations. Anything may stand in the inputs of others. */
const FILE_TOOLS = ['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'LS'];

/**
 * The files that a call is about: those under keys at the top of the input, and in the headings of a patch. None, if there may
 * be more than we can tell.
 */
function filesOf({ names, server, input }: Firing, clock: Clock): string[] {
  const isOther = server !== undefined || names.some((name) => name.startsWith('mcp__'));
  if (isOther || !names.some((name) => FILE_TOOLS.includes(name))) return [];
  if (!isObject(input)) return headingsIn(input, clock) ?? [];
  const under = (isPath: boolean) =>
    Object.entries(input)
      .filter(([key]) => PATH.test(key) === isPath)
      .flatMap(([, value]) => value);
  const keyed = under(true);
  if (keyed.length > 0) return keyed.every((one) => typeof one === 'string') ? keyed : [];
  const patches = under(false).map((one) => headingsIn(one, clock));
  return patches.includes(undefined) ? [] : patches.flatMap((files = []) => files);
}

/** The files that a patch names, which may not only be changed; undefined: it is no patch, or not one that we understand. */
function headingsIn(text: unknown, clock: Clock): string[] | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('*** Begin Patch')) return undefined;
  const files: string[] = [];
  for (const line of text.split('\n')) {
    clock.step(line.length);
    const mark = line.trim(); // as clients read it
    const file = HEADING.exec(mark)?.[1];
    if (file !== undefined) files.push(file);
    // With a space before it, it is a line of the file.
    else if (line.startsWith('***') && !BOUNDARY.includes(mark)) return undefined;
  }
  return files;
}
const BOUNDARY = ['*** Begin Patch', '*** End Patch', '*** End of File'];
const HEADING = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/s;
const PATH = /(?:^|_)(?:path|file|filename)s?$|(?:Path|File|FileName)s?$/;

/** The forms of a path that a glob may mean: relative to the session's folder, the last part, and the whole. */
function namesOf(whole: string, cwd: string): string[] {
  return [path.relative(cwd, whole), path.basename(whole), whole].map((name) =>
    path.sep === '/' ? name : name.replaceAll(path.sep, '/'),
  );
}

// Repetitions.

/** Calls remembered for a session, and the size in bytes above which older ones are dropped. */
const CALLS = 200;
const MOST = 64 * 1024;

/** What is written down of this call, if a hook asks for repetitions: only hashes, no contents. */
export function noteCall(run: Condition): void {
  const { program, firing, stage } = run;
  if (firing.tool === undefined || !program.hooks.some(({ extended }) => extended?.when?.repeat))
    return;
  const failed = hasFailed(firing, program, stage) === true;
  run.call = {
    at: program.started,
    moment: firing.occasion.length === 0 ? '' : short(firing.occasion),
    tool: short(firing.tool),
    input: short(firing.input),
    ...(failed && { error: short(withoutVarying(firing.output ?? '', program.wire)) }),
  };
}

const short = (value: unknown): string => hashOf(value).slice(0, 16);

/** An output without the parts that differ with each call. */
const withoutVarying = (output: unknown, { varying }: Running['wire']): unknown =>
  varying === undefined || typeof output !== 'string'
    ? output
    : output.replace(new RegExp(varying, 'g'), '');

/**
 * The calls up to and including this one. It is written down before the others are read: of calls that come at once, each
 * then finds those before it. Those that nothing tells apart, and what several of our runners write, count as one.
 */
function written(file: string, call: NotedCall, { open }: Condition['stage']): NotedCall[] {
  const read = () => {
    try {
      return textOf(file) ?? '';
    } catch {
      return ''; // there is none
    }
  };
  const text = read();
  let former = callsIn(text);
  if (call.moment !== '' && former.some(({ moment }) => moment === call.moment))
    return upTo(call, former);
  try {
    if (text.length > MOST) fs.writeFileSync(file, linesOf(former), { mode: 0o600 });
    const end = open(file, 'a');
    fs.writeSync(end, linesOf([call]));
    fs.closeSync(end);
    if (call.moment !== '') former = callsIn(read());
  } catch {}
  return upTo(call, former);
}

/** The last calls that were written down, each once. */
function callsIn(text: string): NotedCall[] {
  const moments = new Set<string>();
  const isFirst = ({ moment }: NotedCall) =>
    moment === '' || (!moments.has(moment) && moments.add(moment));
  return text.split('\n').flatMap(callIn).filter(isFirst).slice(-CALLS);
}

/** A call and those before it. */
function upTo(call: NotedCall, calls: readonly NotedCall[]): NotedCall[] {
  const at = call.moment === '' ? -1 : calls.findIndex(({ moment }) => moment === call.moment);
  return at === -1 ? [...calls, call] : calls.slice(0, at + 1);
}

const linesOf = (calls: readonly NotedCall[]): string =>
  calls.map((call) => `${JSON.stringify(call)}\n`).join('');

function callIn(line: string): NotedCall[] {
  try {
    const call = JSON.parse(line);
    return isObject(call) ? [call as unknown as NotedCall] : [];
  } catch {
    return [];
  }
}

/** Counts the calls that meet all the hook's other conditions. What else the client starts us for does not matter. */
function isRepeated(
  { times, within, same }: NonNullable<Conditions['repeat']>,
  hook: ProgramHook,
  { program, firing, stage, call }: Condition,
): boolean {
  if (!call || (same === 'error' && call.error === undefined)) return false;
  const recent = written(stage.memory(hook, firing, program, 'calls'), call, stage).filter(
    (one) => one.at > program.started - 1000 * within,
  );
  const isSame = (a?: NotedCall, b?: NotedCall) =>
    same === 'error'
      ? a?.error === b?.error
      : a?.tool === b?.tool && (ANY_INPUT.includes(same) || a?.input === b?.input);
  if (!same.startsWith('alternating'))
    return recent.filter((one) => isSame(one, call)).length >= times;
  const turns = recent.slice(-2 * times);
  const [a, b] = turns;
  return (
    turns.length === 2 * times &&
    !isSame(a, b) &&
    turns.every((one, index) => isSame(one, index % 2 === 0 ? a : b))
  );
}
const ANY_INPUT = ['tool', 'alternating_tools'];

// The repository, read without git, once for all hooks.

/** The branch that is checked out; undefined: there is none, or git keeps it in tables (reftable), which we do not read. */
export function branchOf(firing: Firing): string | undefined {
  firing.branch ??= { name: branchIn(headOf(gitFile(firing.cwd, 'HEAD'))) };
  return firing.branch.name;
}

function branchIn(head: string): string | undefined {
  const [, line = ''] = /^ref:[ \t\r\n]*refs\/heads\/(.*)/.exec(head) ?? [];
  const name = line.trim();
  return name === '' || name === '.invalid' ? undefined : name;
}

/** What HEAD says. It may also be a link to the file of the branch. */
function headOf(file: string | undefined): string {
  try {
    return `ref: ${fs.readlinkSync(file ?? '')}`;
  } catch {
    return beginningOf(file);
  }
}

/** `owner/name` of the repository that it was cloned from. */
export function repositoryOf(firing: Firing): string | undefined {
  firing.repository ??= { name: repositoryIn(beginningOf(gitFile(firing.cwd, 'config'))) };
  return firing.repository.name;
}

function repositoryIn(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) isOrigin = line.startsWith('[remote "origin"]');
    const [key, ...rest] = isOrigin ? line.split('=') : [];
    if (key?.trim() !== 'url') continue;
    const [url = ''] = rest.join('=').trim().split(/\s/);
    const [name, before] = url
      .replace(/\/$/, '')
      .replace(/\.git$/, '')
      .split('/')
      .reverse();
    const owner = before?.split(/[:@?#]/).at(-1);
    return name && owner && !/[:@?#]/.test(name) ? `${owner}/${name}` : undefined;
  }
  return undefined;
}

/** A file of the repository that holds a folder; undefined: there is no repository. */
function gitFile(cwd: string, name: string): string | undefined {
  for (const at of foldersFrom(cwd)) {
    const git = path.join(at, '.git');
    const found = statOf(git);
    if (found?.isDirectory() && isRepository(git)) return path.join(git, name);
    if (found?.isFile()) return inWorktree(at, beginningOf(git), name);
  }
  return undefined;
}

/** Whether git takes a folder for its own. Otherwise it looks further up, and so do we: a guard may be for a branch there. */
const isRepository = (git: string): boolean =>
  ['objects', 'refs'].every((name) => statOf(path.join(git, name)) !== undefined) &&
  /^(?:ref:[ \t\r\n]*refs\/|[0-9a-f]{40})/i.test(headOf(path.join(git, 'HEAD')));

/** Undefined: it is not there, or cannot be looked at. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** For a linked worktree or a submodule: `.git` is a file that names its own folder, and a file there may name the common one. */
function inWorktree(root: string, text: string, name: string): string | undefined {
  const [, folder] = /^gitdir: (.+)$/m.exec(text) ?? [];
  if (folder === undefined) return undefined;
  const own = path.resolve(root, folder.trim());
  const common = beginningOf(path.join(own, 'commondir')).trim();
  return path.join(name === 'HEAD' || common === '' ? own : path.resolve(own, common), name);
}

/** The beginning of a file, as much as is needed; '' if there is no file. */
function beginningOf(file: string | undefined): string {
  if (file === undefined) return '';
  try {
    if (!fs.statSync(file).isFile()) return '';
    const handle = fs.openSync(file, 'r');
    const bytes = Buffer.alloc(16 * 1024);
    const length = fs.readSync(handle, bytes, 0, bytes.length, 0);
    fs.closeSync(handle);
    return bytes.toString('utf8', 0, length);
  } catch {
    return '';
  }
}
