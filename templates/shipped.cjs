/**
 * mcp-hooks: what a runner that is shipped (in a plugin, or with the settings of a fleet) asks before all else: where the
 * state folder of whoever runs the client is, and whether this user has installed the same hooks, which will then say it.
 */
'use strict';
const fs = require('node:fs');

/** Sets the state folder. False: nothing is to be said. */
function settle(at) {
  const state = stateIn(process.env);
  if (state === undefined || isInstalled(state, at)) return false;
  at.state = state;
  if (at.shipped.policy !== undefined) allow(at);
  // What the server is given stands in the declaration beside us.
  for (const values of [at.server?.env, at.server?.headers])
    if (values) values.file = `${__dirname}/${values.file}`;
  // What cannot be remembered would be said each time.
  if (!fs.existsSync(state)) fs.mkdirSync(state, { mode: 0o700 });
  fs.accessSync(state, fs.constants.W_OK);
  return true;
}

/** What the administrator of the machine has allowed is allowed for everybody. What cannot be read allows nothing, and says nothing. */
function allow({ shipped, policy, hooks }) {
  const text = read(shipped.policy);
  if (text === undefined) return;
  const given = JSON.parse(text);
  for (const rule of ['trusted', 'contextTool', 'block', 'modify'])
    if (given[rule] === true) policy.rules[rule] = true;
  // Worded when nothing was allowed.
  for (const hook of hooks) delete hook.alone;
}

/** As in the first stage (src/compile/first-stage.ts). */
const stateIn = ({ MCP_HOOKS_HOME: own, HOME: home }) =>
  own?.startsWith('/') ? own : home?.startsWith('/') ? `${home}/.mcp-hooks` : undefined;

/** Whether the client runs an install of the user's for the same label and event, in a scope that is in force here. */
function isInstalled(state, { shipped, label, client, native }) {
  const file = `${label}/${client}.${native}.sh`;
  const places = [`${state}/servers`, ...foldersIn(`${state}/projects`)];
  if (!places.some((place) => fs.existsSync(`${place}/${file}`))) return false;
  const ledger = read(`${state}/ledger.json`);
  // Somebody is at work on it, or has lost it: once is better than twice.
  if (ledger === undefined) return true;
  const { installs, files } = JSON.parse(ledger);
  const isHere = ({ project }) => project === null || isIn(project, shipped);
  return (
    installs.some((one) => one.label === label && one.clients.includes(client) && isHere(one)) &&
    // Somebody may have taken the entry out by hand.
    Object.entries(files).some(
      ([path, one]) => one.client === client && isHere(one) && read(path)?.includes(`/${file}`),
    )
  );
}

/** Whether the client has the settings of a project before it: those of the folder that it names, or else of one above. */
function isIn(project, { folder }) {
  const named = folder === undefined ? undefined : process.env[folder];
  const here = fs.realpathSync(named ?? process.cwd());
  return here === project || (named === undefined && here.startsWith(`${project}/`));
}

function read(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function foldersIn(path) {
  try {
    return fs.readdirSync(path).map((name) => `${path}/${name}`);
  } catch {
    return [];
  }
}

module.exports = { settle };
