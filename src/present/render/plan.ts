/** A plan as text for people, and the same facts as JSON for scripts. */

import { formatPatch, structuredPatch } from 'diff';
import type { Client } from '../../clients/contract.ts';
import type { Selection } from '../../clients/detect.ts';
import { tilde } from '../../clients/places.ts';
import { trustOf } from '../../clients/registry.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import {
  type FoundIn,
  onlyIn,
  type ServerHooks,
  type Unasked,
} from '../../declaration/declared.ts';
import { type Grant, neededBy } from '../../declaration/grants.ts';
import { onFailureOf, RULES } from '../../declaration/policy.ts';
import { ANYTHING, type Placed } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import type { PlannedServer } from '../../install/added-servers.ts';
import type { Changes } from '../../install/consent/changes.ts';
import { denied } from '../../install/consent/grants.ts';
import type { PlannedOriginal } from '../../install/originals.ts';
import { isNothing, type Plan, sourceInWords } from '../../install/plan.ts';
import type { ClientPlan, FileChange } from '../../install/planned-file.ts';
import { scopeFlag, siteInWords, siteJson, siteOf } from '../../install/site.ts';
import { canonical } from '../../system/fingerprint.ts';
import { count, hooksInWords, listed } from '../../system/plurals.ts';
import { redactor } from '../../system/secrets.ts';
import { table } from '../../system/table.ts';
import {
  cut,
  PLAIN_COLUMNS,
  paint,
  paintDiff,
  type Terminal,
  wrap,
} from '../../system/terminal.ts';
import { inLine, visible } from '../../system/visible.ts';
import { placeIn, type Say } from '../../system/words.ts';
import { capital, messages } from '../messages/output.ts';
import { bare, librarySentence, sentence, sentences } from '../messages/sentence.ts';
import { grouped, merged, sameIn } from '../messages/several.ts';
import { trustMessages } from '../messages/trust.ts';
import { hookInWords } from '../messages/words.ts';
import { clientView, stopped, withoutScope } from './client-view.ts';
import { losing, showDeclared } from './declared.ts';
import { headed } from './lines.ts';
import {
  exceptionInWords,
  exceptionsOf,
  joined,
  type LoweredIn,
  namingOf,
  showExceptions,
  showGrades,
} from './lowered.ts';
import type { Step } from './status.ts';
import { failureOf, launchOf, notDenied, notUnderstood, serverInWords } from './words.ts';

export interface Shown {
  readonly plan: Plan;
  readonly declared?: ServerHooks;
  readonly selection: Selection;
  /** The server's hooks in words. Absent if they were already shown. */
  readonly introduce?: () => string;
  /** How the hooks differ from what the user agreed to before. Null if that is unknown; absent if nothing was installed. */
  readonly changes?: Changes | null;
  /** Clients outside this selection that keep another declaration under the label. */
  readonly behind?: readonly Client[];
  /** Hooks that a client runs without asking, because it trusted the same ones before. */
  readonly trusted?: readonly CarriedOver[];
  /** Also let clients trust what is written, if they require that. */
  readonly trust?: boolean;
  readonly verbose?: boolean;
  /** Also show how each file changes, line by line. */
  readonly diff?: boolean;
  /** Show only clients whose file is refused. */
  readonly brief?: boolean;
  /** By default, the wording of the command line. */
  readonly say?: Say;
}

/** The plans of one label, or of several labels that are installed in one run. */
export type Plans = readonly [Shown, ...Shown[]];

export interface CarriedOver {
  readonly client: Client;
  readonly groups: readonly Placed[];
}

/** The hooks as declared, then how they arrive in each client and, on request, how the client's file changes. */
export const showPlan = (terminal: Terminal, shown: Shown): string =>
  [...(shown.introduce ? [shown.introduce()] : []), showEffects(terminal, [shown])]
    .filter((part) => part !== '')
    .join('\n\n');

/** The effects of one label or several, printed once if they are the same. Several labels have the same clients. */
export function showEffects(terminal: Terminal, all: Plans): string {
  const [first] = all;
  const { plan, selection } = first;
  const { home } = plan.places;
  const parts: string[] = [];
  for (const { declared, verbose, say = sentence } of all) {
    if (!declared) continue;
    const of = all.length > 1 ? `${declared.label}: ` : '';
    for (const { level, message } of declared.problems)
      parts.push(headed(terminal, 'yellow', level, of + inLine(say(message))));
    if (verbose && declared.found)
      parts.push(paint(terminal, 'dim', of + foundInWords(declared.found)));
  }
  const { aside, path } = plan.ledger;
  if (aside) {
    const broken = messages.ledgerBroken(
      inLine(tilde(path, home)),
      inLine(tilde(aside.path, home)),
    );
    parts.push(`${paint(terminal, 'yellow', 'warning')}: ${broken}`);
  }
  for (const words of all.flatMap(sourceNotes))
    parts.push(headed(terminal, 'yellow', 'note', words));
  const clients = showClients(terminal, all);
  if (clients.length > 0) parts.push(clients.join('\n'));
  const originals = all.flatMap((one) => showOriginals(terminal, one.plan, one.say));
  const servers = all.flatMap((one) => showServers(terminal, one.plan, one.say));
  for (const lines of [originals, servers]) if (lines.length > 0) parts.push(lines.join('\n'));
  if (first.diff) parts.push(...all.flatMap((one) => showDiffs(terminal, one)));

  const lines: string[] = [];
  const found = selection.clients
    .filter(({ id }) => first.diff && selection.found[id] !== undefined)
    .map(({ id, name }) => `${name} (${selection.found[id]})`);
  const listClients = (head: string, names: readonly string[]) => {
    const words = `${head}: ${names.join(', ')}`;
    if (names.length > 0)
      lines.push(paint(terminal, 'dim', wrap(words, terminal.columns, '  ', '')));
  };
  listClients('Found', found);
  listClients(
    'Not found',
    selection.missing.map(({ client }) => client.name),
  );
  // Everything about clients stays together, unless the diffs come in between.
  const last = first.diff ? [] : parts.splice(-1);
  return [...parts, [...last, ...lines].join('\n')].filter((part) => part !== '').join('\n\n');
}

/** What happens to hand-written hooks, each with its place. */
export function showOriginals(
  terminal: Terminal,
  { originals = [], places }: Plan,
  say: Say = sentence,
): string[] {
  const { out, stays, back } = messages.originals;
  const heads = { twice: messages.originals.twice(say), stays, out, back };
  return (['twice', 'stays', 'out', 'back'] as const).flatMap((action) => {
    const some = originals
      .filter((one) => one.action === action)
      .toSorted((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : 0));
    if (some.length === 0) return [];
    const isWarning = action === 'twice' || action === 'stays';
    const head = isWarning
      ? headed(terminal, 'yellow', 'warning', heads[action])
      : headed(terminal, 'dim', 'note', heads[action]);
    const reason = ({ why }: PlannedOriginal) => why && say(why);
    const lines = grouped(some, (one) => reason(one) ?? '').flatMap((alike) => {
      const why = reason(alike[0]);
      const indent = why === undefined ? '  ' : '    ';
      return [
        ...(why === undefined ? [] : [wrap(`${capital(why)}:`, terminal.columns, '  ')]),
        ...alike.map((one) =>
          cut(`${indent}${originalInWords(one, places.home)}`, terminal.columns),
        ),
      ];
    });
    return [head, ...lines];
  });
}

function originalInWords(one: PlannedOriginal, home: string): string {
  const { path, line, column, event, matcher, command } = masked(one);
  const place = placeIn(inLine(tilde(path, home), 500), line, column);
  const hook = hookInWords(inLine(event, 100), matcher);
  return messages.original(place, hook, inLine(command, 1000));
}

/** Without possible secrets in what was written by hand. */
function masked(one: PlannedOriginal): PlannedOriginal {
  const hide = redactor({});
  const { event, matcher, command } = one;
  const matched = matcher === undefined ? {} : { matcher: hide(matcher) };
  return { ...one, event: hide(event), ...matched, command: hide(command) };
}

const originalsJson = ({ originals }: Plan) =>
  originals?.map(masked).map(({ client, why, ...one }) => ({
    ...one,
    client: client.id,
    ...(why && { why: { code: why.code, message: sentence(why) } }),
  }));

/** What happens to the server in each client's server file. */
export function showServers(
  terminal: Terminal,
  { servers = [], places }: Plan,
  say: Say = sentence,
): string[] {
  return (['added', 'not-added', 'changed', 'removed', 'left'] as const).flatMap((action) => {
    const some = servers.filter((one) => one.action === action);
    if (some.length === 0) return [];
    const isWarning = action === 'not-added' || action === 'left';
    return [
      headed(
        terminal,
        isWarning ? 'yellow' : 'dim',
        isWarning ? 'warning' : 'note',
        messages.servers[action],
      ),
      ...some.map((one) => `  ${serverLine(one, places.home, say)}`),
    ];
  });
}

function serverLine(one: PlannedServer, home: string, say: Say): string {
  const { client, path, name, entry, variables = [], why, command } = one;
  const place =
    path === undefined ? client.name : `${client.name}, ${inLine(tilde(path, home), 500)}`;
  const written = entry && `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
  return messages.server(place, written && inLine(written, 2000), {
    set: inLine(listed(variables), 500),
    why: why && inLine(say(why), 1000),
    command,
  });
}

const serversJson = ({ servers, places }: Plan) =>
  servers?.map(({ client, why, change, ...one }) => ({
    ...one,
    client: client.id,
    ...(why && { why: { code: why.code, message: sentence(why) } }),
    diff: diffOf({ ...one, ...(change && { change }) }, places.home),
  }));

/** The grades in a table, then problems, then exceptions and notes. */
function showClients(terminal: Terminal, all: Plans): string[] {
  const [{ plan, say, brief }] = all;
  const rows = grouped(
    all.flatMap((shown) => shown.plan.clients.map((one) => ({ one, shown }))),
    ({ one }) => (one.compiled ? one.client.id : `${one.client.id} ${one.path}`),
  ).map(([{ one, shown }, ...others]) =>
    together(
      loweredIn(one, shown),
      others.map((other) => loweredIn(other.one, other.shown)),
    ),
  );
  const without = withoutScope(plan, say).map(({ client }): LoweredIn => {
    return { client, hooks: [], note: { text: messages.withoutLocal, style: 'red' } };
  });
  const number = Math.max(0, ...rows.map(({ hooks }) => hooks.length));
  const naming = namingOf(
    all.map(({ plan: { label }, declared }) => [label, declared?.hooks.length ?? 0]),
  );
  const exceptions = exceptionsOf(rows, say);
  const remarks = all.length === 1 ? remarksOf(all[0]) : remarksOfEach(all);
  const shown = brief ? rows.filter(({ note }) => note.style === 'red') : rows;
  return [
    ...showGrades(terminal, [...shown, ...without], naming),
    ...showRemarks(
      terminal,
      remarks.filter(({ level }) => level !== 'note'),
    ),
    ...showExceptions(terminal, all.length > 1 ? joined(exceptions) : exceptions, number, naming),
    ...showRemarks(
      terminal,
      remarks.filter(({ level }) => level === 'note'),
    ),
  ];
}

/** Merges the rows of several labels for the same client. */
function together(first: LoweredIn, others: readonly LoweredIn[]): LoweredIn {
  if (others.length === 0) return first;
  const rows = [first, ...others];
  const refused = rows.filter(({ note }) => note.style === 'red');
  const changed = rows.filter(({ note }) => !note.text.endsWith(messages.noChange));
  const [worst] = [refused, changed, rows].filter((some) => some.length > 0);
  const text = inOne([...new Set(worst?.map(({ note }) => note.text))]);
  // With only some of the rows, the hook numbers would be wrong.
  const hooks = refused.length > 0 ? [] : rows.flatMap((row) => row.hooks);
  return { ...first, hooks, note: { ...(worst?.[0] ?? first).note, text } };
}

function loweredIn(one: ClientPlan, { plan, trust }: Shown): LoweredIn {
  const { client, compiled, refusal, change } = one;
  const file = tilde(one.path, plan.places.home);
  if (refusal) return { client, hooks: [], note: { text: `${file}: refused`, style: 'red' } };
  const asks = change && compiled && compiled.groups.length > 0 && trustOf(client) !== undefined;
  const text = change
    ? `${file}${asks && !trust ? messages.needsTrust : ''}`
    : `${file}${messages.noChange}`;
  return { client, hooks: compiled?.hooks ?? [], note: { text, style: 'dim' } };
}

/** How each client's file changes. */
export const showDiffs = (terminal: Terminal, { plan, verbose = false }: Shown): string[] =>
  [plan.clients, plan.servers ?? [], plan.trust ?? []].flat().flatMap((one) => {
    const diff = diffOf(one, plan.places.home, verbose);
    return diff === '' ? [] : [paintDiff(terminal, diff.trimEnd())];
  });

interface Remark {
  readonly level: 'refused' | 'warning' | 'note';
  readonly text: string;
  /** Undefined if the text names the client. */
  readonly client?: Client;
  /** The message of the text, if the messages of several labels can be merged. */
  readonly message?: OwnServerMissing;
}

type OwnServerMissing = Extract<CompileMessage, { readonly code: 'own-server-missing' }>;

const LEVELS = { refused: 'red', warning: 'yellow', note: 'dim' } as const;

/** Remarks about clients, apart from their hooks: each remark once, with all clients that it applies to. */
const showRemarks = (terminal: Terminal, remarks: readonly Remark[]): string[] =>
  grouped(remarks, ({ level, text }) => `${level} ${text}`).map((some) => {
    const [{ level, text }] = some;
    const clients = some.flatMap(({ client }) => client?.name ?? []);
    const about = clients.length > 0 ? `${listed(clients)}: ` : '';
    return headed(terminal, LEVELS[level], level, about + text, '  ');
  });

const remarksOf = (shown: Shown): Remark[] => [
  ...shown.plan.clients.flatMap((one) => remarksIn(one, shown)),
  ...notesOf(shown),
];

/** Several files. Those of labels that have one each are a pattern. */
function inOne(files: readonly string[]): string {
  const pattern = `$1.*$2 (${count(files.length, 'file')})`;
  const named = files.map((one) => one.replace(/(\/mcp-hooks)\.[^/]+(\.\w+)/, pattern));
  const [only, ...others] = new Set(named);
  return files.length > 2 && only !== undefined && others.length === 0 ? only : files.join(', ');
}

/** The remarks of several labels: each once, with its labels if it does not apply to all of them. */
const remarksOfEach = (all: Plans): Remark[] =>
  grouped(
    all.flatMap(({ say = sentence, ...shown }) =>
      remarksOf({ say, ...shown }).map((remark) => ({ remark, say, label: shown.plan.label })),
    ),
    ({ remark: { level, text, client, message } }) =>
      message ? canonical({ ...message, name: '' }) : `${level} ${client?.id} ${text}`,
  ).map((some) => {
    const [{ remark, say }] = some;
    const names = some.flatMap(({ remark: { message } }) => message?.name ?? []);
    if (remark.message) {
      const message: OwnServerMissing = { ...remark.message, names };
      return { ...remark, text: inLine(say(message), 2000) };
    }
    const labels = [...new Set(some.map(({ label }) => label))];
    return labels.length === all.length
      ? remark
      : { ...remark, text: `${listed(labels)}: ${remark.text}` };
  });

function remarksIn(one: ClientPlan, { plan, trust, diff, say = sentence }: Shown): Remark[] {
  const { client, compiled, change, foreign } = one;
  const { places, label, kind } = plan;
  const { warning, shared, refusal } = clientView(one, plan, say);
  if (refusal) {
    const { message, line, column, byHand } = refusal;
    const at = placeIn(tilde(one.path, places.home), line, column);
    const text = [stopped(`${at}: ${message}`), byHand ?? []].flat().join(' ');
    return [{ level: 'refused', text: inLine(text, 10_000) }];
  }
  const remarks: Remark[] = [];
  if (kind === 'install' && !compiled && change)
    remarks.push({
      level: 'note',
      text: messages.copyGoes(inLine(tilde(one.path, places.home))),
    });
  if (warning) remarks.push({ level: 'warning', text: warning });
  if (foreign?.length) {
    const text = messages.altered(inLine(foreign.join(', '), 200), label);
    remarks.push({ level: 'warning', text, client });
  }
  if (shared) remarks.push({ level: shared.level, text: inLine(shared.message), client });
  const asking = compiled && compiled.groups.length > 0 && trustOf(client);
  if (asking && trust) {
    const hooks = groupsInWords(compiled.groups).join(', ');
    remarks.push({ level: 'note', text: trustMessages.willTrust(client, hooks) });
  } else if (asking && change && diff) {
    const { runsTrustedOnly, orTrustNow } = trustMessages;
    const text = [runsTrustedOnly(client), asking.byHand, orTrustNow].join(' ');
    remarks.push({ level: 'note', text });
  }
  return remarks;
}

/** The compiler's notes about whole clients, and the clients without settings for the scope. */
function notesOf({ plan, say = sentence }: Shown): Remark[] {
  const notes = plan.clients.flatMap(({ client, compiled }) =>
    (compiled?.notes ?? [])
      // The table has a mark for this.
      .filter(({ code }) => code !== 'never-run')
      .map((message) => ({ client, message })),
  );
  const alike = grouped(notes, ({ message }) => canonical(sameIn(message)));
  return [
    ...alike.flatMap((some): Remark[] => {
      const [{ message }] = some;
      const level = message.code === 'own-server-missing' ? 'warning' : 'note';
      if (!('client' in message))
        return some.map(({ client }) => ({ level, client, text: inLine(say(message), 2000) }));
      const all = merged(some.map((one) => one.message));
      const text = inLine(say(all), 2000);
      return [{ level, text, ...(all.code === 'own-server-missing' && { message: all }) }];
    }),
    ...lacking(plan, say),
    ...withoutScope(plan, say).map(({ why }): Remark => ({ level: 'note', text: why })),
    ...(plan.trust ?? []).map(
      ({ client, keys }): Remark => ({
        level: 'note',
        text: trustMessages.forgets(client, keys.length),
      }),
    ),
  ];
}

/** The clients that lack the server, unless the compiler has already noted it. */
function lacking({ servers = [], clients }: Plan, say: Say): Remark[] {
  const isSaid = ({ client }: PlannedServer): boolean =>
    clients.some(
      (one) =>
        one.client === client &&
        one.compiled?.notes.some(({ code }) => code === 'own-server-missing'),
    );
  const missing = servers.filter((one) => one.action === 'missing' && !isSaid(one));
  if (missing.length === 0) return [];
  const isEach = clients.every(({ client }) => missing.some((one) => one.client === client));
  const names = missing.length > 1 && isEach ? [] : missing.map(({ client }) => client.name);
  return [{ level: 'note', text: messages.servers.missing(names, say) }];
}

const groupsInWords = (groups: readonly Placed[]): string[] =>
  groups.map(({ event, group }) => hookInWords(event, group.matcher));

/** Grants and trust that depend only on the name: shown when the name gets a new source. */
function sourceNotes({ plan, trusted = [], say = sentence }: Shown): string[] {
  const { label, policy, replaces, twice = [] } = plan;
  const { allowed = [], restricting, other } = policy ?? {};
  const rules = `"${label}": { ${allowed.join(', ')} }`;
  const notes = trusted.map(({ client, groups }) =>
    trustMessages.trustsByName(client, groupsInWords(groups).join(', ')),
  );
  for (const other of twice) {
    const { home, project } = plan.places;
    const folder = tilde(project ?? other.project ?? home, home);
    const there = inLine(siteInWords(other, home));
    const command = `mcp-hooks uninstall ${label}${scopeFlag(other)}`;
    notes.push(messages.alsoInstalled(label, there, inLine(folder), command, say));
  }
  if (allowed.length === 0) return notes;
  if (restricting) return [messages.policyOfOther(rules, inLine(other ?? '?'), say), ...notes];
  return plan.isNew || replaces ? [messages.policyByName(rules), ...notes] : notes;
}

/** For a server without hooks to install. */
export const noHooksJson = (declared: ServerHooks): object => ({
  label: declared.label,
  hooks: [],
  changes: false,
  problems: problemsJson(declared),
  notes: sentences(declared.notes ?? []),
  ...unsupportedJson(declared),
  ...(declared.found && { foundIn: declared.found }),
});

const problemsJson = ({ problems }: ServerHooks) =>
  problems.map(({ level, message, line, column }) => ({
    level,
    message: sentence(message),
    line,
    column,
    code: message.code,
  }));

export const unsupportedJson = ({ unsupported = [] }: ServerHooks) => ({
  unsupported: unsupported.map(({ path, ...hook }) => hook),
});

/** The request and the key with which the server declared its hooks. */
export function foundInWords({ transport, era, protocol, key, passedOver }: FoundIn): string {
  const how = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' }[transport];
  const asked = era === 'legacy' ? 'initialize' : 'server/discover';
  return `${messages.foundIn(key, passedOver)} (${how}, ${asked}, ${protocol}).`;
}

/** In the form of command arguments, with the scope if it is not the default. */
const labelOf = ({ label, places }: Plan): string => `${label}${scopeFlag(siteOf(places))}`;

/**
 * What to run next, the most useful command first: what hooks still need, how to check whether they fire, and how to undo the
 * install.
 *
 * @param all The installs that were written.
 * @param isEverything Whether nothing else is installed in this scope.
 */
export function nextSteps(
  terminal: Terminal,
  all: readonly Shown[],
  ofClients: readonly Step[],
  isEverything: boolean,
): string {
  const [first] = all;
  if (first?.plan.kind !== 'install') return '';
  const scope = scopeFlag(siteOf(first.plan.places));
  const labels = all.map(({ plan }) => plan.label);
  // Without a label, all installs are checked.
  const checked = labels.length > 1 ? '' : ` ${first.plan.label}`;
  const twice = all.filter(({ plan: { originals = [] } }) =>
    originals.some(({ action }) => action === 'twice'),
  );
  const replacing = `mcp-hooks update ${twice.map(({ plan }) => plan.label).join(' ')}${scope} --replace-originals`;
  const undone = isEverything && labels.length > 1 ? '--all' : labels.join(' ');
  const steps: readonly Step[] = [
    ...ofClients,
    ...all.flatMap(stepsToAllow),
    ...(twice.length > 0 ? [{ command: replacing, what: messages.nextOriginals }] : []),
    { command: `mcp-hooks verify${checked}${scope}`, what: messages.nextCheck },
    { command: `mcp-hooks uninstall ${undone}${scope}`, what: messages.nextUndo },
  ];
  const [, ...lines] = table<Step>(
    terminal,
    [
      { head: '', cell: ({ command }) => command },
      { head: '', cell: ({ what }) => what, style: 'dim' },
    ],
    steps,
    { indent: '  ', isUnbroken: true },
  );
  return `${lines.join('\n')}\n`;
}

/** One line with what was done or would be done, then the hooks that were left out because a grant is missing. */
export function summary(shown: Shown, done: boolean): string {
  const outcome = outcomeInWords([shown.plan], done);
  // After an install, the next steps tell how to allow it.
  if (!done) return [outcome, ...leftOutOf(shown, done)].join('\n');
  const { leftOut } = ungranted(shown);
  const skipped = leftOut.length > 0 ? ` ${capital(messages.skipped(hooksInWords(leftOut)))}` : '';
  return [outcome + skipped, ...leftBehindOf(shown)].join('\n');
}

/** The same for several labels, with one line for what was done. */
export function summaryOfAll(all: Plans, done: boolean): string {
  const [first, ...others] = all;
  if (others.length === 0) return summary(first, done);
  const plans = all.map(({ plan }) => plan);
  const more = all.flatMap((shown) => {
    const { leftOut } = ungranted(shown);
    const skipped = done && leftOut.length > 0 ? [messages.skipped(hooksInWords(leftOut))] : [];
    const lines = done ? [...skipped, ...leftBehindOf(shown)] : leftOutOf(shown, done);
    return lines.map((line) => `${shown.plan.label}: ${line}`);
  });
  return [outcomeInWords(plans, done), ...more].join('\n');
}

/** The hooks that lack a grant, and the missing grants. */
function ungranted({ plan, declared }: Shown) {
  const hooks = declared?.hooks ?? [];
  const { leftOut, downgraded, undecided } = denied(hooks, plan.grants);
  const open = plan.grants?.needs.filter(({ by }) => by === undefined) ?? [];
  const openFor = (some: readonly number[], grants: readonly Grant[]) =>
    open.flatMap((need) =>
      grants.includes(need.grant) && need.hooks.some((hook) => some.includes(hook))
        ? need.grant
        : [],
    );
  const needed = hooks.flatMap((hook, index) =>
    leftOut.includes(index + 1) ? neededBy(hook) : [],
  );
  return {
    leftOut,
    downgraded,
    undecided,
    skippedFor: openFor(leftOut, needed),
    undecidedFor: openFor(undecided, ['block', 'modify']),
  };
}

function stepsToAllow(shown: Shown): Step[] {
  const { leftOut, downgraded, undecided, skippedFor, undecidedFor } = ungranted(shown);
  const { nextAllow } = messages;
  const step = (hooks: readonly number[], grants: readonly Grant[], what: string): Step[] => {
    const command = `mcp-hooks update ${labelOf(shown.plan)} --allow ${grants.join(',')}`;
    return hooks.length > 0 ? [{ command, what }] : [];
  };
  return [
    ...step(leftOut, skippedFor, nextAllow.leftOut(hooksInWords(leftOut))),
    ...step(downgraded, ['required'], nextAllow.downgraded(hooksInWords(downgraded))),
    ...step(undecided, undecidedFor, nextAllow.undecided(hooksInWords(undecided))),
  ];
}

function leftOutOf(shown: Shown, done: boolean): string[] {
  const { plan, say = sentence } = shown;
  const { leftOut, downgraded, undecided, skippedFor, undecidedFor } = ungranted(shown);
  const allow = (grants: readonly Grant[]) =>
    messages.toAllow(done ? labelOf(plan) : undefined, grants, say);
  return [
    ...(leftOut.length > 0
      ? [messages.leftOut(hooksInWords(leftOut), skippedFor, allow(skippedFor))]
      : []),
    ...(downgraded.length > 0
      ? [messages.downgraded(hooksInWords(downgraded), allow(['required']))]
      : []),
    ...(undecided.length > 0
      ? [messages.undecided(hooksInWords(undecided), allow(undecidedFor))]
      : []),
    ...leftBehindOf(shown),
  ];
}

function leftBehindOf({ plan, behind = [] }: Shown): string[] {
  const names = behind.map(({ name }) => name).join(', ');
  return behind.length > 0 ? [messages.leftBehind(names, plan.label, catchUpOf(plan))] : [];
}

/**
 * The command that updates clients that keep the old declaration. Undefined for a replaced source, which the command would
 * query.
 */
const catchUpOf = ({ label, places, replaces }: Plan): string | undefined =>
  replaces ? undefined : `mcp-hooks update ${label}${scopeFlag(siteOf(places))}`;

/**
 * Everything that will not work as declared, one per line, for users who see nothing else.
 *
 * @param isShown Whether the plan was shown. If so, only the rest is returned.
 */
export function shortcomings(shown: Shown, isShown: boolean, written: boolean): string[] {
  const { plan, declared } = shown;
  if (isShown) return leftOutOf(shown, written);
  const all = plan.clients.map((one) => loweredIn(one, shown));
  const unshown = exceptionsOf(all).filter(({ grade }) => grade === 'none');
  return [
    ...(declared ? notUnderstood(declared) : []),
    ...plan.clients.flatMap((one) => clientView(one, plan).warning ?? []),
    ...unshown.map((one) => exceptionInWords(one, declared?.hooks.length ?? 0)),
    ...withoutScope(plan).map(({ why }) => why),
    ...runningTwice(plan),
    ...leftOutOf(shown, written),
  ];
}

function runningTwice({ originals = [], places }: Plan): string[] {
  const twice = originals.filter(({ action }) => action === 'twice');
  const files = [...new Set(twice.map(({ path }) => tilde(path, places.home)))];
  return twice.length > 0 ? [messages.runsTwice(twice.length, files.join(', '))] : [];
}

function outcomeInWords(plans: readonly Plan[], done: boolean): string {
  if (plans.every(isNothing)) return 'Nothing to do: the files are up to date.';
  const clients = plans.flatMap((plan) => plan.clients);
  const label = listed(plans.map((plan) => plan.label));
  const isInstall = plans.every(({ kind }) => kind === 'install');
  // Clients may share a file, and so do several labels: the first change has its text before all of them, the last one after.
  const changed = new Map<string, Pick<FileChange, 'before' | 'after'>>();
  for (const { change } of [...clients, ...plans.flatMap(({ servers = [] }) => servers)])
    if (change) {
      const { before } = changed.get(change.path) ?? change;
      changed.set(change.path, { before, after: change.after });
    }
  const files = changed.size;
  const created = [...changed.values()].filter(({ before }) => before === null).length;
  const gone = [...changed.values()].filter(({ after }) => after === null).length;
  const fires = clients.some(({ compiled }) => compiled && compiled.groups.length > 0);
  if (isInstall && !fires) return messages.savedOnly(label, files, done);
  const names = [...new Set(clients.map(({ client }) => client.name))];
  if (files === 0 && isInstall)
    return `${done ? 'Updated' : 'To update'}: the runner of ${label}; no client's file changes.`;
  const kind = isInstall ? 'install' : 'uninstall';
  const verb = done ? `${capital(kind)}ed` : `To ${kind}`;
  if (files === 0) return `${verb}: ${label}; no client's file ${done ? 'changed' : 'changes'}.`;
  const where = names.length > 2 ? `in ${count(names.length, 'client')}` : `for ${listed(names)}`;
  return `${verb}: ${label} ${where}; ${messages.filesDone(created, files - created - gone, gone, done)}.`;
}

const unaskedJson = ({ why, details }: Unasked): object => ({
  code: why.code,
  why: bare(why),
  details: details.length > 0 ? details.map(bare) : undefined,
});

/** The same for scripts. Keys are only ever added. Undefined values are left out. */
export function planJson(
  { plan, declared, selection, changes, behind = [], trusted = [] }: Shown,
  written: boolean,
): object {
  return {
    label: plan.label,
    scope: plan.places.scope,
    written,
    changes: !isNothing(plan),
    ...(declared?.source.kind === 'catalogue' && { catalogue: declared.source.name }),
    ...(declared?.unasked && { unasked: unaskedJson(declared.unasked) }),
    ...(declared && {
      onlyIn: onlyIn(declared.source),
      hooks: declared.hooks,
      ...unsupportedJson(declared),
      foundIn: declared.found,
      notes: declared.notes && sentences(declared.notes),
      server: declared.server && serverInWords(declared, declared.server),
      launch: launchOf(declared),
      grants: plan.grants?.needs.map(({ grant, hooks, by = null }) => ({ grant, hooks, by })) ?? [],
      ...denied(declared.hooks, plan.grants),
      ...failuresJson(declared, plan),
      declaration: changes,
      replaces: plan.replaces?.source,
      twice: plan.twice?.map(siteJson),
      policy: plan.policy?.allowed.length ? plan.policy : undefined,
      // One key per client, to preserve the format from when there was only one client.
      ...Object.fromEntries(
        trusted.map(({ client, groups }) => [
          `trustedBy${client.shortName}`,
          groupsInWords(groups),
        ]),
      ),
      behind: behind.map(({ id }) => id),
      catchUp: behind.length > 0 ? catchUpOf(plan) : undefined,
      problems: problemsJson(declared),
    }),
    clients: plan.clients.map((one) => ({
      ...clientView(one, plan),
      diff: diffOf(one, plan.places.home),
    })),
    originals: originalsJson(plan),
    servers: serversJson(plan),
    trust: plan.trust?.map(({ client, change, ...one }) => ({
      ...one,
      client: client.id,
      diff: diffOf({ ...one, ...(change && { change }) }, plan.places.home),
    })),
    withoutScope:
      plan.withoutScope && withoutScope(plan).map(({ client, why }) => ({ id: client.id, why })),
    found: selection.found,
    missing: selection.missing.map(({ client, looked }) => ({ id: client.id, looked })),
  };
}

/** The outcome of events if the hooks that may decide about them fail. */
function failuresJson({ hooks }: ServerHooks, { grants }: Plan): object {
  const all = hooks.flatMap((hook, index) => {
    const action = onFailureOf(hook, grants?.rules ?? RULES);
    const failing = { ...hook, on_failure: action };
    const words = [...failureOf(failing), ...notDenied([failing])].join(' ');
    return words === '' ? [] : [{ hook: index + 1, action, words }];
  });
  return all.length > 0 ? { onFailure: all } : {};
}

const PLAIN: Terminal = {
  out: () => {},
  err: () => {},
  colour: false,
  tty: false,
  interactive: false,
  columns: PLAIN_COLUMNS,
  errColumns: undefined,
};

/**
 * A plan as printed by `install` and `uninstall`, for programs that show it to their users: it contains everything that they
 * must see.
 */
export function planInWords(plan: Plan): string {
  const { declared, grants, clients, label, replaces } = plan;
  const selection = { clients: [], found: {}, missing: [] };
  const shown = { plan, selection, say: librarySentence, ...(declared && { declared }) };
  const parts: string[] = [];
  if (replaces && declared) {
    const now = inLine(sourceInWords(declared.source));
    const words = messages.replaces(label, inLine(replaces.source), now, losing(plan));
    parts.push(headed(PLAIN, 'yellow', 'another source', words));
  }
  if (declared && grants)
    parts.push(showDeclared(PLAIN, declared, { grants, clients }, librarySentence));
  return [...parts, showPlan(PLAIN, shown), summary(shown, false)].filter(Boolean).join('\n\n');
}

/** Context lines around a change. Few, because a settings file may contain things that no bystander should read. */
const CONTEXT = 2;

export function diffOf(
  {
    change,
    config,
    format,
  }: Partial<Pick<ClientPlan, 'change' | 'config'> & Pick<PlannedServer, 'format'>>,
  home: string,
  verbose = true,
): string {
  if (!change) return '';
  const name = inLine(tilde(change.path, home));
  const { before, after } = texts(change);
  const [from, to] = middle(before, after);
  const patch = structuredPatch(
    change.before === null ? '/dev/null' : name,
    change.after === null ? '/dev/null' : name,
    before.slice(from, before.length - to),
    after.slice(from, after.length - to),
    undefined,
    undefined,
    { context: CONTEXT },
  );
  const hide = redactor(
    change.before === null
      ? {}
      : FORMATS[config?.format ?? format ?? 'json'].read(before, ANYTHING),
  );
  const skipped = before.slice(0, from).split('\n').length - 1;
  const isWhole = change.before === null || change.after === null;
  const ownCode = isWhole && !verbose ? ownCodeIn(patch.hunks, config?.start) : 0;
  for (const hunk of patch.hunks) {
    if (ownCode > 0) hunk.lines.splice(-ownCode, ownCode, `\\ ${messages.ownCode(ownCode)}`);
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
    hunk.lines = hunk.lines.map(
      (line) => `${line.charAt(0)}${visible(hide(line.slice(1).replace(/\r$/, '')), 4000)}`,
    );
  }
  return formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
}

/** The fewest lines of our own code that a diff leaves out. */
const LONG_CODE = 20;

/** The number of lines at the end of a new or removed file that are our own code, and so the same for every server. */
function ownCodeIn([hunk]: readonly { readonly lines: string[] }[], start = ''): number {
  const code = start.trimEnd().split('\n').reverse();
  const lines = hunk?.lines.map((line) => line.slice(1)).reverse() ?? [];
  const first = code.findIndex((line, at) => line !== lines[at]);
  return first >= LONG_CODE ? first : 0;
}

/**
 * The lengths of the common start and the common end of two texts, in whole lines and without the context lines of a change.
 * Comparing only the middle saves time on large files.
 */
function middle(before: string, after: string): [from: number, to: number] {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let to = 0;
  while (to < shorter - from && before.at(-1 - to) === after.at(-1 - to)) to += 1;
  for (let line = 0; line <= CONTEXT && from > 0; line += 1)
    from = before.lastIndexOf('\n', from - 2) + 1;
  let end = before.length - to;
  for (let line = 0; line <= CONTEXT && end < before.length; line += 1) {
    const next = before.indexOf('\n', end);
    end = next === -1 ? before.length : next + 1;
  }
  return [from, before.length - end];
}

/** Both are text, because otherwise nothing would be planned. */
const texts = ({ before, after }: FileChange) => ({
  before: before?.toString() ?? '',
  after: after?.toString() ?? '',
});
