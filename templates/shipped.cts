/**
 * mcp-hooks: what a shipped runner (in a plugin, or with a fleet's settings) checks first: where the user's state folder is,
 * and whether this user has installed the same hooks, which will then be shown instead.
 */

import fs = require('node:fs');

import { textOf } from './files.cjs';
import type { Running } from './types.cjs';

/** A program while it is made fit for this machine. */
type Shipped = Omit<Running, 'state' | 'policy' | 'hooks'> & {
  state: string;
  readonly policy: { readonly rules: Record<string, unknown> };
  readonly hooks: readonly { alone?: unknown; readonly extended?: { may: readonly string[] } }[];
  readonly server?: { readonly [values in 'env' | 'headers']?: { file: string } };
};

/** Sets the state folder. False: show nothing. */
export function settle(program: Shipped): boolean {
  const state = stateIn(process.env);
  if (state === undefined || isInstalled(state, program)) return false;
  program.state = state;
  if (program.shipped?.policy !== undefined) allow(program, program.shipped.policy);
  // The server's values are in the declaration next to us.
  for (const values of [program.server?.env, program.server?.headers])
    if (values) values.file = `${__dirname}/${values.file}`;
  // A text that nobody can remember would come each time. A guard has nothing to remember.
  return hasGuard(program) || isWritable(state);
}

const hasGuard = ({ hooks, policy }: Shipped): boolean =>
  hooks.some(({ extended }) => extended?.may.some((decision) => policy.rules[decision]));

function isWritable(state: string): boolean {
  try {
    if (!fs.existsSync(state)) fs.mkdirSync(state, { mode: 0o700 });
    fs.accessSync(state, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Applies what the machine's administrator has allowed for everybody. Without the file nothing more is allowed; a malformed
 * one switches the hooks off.
 */
function allow({ policy, hooks }: Shipped, file: string): void {
  const text = read(file);
  if (text === undefined) return;
  const given = JSON.parse(text);
  for (const rule of ['trusted', 'contextTool', 'block', 'modify'])
    if (given[rule] === true) policy.rules[rule] = true;
  // These were worded when nothing was allowed.
  for (const hook of hooks) delete hook.alone;
}

/** As in the first stage (src/compile/first-stage.ts). */
const stateIn = ({ MCP_HOOKS_HOME: own, HOME: home }: NodeJS.ProcessEnv): string | undefined =>
  own?.startsWith('/') ? own : home?.startsWith('/') ? `${home}/.mcp-hooks` : undefined;

/** What is read here of the ledger (src/install/ledger.ts). */
interface Placed {
  readonly project: string | null;
}
interface Ledger {
  readonly installs: readonly (Placed & {
    readonly label: string;
    readonly clients: readonly string[];
  })[];
  readonly files: Readonly<Record<string, Placed & { readonly client: string }>>;
}

/** Whether the client runs an install of the user's for the same label and event, in a scope that is in force here. */
function isInstalled(state: string, { shipped = {}, label, client, native }: Shipped): boolean {
  const file = `${label}/${client}.${native}.sh`;
  const places = [`${state}/servers`, ...foldersIn(`${state}/projects`)];
  if (!places.some((place) => fs.existsSync(`${place}/${file}`))) return false;
  const ledger = read(`${state}/ledger.json`);
  // Another process is changing it, or it is lost: once is better than twice.
  if (ledger === undefined) return true;
  const { installs, files }: Ledger = JSON.parse(ledger);
  const isHere = ({ project }: Placed) => project === null || isIn(project, shipped);
  return (
    installs.some((one) => one.label === label && one.clients.includes(client) && isHere(one)) &&
    // The entry may have been removed by hand.
    Object.entries(files).some(
      ([path, one]) => one.client === client && isHere(one) && read(path)?.includes(`/${file}`),
    )
  );
}

/** Whether the client uses a project's settings: the project is the folder that it names, or else this one or one above it. */
function isIn(project: string, { folder }: { readonly folder?: string }): boolean {
  const named = folder === undefined ? undefined : process.env[folder];
  const here = fs.realpathSync(named ?? process.cwd());
  return here === project || (named === undefined && here.startsWith(`${project}/`));
}

function read(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return undefined;
  }
}

function foldersIn(path: string): string[] {
  try {
    return fs.readdirSync(path).map((name) => `${path}/${name}`);
  } catch {
    return [];
  }
}
