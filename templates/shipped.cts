/**
 * mcp-hooks: the first checks of a shipped runner (in a plugin, or with a fleet's settings): where the user's state folder is,
 * and whether this user has installed the same hooks, which then take precedence.
 */

import fs = require('node:fs');

import { isHere, ledgerIn, type Placed, read } from './installs.cjs';
import type { Running } from './types.cjs';

/** A program while it is adapted to this machine. */
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
  // The server's values are in the declaration next to this file.
  for (const values of [program.server?.env, program.server?.headers])
    if (values) values.file = `${__dirname}/${values.file}`;
  // Without a memory, the text would be shown each time. A guard needs no memory.
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
 * Applies what the machine's administrator has allowed for all users. Without the file, nothing more is allowed. A malformed
 * file switches the hooks off.
 */
function allow({ policy, hooks }: Shipped, file: string): void {
  const text = read(file);
  if (text === undefined) return;
  const given = JSON.parse(text);
  for (const rule of ['trusted', 'contextTool', 'block', 'modify'])
    if (given[rule] === true) policy.rules[rule] = true;
  // These texts were prepared when nothing was allowed.
  for (const hook of hooks) delete hook.alone;
}

/** As in the first stage (src/compile/first-stage.ts). */
const stateIn = ({ MCP_HOOKS_HOME: own, HOME: home }: NodeJS.ProcessEnv): string | undefined =>
  own?.startsWith('/') ? own : home?.startsWith('/') ? `${home}/.mcp-hooks` : undefined;

/** Whether the client runs an install of the user for the same label and event, in a scope that applies here. */
function isInstalled(state: string, { shipped = {}, label, client, native }: Shipped): boolean {
  const file = `${label}/${client}.${native}.sh`;
  const places = [`${state}/servers`, ...foldersIn(`${state}/projects`)];
  if (!places.some((place) => fs.existsSync(`${place}/${file}`))) return false;
  const ledger = ledgerIn(state);
  // The ledger is being changed or is lost. Showing the text once is better than twice.
  if (ledger === undefined) return true;
  const isApplied = (one: Placed) => isHere(one, shipped.folder);
  return (
    ledger.installs.some(
      (one) => one.label === label && one.clients.includes(client) && isApplied(one),
    ) &&
    // The entry may have been removed by hand.
    Object.entries(ledger.files).some(
      ([path, one]) => one.client === client && isApplied(one) && read(path)?.includes(`/${file}`),
    )
  );
}

function foldersIn(path: string): string[] {
  try {
    return fs.readdirSync(path).map((name) => `${path}/${name}`);
  } catch {
    return [];
  }
}
