/** The commands' own output: questions, headings, progress, endings. */

import type { Client } from '../../clients/contract.ts';
import { byNpm } from '../../clients/messages.ts';
import type { Decision } from '../../declaration/declaration.ts';
import type { Problem } from '../../declaration/declared.ts';
import { type Grant, RULE } from '../../declaration/grants.ts';
import type { CheckFinding } from '../../diagnose/doctor/status.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import type { LogEntry } from '../../diagnose/log.ts';
import type { AddedNow } from '../../install/added-servers.ts';
import { count, duration, hooksInWords, listed } from '../../system/plurals.ts';
import { quoted } from '../../system/strings.ts';
import { FIND_HOOKS, NOTHING_INSTALLED, type Say } from '../../system/words.ts';
import { sentence } from './sentence.ts';
import { NOTHING, otherScopes } from './words.ts';

type AddedNamed = Pick<AddedNow, 'name' | 'state'> & { readonly client: string };

const BLOCKED_BY: Readonly<Record<string, string>> = {
  'client-version': 'this version is too old',
  configured: 'its server is configured differently now',
  calls: 'its tool failed when it was last called',
  entries: 'its entry is missing or was edited',
  'folder-trust': 'this folder is not trusted',
  'hooks-on': 'hooks are switched off',
  interrupted: 'an install was interrupted',
  node: 'Node.js was not found',
  paths: 'it no longer reads the files that they are in',
  policy: 'your policy.json does not allow it',
  'policy-readable': 'policy.json cannot be read',
  programs: 'the program is not the one that you allowed',
  runner: 'its runner is missing or damaged',
  'settings-readable': 'its settings cannot be read',
  'settings-valid': 'it ignores its settings file',
  'sign-in': 'you are not signed in',
  source: 'its tools are no longer called',
};

const onceTrusted = (clients: readonly string[]): string =>
  clients.length > 0 ? ` once you trust this folder in ${listed(clients)}` : '';

/** What a hook would do if it were not left out. */
const WOULD: Readonly<Record<Grant, string>> = {
  required: 'its text would count as required',
  'context-tool': 'a server tool would be called',
  block: 'something would be stopped',
  modify: 'something would be changed',
  command: 'a program would be run',
  'project-code': "the project's own code would be run",
};

/** What happens to a hook without its grant. */
const WITHOUT_GRANT: Readonly<Record<Grant, string>> = {
  required: 'it counts as important',
  'context-tool': 'skipped',
  block: 'nothing is stopped',
  modify: 'nothing is changed',
  command: 'skipped',
  'project-code': 'skipped',
};

interface Missing extends Record<'what' | 'label' | 'event' | 'file', string> {
  readonly client: Client;
}

export const messages = {
  promised: 'Promised, not measured (a number: on how many events):',
  promisedHere: 'Promised, not measured:',
  inAllClients: 'Also in all of them:',
  inAllThatWereRun: 'Also in all that were run:',
  onlyDocumented: "* untested: based on the client's documentation.",
  asDocumented: (page: string) => `Untested: based on the client's documentation (${page}).`,
  documentedMark: '* untested, as documented',
  letters: (all: readonly string[]) => `${all.join(', ')}.`,
  ofOneClient: (command: string) => `One client in detail: ${command}`,
  askingWhetherItStarts: (client: string) => `Asking ${client} whether it starts ...`,
  // Declarations
  tooOldHere: ({ name, minimum, npmPackage }: Client, version: string) =>
    `${name} ${version} is too old: before ${minimum}, hooks may not fire, or not as shown here. Update it${byNpm(npmPackage, '@latest')}`,

  // Servers that `install --all` leaves out
  haveNoHooks: (names: readonly string[]) =>
    `${listed(names)} ${names.length === 1 ? 'has' : 'have'} no hooks. To write some: mcp-hooks init <server>`,
  installedAlready: (names: readonly string[]) =>
    `${listed(names)} ${names.length === 1 ? 'is' : 'are'} installed already: mcp-hooks update asks again.`,
  notByAll: (command: string) => `needs a command of its own: ${command}`,
  nameIsFlag: 'its name would be read as a flag. Rename it first.',
  nothingToInstall: 'There is nothing to install.',

  // Before something is started
  toBeAsked: (label: string) => `Asking ${label} for its hooks:`,
  toBeAskedForTools: (label: string) => `Asking ${label} for its tools:`,
  startQuestion: 'Start it?',
  /** Printed before the question is asked again. */
  notAnAnswer: (typed: string, keys: readonly string[]) =>
    `"${typed}" is not an answer: type ${listed(keys, 'or')}.`,

  // Why it is unknown how a server is started: the end of a sentence
  startsServer: (command: string) =>
    `To install the hooks of a server that a command starts, put -- before the command: ${command}`,

  tryInstead: (command: string) => `Try: ${command}`,

  // Hand-written hooks, and querying all servers
  handUnread: (place: string, why: string) => `${place}: not read: ${why}`,
  valid: (file: string, levels: readonly ProblemLevel[], label: string, hooks: number) =>
    `${file} is valid${levels.length === 0 ? '' : `, with ${problemsInWords(levels)}`}: ${label} declares ${count(hooks, 'hook')}.`,
  invalid: (file: string, levels: readonly ProblemLevel[]) =>
    `${file}: ${problemsInWords(levels)}.`,

  handLeftOut: (why: string) => `left out: ${why}`,
  handSum: (entries: number, hooks: number, leftOut: number) =>
    `${entries === 1 ? '1 entry' : `${entries} entries`}: ${count(hooks, 'hook')} in the draft, ${leftOut} left out.`,
  handNone: 'No hand-written hooks found.',
  handOurs: (entries: number) =>
    `Not counted: ${entries === 1 ? '1 entry' : `${entries} entries`} that mcp-hooks installed.`,
  handFolder: (folder: string) => `Its commands name files relative to ${folder}: save it there.`,
  handNext: (file: string, grants: readonly Grant[]) =>
    `Read it, then try and install it: mcp-hooks install ${file}${grants.length > 0 ? ` --allow ${grants.join(',')}` : ''}`,
  handTwice:
    'The entries stay in their files, so both would run: the install asks whether to take them out, or add --replace-originals.',
  scanStarts: (many: number) => `Asking ${count(many, 'server')} for hooks:`,
  scanForeign: (many: number) => `Files of this folder configure ${count(many, 'server')}:`,
  scanAskForeign: (many: number) => `Start ${many === 1 ? 'it' : 'them'}, too?`,
  scanProgress: (done: number, all: number, names: string) =>
    `${done} of ${all} asked; now ${names}`,
  scanning: (all: number) => `Asking ${all === 1 ? 'a server' : `${all} servers`} for hooks ...`,
  noneConfigured: 'No client has a server configured.',
  noneToScan: 'Add a server to a client first, or name one: mcp-hooks install <server>',
  scanMore: (more: number) => `${more === 1 ? '1 entry' : `${more} entries`} not understood`,
  declaresNone: 'none',
  /** Follows the label. @param file The name of the manifest. Undefined for the server itself. */
  declares: (hooks: number, file: string | undefined) =>
    file === undefined
      ? `declares ${count(hooks, 'hook')}.`
      : `has ${count(hooks, 'hook')}, declared in ${file}.`,
  onlyIn: (folder: string) => `Only for sessions in ${folder}`,
  /** Follows the label. */
  catalogued: (name: string, hooks: number) =>
    `declares no hooks. mcp-hooks' catalogue (${name}) has ${count(hooks, 'hook')} for it, written by mcp-hooks and not by the server's author.`,
  cataloguedEach: (all: readonly { label: string; name: string; hooks: number }[]) => {
    const each = all.map(
      ({ label, name, hooks }) => `${count(hooks, 'hook')} for ${label} (${name})`,
    );
    return `${listed(all.map(({ label }) => label))} declare no hooks. mcp-hooks' catalogue has ${listed(each)}, written by mcp-hooks and not by the servers' authors.`;
  },
  /** Follows the label and the reason why the server could not be queried. */
  cataloguedUnasked: (name: string, hooks: number) =>
    `may declare hooks itself. mcp-hooks' catalogue (${name}) has ${count(hooks, 'hook')} for it, written by mcp-hooks and not by the server's author.`,
  hooksDo: {
    text: 'Texts that the model reads:',
    tool: 'Tools that are called:',
    block: 'Calls, prompts and turns that are stopped:',
    command: 'Programs that run:',
  },
  forEach: (hooks: string, facts: string) => `For each of ${hooks}: ${facts}`,
  unasked: (label: string, why: string) => `${label} could not be asked for its hooks: ${why}`,
  declaresItself: (label: string) =>
    `${label} now declares hooks itself. They would replace those from mcp-hooks' catalogue, and what you allowed for those does not apply to them.`,
  /** In the table of `scan`, after the server's own declaration. */
  inCatalogue: (hooks: string) => `from the catalogue: ${hooks}`,
  scanCatalogued:
    "mcp-hooks' catalogue has hooks that the servers' authors did not write. To install them:",
  scanInstalls: 'To install:',
  scanNameIsFlag: (name: string) => `(${name}: ${messages.nameIsFlag})`,
  scanUpdates: 'To update:',
  scanInstallAll: 'To install all of these:',
  scanWrites: 'To write hooks for a server that has none:',
  scanNothingNew: 'Everything they declare is already installed.',
  scanInstalled: (as: string | undefined, inProject: boolean, changed: boolean) =>
    `installed${as === undefined ? '' : ` as ${as}`}${inProject ? ' in this project' : ''}${changed ? '; its hooks have changed' : ''}`,
  scanNameTaken: (label: string, source: string) => `${label} is installed from ${source}`,
  noneDeclares: (answered: number, all: number) =>
    answered === all
      ? 'None of them declares hooks.'
      : answered === 1
        ? 'The one server that answered declares no hooks.'
        : `None of the ${answered} servers that answered declares hooks.`,
  scanUnasked: (unasked: number, all: number) =>
    `${all === 1 ? '1 server' : `${unasked} of ${all} servers`} could not be asked. ${unasked === 1 ? 'It' : 'They'} may declare hooks.`,
  scanDownloading: (seconds: number) => ` (downloading, ${seconds} s)`,

  // Servers
  lookingFor: (server: string) => `Looking for ${server} ...`,
  askingForTools: (name: string) => `Asking ${name} for its tools ...`,
  asking: (server: string) => `Asking ${server} for its hooks ...`,
  downloading: (name: string, launcher: string, packages: readonly string[], seconds: number) =>
    `${name}: ${launcher} is downloading ${packages.join(', ') || 'what it starts'} (${seconds} s) ...`,
  lookingUp: (spec: string) => `Asking npm for the version of ${spec} ...`,
  copying: (label: string, exact: string) => `${label}: npm is downloading ${exact} ...`,
  notCopied: (label: string, why: string) =>
    `note: ${label}: its hooks start npx at each call. ${why}`,
  notDownloaded: (label: string, why: string) => `warning: ${label}: ${why}`,
  withoutDownload: 'Until its server starts, the hooks that call its tools show nothing.',
  tryDownload: (command: string) => `Try it by hand: ${command}`,
  unsupportedEvent: 'no client here has this event',
  foundIn: (key: string | undefined, others: readonly string[]) =>
    `${key === undefined ? 'No hooks' : `Hooks found in ${key}`}${others.length > 0 ? `; also there, but not used: ${others.join(', ')}` : ''}`,

  ownServers: "{server} becomes the server's name, as above.",
  /** @param names Each name, with the clients that use it. */
  ownServer: (names: readonly (readonly [name: string, clients: readonly string[]])[]) => {
    const inEach =
      names.length === 1 ? () => '' : (clients: readonly string[]) => ` in ${listed(clients)}`;
    const all = names.map(([name, clients]) => JSON.stringify(name) + inEach(clients));
    return `{server} becomes ${all.join(', ')}.`;
  },

  stillThere: (where: string, labels: readonly string[], command: string, inProject: boolean) =>
    `Still installed in ${where}: ${labels.join(', ')}. Run${inProject ? ' there' : ''}: ${command}`,
  stillInstalled: (label: string) =>
    `What was installed before stays; to remove it: mcp-hooks uninstall ${label}`,

  runsIn: (folder: string | undefined, start: string) =>
    `Runs as you in ${folder ?? 'the session folder'}: ${start}`,

  copied: (exact: string, others: number, folder: string) =>
    `Started without npx, as ${exact}: where npx has it, or else from a copy${others > 0 ? ` with ${count(others, 'package')} that it needs` : ''}, in ${folder}`,

  // Grants
  grantMeans: {
    required: (hooks: string) =>
      `${hooks}. If you allow it, such a text comes first, and the model reads that you allowed it as required.`,
    'context-tool': (hooks: string) =>
      `${hooks}. The server is called each time without asking you again.`,
    block: (hooks: string) => `${hooks}. It can stop a tool call, a prompt or the end of a turn.`,
    modify: (hooks: string) =>
      `${hooks}. It can change a tool's input, and the output that the model reads.`,
    command: (hooks: string) =>
      `${hooks}. The program runs as you each time, without asking you again.`,
    'project-code': (hooks: string) =>
      `${hooks}. The program runs the current project's code, including code that changes later. In a clone, that is the clone's code.`,
  },
  grantLapsed: 'You allowed it before, but for another declaration or version.',
  notGranted: (grant: Grant, { hint }: Say) =>
    `Needs your consent (${hint(`--allow ${grant}`) || `"${RULE[grant]}": true in policy.json`}). Without it: ${WITHOUT_GRANT[grant]}.`,
  grantedBy: {
    user: 'You allow it, for this declaration only.',
    before: 'You allowed it, for this declaration only.',
    policy: 'Your policy.json allows it.',
  },
  grantQuestion: {
    required: (label: string) => `Allow ${label} to mark texts as required?`,
    'context-tool': (label: string, its = 'its') => `Let hooks of ${label} call ${its} tools?`,
    block: (label: string) => `Let ${label} stop tool calls, prompts and turns?`,
    modify: (label: string) => `Let ${label} change the input and output of tools?`,
    command: (label: string) => `Let ${label} run the programs above?`,
    'project-code': (label: string) => `Let ${label} run code of the project you are in?`,
  },
  leftOut: (hooks: string, grants: readonly Grant[], allow: string) =>
    `Skipped ${hooks}: ${grants.map((grant) => WOULD[grant]).join(', ')}. ${allow}`,
  undecided: (hooks: string, allow: string) =>
    `Only shown as text: what ${hooks} would decide. ${allow}`,
  downgraded: (hooks: string, allow: string) => `Lowered to important: ${hooks}. ${allow}`,
  /** @param installed The label and its scope, in the form of command arguments. Undefined if it is not installed yet. */
  toAllow: (installed: string | undefined, grants: readonly Grant[], say: Say) =>
    say.hint(
      `To allow it${installed === undefined ? ', add:' : `: mcp-hooks update ${installed}`} --allow ${grants.join(',')}`,
    ) || `Needed grants: ${grants.join(', ')}.`,
  savedOnly: (label: string, files: number, done: boolean) => {
    const changed = `${count(files, 'file')} ${done ? 'changed' : 'to change'}`;
    const also = files === 0 ? "no client's file changes" : changed;
    return done
      ? `Saved. No hook of ${label} is active yet; ${also}.`
      : `To save. No hook of ${label} would be active yet; ${also}.`;
  },

  /** What happens to client files: `3 files changed, 1 deleted`. */
  filesDone: (created: number, changed: number, deleted: number, done: boolean) => {
    const parts = [
      [created, done ? 'created' : 'to create'],
      [changed, done ? 'changed' : 'to change'],
      [deleted, done ? 'deleted' : 'to delete'],
    ] as const;
    const isNone = created + changed + deleted === 0;
    return parts
      .filter(([files], index) => files > 0 || (isNone && index === 1))
      .map(([files, what], index) => `${index === 0 ? count(files, 'file') : files} ${what}`)
      .join(', ');
  },

  altered: (events: string, label: string) =>
    `a hook for ${events} runs ${label}, but was edited; left unchanged.`,
  originals: {
    out: 'These hooks were written by hand and do the same. They are taken out, and an uninstall puts them back:',
    twice: (say: Say) =>
      `These hooks were written by hand and do the same, so they run twice.${say.hint(' To take them out, add --replace-originals.')}`,
    stays: 'These hooks were written by hand and do the same. They stay:',
    back: 'These hooks, which were written by hand, are put back:',
  },
  original: (place: string, hook: string, command: string) => `${place}: ${hook}: ${command}`,
  originalsQuestion: (many: number) =>
    `Take ${many === 1 ? 'this hook' : `these ${many} hooks`} out, so that nothing runs twice?`,
  nextOriginals: 'take out what was written by hand',
  runsTwice: (many: number, files: string) =>
    `${many === 1 ? '1 hook that was written by hand runs' : `${many} hooks that were written by hand run`} twice: in ${files}. To take ${many === 1 ? 'it' : 'them'} out, add --replace-originals.`,
  servers: {
    added:
      'The server is added to these clients, which then start it themselves; an uninstall takes it out:',
    /** @param clients Empty for all clients of the plan. */
    missing: (clients: readonly string[], say: Say) =>
      `${clients.length === 0 ? 'These clients' : listed(clients)} ${clients.length === 1 ? 'lacks' : 'lack'} the server${say.hint('; --with-server adds it')}.`,
    'not-added': 'The server is not added to these clients:',
    removed: 'The server is taken out of these clients:',
    changed: 'The server starts in another way now, so its entry changes in these clients:',
    left: 'The server stays as it is in these clients:',
    question: (clients: readonly string[]) => `Add the server to ${listed(clients)}?`,
  },
  /** @param set Variables that the user has to set. @param command The client's own command that adds the server. */
  server: (
    place: string,
    entry: string | undefined,
    { set, why, command }: { set: string; why: string | undefined; command: string | undefined },
  ) =>
    [
      place + (entry === undefined ? '' : `: ${entry}`) + (why === undefined ? '' : `: ${why}.`),
      ...(set === '' ? [] : [`(no value is copied: set ${set} where you start it)`]),
      ...(command === undefined ? [] : [`To add it yourself: ${command}`]),
    ].join(' '),
  copyGoes: (file: string) => `the copy of its entries in ${file} is removed.`,
  leftBehind: (clients: string, label: string, update: string | undefined) =>
    `${clients}: the earlier install of ${label} stays, with its grants. ${update === undefined ? 'Leave out --client to replace it too.' : `To update it too: ${update}`}`,

  /** @param command The command that removes the other install. */
  alsoInstalled: (label: string, there: string, folder: string, command: string, say: Say) =>
    `${label} is also installed in ${there}: in ${folder} its hooks run twice.${say.hint(` To remove it there: ${command}`)}`,

  // Another source under the same name
  /** @param clients From which the server that was added there is taken out. */
  replaces: (label: string, before: string, now: string, clients: readonly string[]) =>
    `${label} is installed from ${before}, and this is from ${now}. This would replace the installed server: its hooks and grants would be removed${clients.length > 0 ? `, and so would the server that it added to ${listed(clients)}` : ''}.`,
  needsReplace: (label: string, before: string, now: string) =>
    `${label} is installed from ${before}, and this is from ${now}. The same name does not mean the same server, so --yes does not replace it. ${NOTHING} To replace it, add --replace. To keep both, add --name <label> with another name.`,
  replacesPart: (label: string, before: string, clients: string) =>
    `${label} is also installed in ${clients}, from ${before}, and one label is one server. ${NOTHING} Leave out --client, or take it out there first: mcp-hooks uninstall ${label}.`,
  replaceQuestion: (label: string) => `Replace ${label}?`,
  policyByName: (rules: string) =>
    `Your policy.json has rules that allow this name more than others, and they apply: ${rules}.`,
  policyOfOther: (rules: string, other: string, say: Say) =>
    `Your policy.json allows this name more than others. That was for ${other}, so it does not apply here: ${rules}.${say.hint(' To apply it, add --allow policy.')}`,

  // Updating
  declaresSame: 'has not changed since you approved it.',
  declaresElse: (facts: string) => `has changed since you approved it: ${facts}.`,
  hookRemoved: (number: number) => `removed: what was hook ${number}`,
  hookAdded: (number: number) => `added: hook ${number}`,
  hookChanged: (number: number, was?: number) =>
    `changed: hook ${number}${was === undefined ? '' : `, which was hook ${was}`}`,
  hookAllowed: (number: number) => `hook ${number} (unchanged) needs your consent`,
  skippedNow: (hooks: string) => `${hooks} skipped until you allow it again`,
  launchChanged: 'changed: how its server is started or reached',
  launchMasked:
    'The change is in where it is configured, or in a word that is hidden because it may be a secret: check its configuration.',
  notKept: (label: string) =>
    `What you approved when you installed ${label} is not on record, so this is everything it declares now.`,
  stays: (why: string, command: string) =>
    `${why} What is installed stays; to remove it: ${command}`,
  // Signing in, and headers
  signInQuestion: (server: string) => `${server} wants you to sign in. Open a browser now?`,
  signedIn: (server: string, file: string) =>
    `Signed in to ${server}. The token is in ${file}; mcp-hooks logout ${quoted(server)} removes it.`,
  signedInAlready: (server: string) => `You are signed in to ${server}.`,
  noSignInNeeded: (server: string) => `${server} does not require signing in.`,
  signedOut: (server: string) =>
    `Signed out of ${server}: the token is deleted here. The server was not notified.`,
  notSignedIn: (server: string) => `You are not signed in to ${server}.`,
  askingWhoYouAre: (server: string) => `Asking ${server} ...`,
  headerNotKept: (names: readonly string[]) =>
    `The value of ${names.join(', ')} is used once and not saved: hooks will not call tools of this server. Use an environment variable instead: --header '${names[0]}: \${NAME}'.`,
  calledAsUser: 'If you have signed in there (mcp-hooks login), calls use your sign-in',

  // Clients and places
  noLocal: (client: string, id: string, folder: string | undefined, say: Say) =>
    `${client} ${folder === undefined ? 'reads no hooks of a project' : 'has no settings file that is yours alone in a project'}, so nothing is installed in it.${say.hint(` ${otherScopes(id, folder)}`)}`,
  withoutLocal: 'nothing installed',
  shared: (instead: string) =>
    `this file is shared with everyone who works on the project, and the entry names a path in your home. ${instead}`,
  trackedShared: (instead: string) =>
    `git tracks this file: your next commit would share the entry, which names a path in your home. ${instead}`,
  useLocal: (file: string, say: Say) =>
    `Local scope${say.hint(' (--scope local)')} writes to ${file} instead, which only you use.`,
  noLocalInstead: (client: string, say: Say) =>
    `${client} has no settings file that is yours alone in a project: install in user scope${say.hint(' (--scope user)')}, or keep this file out of your commits.`,
  trackedLocal: (command: string) =>
    `git tracks this file, which only you should use: your next commit would share the entry, which names a path in your home. Take it out of git: ${command}`,
  notIgnored: (file: string) =>
    `git does not ignore this file, which only you should use: the entry, which names a path in your home, could be committed by accident. Add ${file} to the .gitignore of this folder.`,

  // Applying
  /** @param files How many client files change. 0 if only our own folder changes. */
  applyQuestion: (files: number) =>
    files === 0 ? 'Apply?' : `Apply changes to ${count(files, 'file')}?`,
  needsTrust: ' (needs trust)',
  allClients: 'all clients',
  noChange: ' (no change)',
  ownCode: (lines: number) =>
    `${lines} more lines: the code of mcp-hooks, the same for every server. --verbose shows them.`,
  skipped: (hooks: string) => `${hooks} skipped.`,
  nextTrust: (client: string) => `let ${client} run the hooks`,
  theseClients: 'these clients',
  nextAllow: {
    leftOut: (hooks: string) => `allow ${hooks}`,
    downgraded: (hooks: string) => `let ${hooks} count as required`,
    undecided: (hooks: string) => `let ${hooks} decide, not only add text`,
  },
  nextCheck: 'check that they fire',
  nextUndo: 'undo',
  restart: (clients: readonly string[]) => `Restart ${listed(clients)} if running.`,
  /** @param others IDs of the clients whose files are not refused. */
  refused: (many: number, others: readonly string[], writes = true) =>
    `${writes ? `${NOTHING} ` : ''}Fix the refused ${many === 1 ? 'file' : 'files'}, then run this command again.${others.length > 0 ? ` Without ${many === 1 ? 'that client' : 'those clients'}: --client ${others.join(',')}` : ''}`,
  onlyPlanned: 'Nothing was written: this is the plan. To carry it out, add --yes.',
  strictRefused: `--strict: not every hook arrives exactly as declared. ${NOTHING}`,
  strictTooOld: ({ name, minimum }: Client, version: string) =>
    `--strict: ${name} ${version} is too old, and ${minimum} or newer is needed. ${NOTHING}`,
  strictDoubtful: `--strict: not every hook can do what it seems meant to do. ${NOTHING}`,
  ledgerBroken: (path: string, aside: string) =>
    `${path}, the record of what is installed, cannot be read. It is moved to ${aside}. Entries are recognised by their commands; install your servers again.`,
  ledgerUnread: (path: string) =>
    `${path}, the record of what is installed, cannot be read. Entries are recognised by their commands: install and uninstall still work.`,

  // Whether hooks fire
  statusUnknown: (label: string, why: string) =>
    `It is installed, but mcp-hooks cannot tell whether it fires: ${why.replace(/\.$/, '')}. To check again: mcp-hooks doctor ${label}`,
  blockedBy: ({ check, brief }: Pick<CheckFinding, 'check' | 'brief'>) =>
    brief === undefined ? (BLOCKED_BY[check] ?? check) : sentence(brief),
  leftOutBecause: {
    grant: (events: readonly string[], grants: readonly Grant[] = []) =>
      `${listed(events)} ${events.length > 1 ? 'need' : 'needs'} --allow ${grants.join(',')}`,
    policy: (events: readonly string[]) =>
      `${listed(events)} ${events.length > 1 ? 'exceed' : 'exceeds'} hooksPerServer`,
    declaration: (events: readonly string[]) =>
      `${listed(events)} ${events.length > 1 ? 'are' : 'is'} switched off`,
    client: (events: readonly string[], _: readonly Grant[] = [], why = 'not possible here') =>
      `${listed(events)}: ${why}`,
  },
  noHookInstalled: 'no hook installed',
  intactIn: (clients: number) => `intact in ${clients} clients (--verbose names their files)`,
  installedBut: (some: readonly NotFiring[]) => `intact, but ${messages.notFiring(some)}`,
  notFiring: (some: readonly NotFiring[]) => some.map(notFiringInWords).join('; '),
  notedOnly: (native: string, others: string) =>
    `${native} shows nothing itself; the text comes with ${others}`,
  untried: ({ why, grants = [] }: Pick<Untried, 'why' | 'grants'>) =>
    why === 'grant' ? `needs --allow ${grants.join(',')}` : 'exceeds hooksPerServer',
  someTried: (tried: number, all: number) => `${tried} of ${count(all, 'hook')} tried.`,
  nothingToFire: 'no hooks installed',
  installedPart: (installed: number, declared: number, reasons: string) =>
    `${installed} of ${declared} hooks (${reasons})`,
  doesNotFire: (clients: readonly string[], { numbers, why }: NotFiring) =>
    numbers
      ? `${capital(hooksInWords(numbers))} ${doesNot(numbers)} fire in ${listed(clients)}: ${whyInWords(why)}.`
      : `No hook fires in ${listed(clients)}: ${whyInWords(why)}.`,

  // Firing to demonstrate hooks
  /** Printed before a text. @param blocked Clients where something prevents the hook from firing. */
  readBy: (readers: readonly string[], blocked: readonly string[]) => {
    if (readers.length === 0) return `${listed(blocked)} would read:`;
    const too = blocked.length === 0 ? '' : ` (${listed(blocked)} would, too)`;
    return `${listed(readers)} ${readers.length === 1 ? 'reads' : 'read'}${too}:`;
  },
  fireAgain: (flags: string) => `One hook fires only after repeats: add ${flags}`,
  noSuchNative: (event: string) => `it has no event ${event} that mcp-hooks uses`,
  nothingInstalled: NOTHING_INSTALLED,
  onlyShipped: 'mcp-hooks has installed nothing.',
  nothingInstalledYet: `${NOTHING_INSTALLED} ${FIND_HOOKS}`,
  /** @param next The command for hooks that apply here. */
  nothingInstalledIn: (
    where: string,
    elsewhere: readonly string[],
    next: Record<'place' | 'line', string> | undefined,
  ) =>
    `Nothing is installed in ${where}. Installed: ${elsewhere.join(', ')}.${next ? ` For ${next.place}: ${next.line}` : ''}`,
  managed: (client: string) => `${client}, from the administrator of this machine`,
  managedGone: (client: string) =>
    `${client}, from the administrator of this machine, but the runner is missing`,
  copyListed: (exact: string, folder: string) => `${exact}, without npx  ${folder}`,
  serversListed: (all: readonly AddedNamed[]) => {
    const clientsIn = (state: AddedNamed['state']) =>
      listed(all.flatMap((one) => (one.state === state ? one.client : [])));
    const ends = [
      ['as added', 'in'],
      ['changed', 'changed since in'],
      ['gone', 'gone from'],
      ['unread', 'unreadable in'],
    ] as const;
    const parts = ends.flatMap(([state, words]) => {
      const clients = clientsIn(state);
      return clients === '' ? [] : `${words} ${clients}`;
    });
    const names = listed([...new Set(all.map(({ name }) => name))]);
    return `added the server ${names}: ${parts.join('; ')}`;
  },
  installedUnknown: 'mcp-hooks cannot tell what is installed.',
  /** Labels that take less than a second are not named. The count shows that they are done. */
  verifying: (label: string, number: number, all: number) =>
    `Running the hooks of ${label}${all > 1 ? ` (${number} of ${all})` : ''} ...`,
  notInThisFolder: ', but not in this folder until you trust it',
  readyUntil: {
    conditions: (which: string) => `${which}: when its conditions hold`,
    program: (which: string) => `${which}: when its program prints something`,
  },
  offByPolicy: (which: string) => `${which}: your policy.json switches it off`,
  mute: (
    label: string,
    { hooks, path, undo }: { hooks: readonly string[]; path: string; undo: string },
  ) =>
    hooks.length === 0
      ? `All hooks of ${label} are muted now, in ${path}. To undo: ${undo}`
      : `Muted in ${path}: ${label} ${hooks.join(', ')}. To undo: ${undo}`,
  unmute: (label: string, hooks: readonly string[], wereMuted: boolean) => {
    if (hooks.length === 0)
      return wereMuted
        ? `No hook of ${label} is muted any more.`
        : `No hook of ${label} was muted.`;
    const which = `${label} ${hooks.join(', ')}`;
    return wereMuted ? `No longer muted: ${which}.` : `Not muted before: ${which}.`;
  },
  switchedOff: 'your policy.json switches it off',
  /** @param clients Clients that nobody has run with our hooks. */
  untested: (clients: readonly string[]) =>
    `Untested in ${listed(clients)}: based on ${clients.length > 1 ? 'their' : 'its'} documentation.`,
  nothingFires: 'Nothing to fire.',
  allOff: 'Nothing fires: every hook is switched off.',
  /** @param trustIn The clients that run no hooks in this folder until the user trusts it. */
  allFire: (hooks: string, clients: string, trustIn: readonly string[]) =>
    `Everything fires${onceTrusted(trustIn)}: ${hooks} in ${clients}.`,
  someReady: (fire: number, ready: number, clients: string, trustIn: readonly string[]) =>
    fire === 0
      ? `Depends on conditions: ${count(ready, 'hook')} in ${clients}${onceTrusted(trustIn)}.`
      : `${count(fire, 'hook')} ${fire === 1 ? 'fires' : 'fire'} in ${clients}${onceTrusted(trustIn)}. Depends on conditions: ${count(ready, 'hook')}.`,
  /**
   * @param hooks How many hooks do not fire; 0 if it is unknown which hooks an event has.
   * @param clients Where they do not fire. Empty for all clients.
   */
  notAllFire: (
    hooks: number,
    { isNone, clients }: { readonly isNone: boolean; readonly clients: readonly string[] },
  ) => {
    const where = clients.length === 0 ? '' : ` in ${listed(clients)}`;
    if (hooks > 0)
      return `${count(hooks, 'hook')} ${hooks === 1 ? 'does' : 'do'} not fire${where}.`;
    return isNone ? 'Nothing that is installed fires.' : 'Not everything that is installed fires.';
  },
  unmatched: {
    part: (wanted: string, got: string) => `${wanted} was not found in ${got}`,
    whole: (wanted: string, got: string) => `${wanted} does not match ${got}`,
  },
  unmet: 'its matcher can never match',
  firing: (label: string, client: string) => `Firing the hooks of ${label} in ${client} ...`,

  /** @param texts How the hooks name tools of the missing server. */
  noSuchServer: (
    label: string,
    clients: readonly string[],
    hooks: readonly number[],
    texts: readonly string[],
  ) =>
    `${label}, ${hooksInWords(hooks)}: no MCP server for ${listed(texts)} in ${listed(clients)}.`,

  // The log
  nothingSaid:
    'No hook has fired yet. (A hook that adds nothing is not logged; mcp-hooks list shows whether everything is in place.)',
  /** What happened to an event because a deciding hook failed. */
  failed: {
    allow: (hook: number) => `hook ${hook} failed and let it pass`,
    'allow-again': (hook: number) =>
      `hook ${hook} failed and let it pass, after ten minutes of blocking`,
    deny: (hook: number) => `hook ${hook} failed and blocked it`,
  } satisfies Record<
    NonNullable<LogEntry['onFailure']>[number]['action'],
    (hook: number) => string
  >,
  inBackground: (hooks: readonly number[] | undefined) =>
    `${hooks === undefined ? '' : `hook ${hooks.join(', ')}: `}started in the background`,
  failedBecause: (why: string) => `failed: ${why}`,
  /** @param hook Undefined if it is obvious which hook decided. */
  decided: (action: Decision, hook?: number, reason?: string) => {
    const what = { block: 'blocked', modify: 'changed' }[action];
    const by = hook === undefined ? what : `hook ${hook} ${what} it`;
    return reason === undefined ? by : `${by}: ${reason}`;
  },
  changedInto: (before: string, after: string) => `${before} -> ${after}`,
  byHooks: (numbers: readonly number[]) => `hook ${numbers.join(', ')}`,
  chars: (many: number) => count(many, 'char'),
  ms: (many: number) => `${many} ms`,
  trial: 'trial',
  /** Printed below a log: its totals, and how to see the rest. */
  logged: ({ firings, failed, dropped, blocked, changed, earlier }: Logged) => {
    const parts = [
      [failed, 'failed'],
      [dropped, 'dropped'],
      [blocked, 'blocked'],
      [changed, 'changed'],
    ] as const;
    const some = parts.flatMap(([many, what]) => (many > 0 ? `${many} ${what}` : []));
    const all = `${[count(firings, 'firing'), ...some].join(', ')}.`;
    return earlier === 0 ? all : `${all} ${earlier} earlier: --last 0 shows all.`;
  },
  /** The quoted words come from a program. They are escaped, so no quote in them can end ours. */
  warned: (warnings: readonly string[]) =>
    `warned: ${warnings.map((one) => JSON.stringify(one)).join(', ')}`,
  onlyTrials: (all: number) =>
    `No hook has fired in a client yet. To see the ${all === 1 ? 'one that' : `${all} that`} fire and verify ran, add: --trials`,
  statsNotes: (slow: number, untimed: boolean): string[] => [
    ...(slow > 0
      ? [`${count(slow, 'row')} over the limit: such a hook should take less time.`]
      : []),
    ...(untimed
      ? ['-: answered by the shell alone, which takes a few milliseconds (not timed).']
      : []),
  ],
  sending: (label: string, endpoint: string) =>
    `Sending the metrics of ${label} to ${endpoint} ...`,
  sent: (label: string, firings: number, endpoint: string) =>
    `Sent ${count(firings, 'firing')} of ${label} to ${endpoint}.`,
  nothingToSend: 'Nothing was sent: no hook has fired since the last time.',
  conforming: (passed: number, all: number) => `${passed} of ${count(all, 'case')} passed.`,
  noneFits: (all: number) => `Nothing in the log matches (${count(all, 'firing')}).`,
  earlier: (left: number) =>
    `${left === 1 ? '1 earlier firing is' : `${left} earlier firings are`} not shown: --last 0 shows all.`,
  linesSkipped: (lines: number, files: readonly string[]) =>
    `${lines === 1 ? '1 line was skipped because it is' : `${lines} lines were skipped because they are`} cut off or not the runner's, in ${files.join(', ')}.`,

  // Real clients
  running: (client: string, label: string) => `Running ${client} with the hooks of ${label} ...`,
  clientMissing: ({ name, executable, npmPackage }: Client) =>
    `${name} is not on this machine (no ${executable} on the PATH), so nothing was tried. Install it${byNpm(npmPackage, '', '-g')}`,
  clientTooOld: ({ name, minimum, npmPackage }: Client, version: string) =>
    `${name} ${version} is too old for these hooks (${minimum} or newer is needed), so nothing was tried. Update it${byNpm(npmPackage, '@latest', '-g')}`,
  clientTrouble: {
    'too-long': (name: string, seconds: string) =>
      `${name} did not finish within ${duration(Number(seconds))} and was stopped.`,
    exit: (name: string, code: string) => `${name} ended with exit code ${code}.`,
    loopback: (_: string, why: string) =>
      `Nothing can listen on 127.0.0.1 here, so there is no model to stand in for the real one: ${why}.`,
    failed: (name: string, why: string) => `${name} could not be run: ${why}`,
  },
  lastWords: 'The end of its output:',
  notAsInstalled: (label: string, drift: string) =>
    `${label} is not as it was installed: ${drift}. Install it again to fix that.`,
  programBroken: (native: string) =>
    `The runner's program for ${native} is missing or cannot be read.`,
  calledForNothing: 'the tool was called, but it returned no text',
  readyToShow: 'it added no text here: that depends on its conditions or its program',
  calledOnly: 'the tool was called when the session ended; its reply is not shown',
  noScript: (name: string) => `no script can trigger this in ${name}`,
  needsNetwork: (launcher: string, packages: readonly string[]) =>
    `${launcher} may have to download ${packages.join(', ') || 'its server'} first, and this runs without a network`,
  notArrived: {
    entry: ({ what, file }: Missing) => `there is no entry for ${what} in ${file}`,
    policy: ({ what }: Missing) => what,
    reason: ({ what }: Missing) => `the runner reports: ${what}`,
    dropped: ({ client }: Missing) => `the hook ran, but ${client.name} dropped its text`,
    'no-text': ({ label, event, client }: Missing) =>
      `the hook did not run, or added no text: mcp-hooks fire ${label} ${event} --client ${client.id}`,
    session: () => 'the session did not finish',
  },
} as const;

type ProblemLevel = Problem['level'];

/** `2 errors, 1 warning`. */
const problemsInWords = (levels: readonly ProblemLevel[]): string =>
  (['error', 'warning', 'note'] as const)
    .map((level) => ({ level, many: levels.filter((one) => one === level).length }))
    .filter(({ many }) => many > 0)
    .map(({ level, many }) => count(many, level))
    .join(', ');

/** Numbers of firings. */
type Logged = Readonly<
  Record<'firings' | 'failed' | 'dropped' | 'blocked' | 'changed' | 'earlier', number>
>;

/** Hooks that do not fire for the same reasons. If `numbers` is undefined, all hooks. */
export interface NotFiring {
  readonly numbers: readonly number[] | undefined;
  readonly why: readonly Pick<CheckFinding, 'check' | 'brief'>[];
}

function whyInWords(why: NotFiring['why']): string {
  const codes = why.map(({ brief }) => brief?.code);
  const isBoth = codes.includes('not-trusted') && codes.includes('changed-since-trusted');
  const isTrust = (code: string | undefined) =>
    code === 'not-trusted' || code === 'changed-since-trusted';
  const others = why.filter((_, index) => !isBoth || !isTrust(codes[index]));
  return [
    ...(isBoth
      ? ['some hooks are not trusted yet, others have changed since you trusted them']
      : []),
    ...new Set(others.map(messages.blockedBy)),
  ].join(', ');
}

const notFiringInWords = ({ numbers, why }: NotFiring): string =>
  `${numbers ? `${hooksInWords(numbers)} ` : ''}${doesNot(numbers)} fire: ${whyInWords(why)}`;

const doesNot = (numbers: readonly number[] | undefined): string =>
  numbers === undefined || numbers.length === 1 ? 'does not' : 'do not';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
