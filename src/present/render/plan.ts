/** A plan in words: for people, and the same facts as JSON for scripts. */

import type { Client } from '../../clients/contract.ts';
import type { Selection } from '../../clients/detect.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { trustOf } from '../../clients/registry.ts';
import type { FoundIn, ServerHooks, Unasked } from '../../declaration/declared.ts';
import { type Grant, neededBy } from '../../declaration/grants.ts';
import { onFailureOf, RULES } from '../../declaration/policy.ts';
import type { Placed } from '../../edit/edit.ts';
import type { Changes } from '../../install/consent/changes.ts';
import { denied } from '../../install/consent/grants.ts';
import { isNothing, type Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { scopeFlag, siteInWords, siteJson, siteOf } from '../../install/site.ts';
import { count, hooksInWords } from '../../system/plurals.ts';
import { paint, paintDiff, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { placeIn, type Say } from '../../system/words.ts';
import { capital, messages } from '../messages/output.ts';
import { bare, sentence, sentences } from '../messages/sentence.ts';
import { trustMessages } from '../messages/trust.ts';
import { clientTable, GRADES, groupsInWords, unshown } from './clients.ts';
import { diffOf } from './diff.ts';
import { failureOf, notDenied } from './extended-words.ts';
import { headed, indented } from './lines.ts';
import { sharedNote, withoutScope } from './scope.ts';
import { launchOf, notUnderstood, serverInWords } from './words.ts';

export interface Shown {
  readonly plan: Plan;
  readonly declared?: ServerHooks;
  readonly selection: Selection;
  /** The server's hooks in words; absent if they have been shown already. */
  readonly introduce?: () => string;
  /** How they differ from what the user agreed to before. Null if that is not known; absent if nothing was installed. */
  readonly changes?: Changes | null;
  /** Clients outside this selection that keep another declaration under the label. */
  readonly behind?: readonly Client[];
  /** Hooks that a client runs without asking, because it has trusted the same ones before. */
  readonly trusted?: readonly CarriedOver[];
  /** Also make clients trust what is written, where they ask for that. */
  readonly trust?: boolean;
  readonly verbose?: boolean;
  /** Also how each file changes, line by line. */
  readonly diff?: boolean;
  /** By default, that of the command line. */
  readonly say?: Say;
}

export interface CarriedOver {
  readonly client: Client;
  readonly groups: readonly Placed[];
}

/** The hooks as declared, then what happens to them in each client and, if asked for, how the client's file changes. */
export function showPlan(terminal: Terminal, shown: Shown): string {
  const { plan, declared, selection, introduce, say = sentence } = shown;
  const { places } = plan;
  const parts = introduce ? [introduce()] : [];
  if (declared) {
    for (const { level, message } of declared.problems)
      parts.push(`${paint(terminal, 'yellow', level)}: ${inLine(say(message))}`);
    if (shown.verbose && declared.found)
      parts.push(paint(terminal, 'dim', foundInWords(declared.found)));
  }
  const { aside, path } = plan.ledger;
  if (aside) {
    const broken = messages.ledgerBroken(
      inLine(tilde(path, places.home)),
      inLine(tilde(aside.path, places.home)),
    );
    parts.push(`${paint(terminal, 'yellow', 'warning')}: ${broken}`);
  }
  for (const words of sourceNotes(shown)) parts.push(headed(terminal, 'yellow', 'note', words));
  if (!shown.diff) {
    parts.push(clientTable(terminal, plan, shown.trust === true, say));
    const changed = plan.clients.flatMap(({ path, change }) =>
      change ? tilde(path, places.home) : [],
    );
    const files = inLine(changed.join(', '), 10_000);
    const names = selection.missing.map(({ client }) => client.name);
    const lines = [
      ...(declared && changed.length > 0 && !plan.clients.some(({ refusal }) => refusal)
        ? [wrap(files, terminal.columns, '       ', 'Files: ')]
        : []),
      ...(names.length > 0 ? [dimmed(terminal, `Not found: ${names.join(', ')}.`)] : []),
    ];
    if (lines.length > 0) parts.push(lines.join('\n'));
    return parts.join('\n\n');
  }
  parts.push(...showDiffs(terminal, shown));
  const found = selection.clients
    .filter(({ id }) => selection.found[id] !== undefined)
    .map(({ id, name }) => `${name} (${selection.found[id]})`);
  const missing = selection.missing.map(({ client, looked }) => `${client.name} (${looked})`);
  const lines = [
    ...(found.length > 0 ? [dimmed(terminal, `Found: ${found.join('; ')}.`)] : []),
    ...(missing.length > 0 ? [dimmed(terminal, `Not found: ${missing.join('; ')}.`)] : []),
  ];
  if (lines.length > 0) parts.push(lines.join('\n'));
  return parts.join('\n\n');
}

const dimmed = (terminal: Terminal, words: string): string =>
  paint(terminal, 'dim', wrap(words, terminal.columns, '  ', ''));

/** Client by client: every hook, and how the file changes. */
export function showDiffs(terminal: Terminal, shown: Shown): string[] {
  const { plan } = shown;
  const { home } = plan.places;
  const clients = plan.clients.map((client) => {
    const diff = diffOf(client, home);
    const painted = diff ? [paintDiff(terminal, diff.trimEnd())] : [];
    return [showClient(terminal, client, shown), ...painted].join('\n');
  });
  const without = withoutScope(plan).map(
    ({ client, why }) =>
      `${paint(terminal, 'bold', client.name)}  ${messages.withoutLocal}\n${indented(terminal, why)}`,
  );
  return [...clients, ...without];
}

/** Grants and trust that depend on the name alone: shown when the name gets a new source. */
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

/** For a server without hooks that could be installed. */
export const noHooksJson = (declared: ServerHooks): object => ({
  label: declared.label,
  hooks: [],
  changes: false,
  problems: declared.problems.map(({ message }) => sentence(message)),
  notes: sentences(declared.notes ?? []),
  ...unsupportedJson(declared),
  ...(declared.found && { foundIn: declared.found }),
});

export const unsupportedJson = ({ unsupported = [] }: ServerHooks) => ({
  unsupported: unsupported.map(({ path, ...hook }) => hook),
});

/** Which request and key the server declared its hooks with. */
export function foundInWords({ transport, era, protocol, key, passedOver }: FoundIn): string {
  const how = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' }[transport];
  const asked = era === 'legacy' ? 'initialize' : 'server/discover';
  return `${messages.foundIn(key, passedOver)} (${how}, ${asked}, ${protocol}).`;
}

function showClient(terminal: Terminal, plan: ClientPlan, shown: Shown): string {
  const { client, path, change, refusal, byHand, compiled, foreign = [] } = plan;
  const { home } = shown.plan.places;
  const file = inLine(tilde(path, home));
  const head = `${paint(terminal, 'bold', client.name)}  ${file}`;
  if (refusal) {
    const why = wrap(
      inLine(`${placeIn(file, refusal.line, refusal.column)}: ${sentence(refusal.problem)}`),
      terminal.columns,
      '  ',
      `  ${paint(terminal, 'red', 'refused')} `,
    );
    if (byHand === undefined) return `${head}\n${why}`;
    return `${head}\n${why}\n${indented(terminal, inLine(sentence(byHand)))}`;
  }
  const lines = [`${head}${change ? '' : paint(terminal, 'dim', '  (no change)')}`];
  const warn = (sentence: string) =>
    lines.push(headed(terminal, 'yellow', 'warning', sentence, '  '));
  if (shown.plan.kind === 'install' && !compiled && change)
    lines.push(indented(terminal, messages.copyGoes(file)));
  if (compiled?.tooOld !== undefined) warn(messages.tooOldHere(client, compiled.tooOld));
  for (const [index, hook] of (compiled?.hooks ?? []).entries()) {
    const grade = paint(terminal, GRADES[hook.grade], hook.grade.padEnd(7));
    const when = sentence(hook.when);
    const told = hook.grade === 'none' ? `not shown: ${when}` : `shown ${when}`;
    // It may contain the server's own words, such as a tool that nobody knows.
    lines.push(
      wrap(inLine(told, 1000), terminal.columns, ' '.repeat(13), `  ${index + 1}. ${grade} `),
    );
    for (const note of hook.notes)
      lines.push(indented(terminal, inLine(sentence(note), 1000), ' '.repeat(13)));
  }
  if (foreign.length > 0) warn(messages.altered(inLine(foreign.join(', '), 200), shown.plan.label));
  const shared = sharedNote(plan, shown.plan.places);
  if (shared) lines.push(headed(terminal, 'yellow', shared.level, inLine(shared.message), '  '));
  for (const note of compiled?.notes ?? [])
    lines.push(indented(terminal, inLine(sentence(note), 2000)));
  const asking = compiled && compiled.groups.length > 0 && trustOf(client);
  if (asking && shown.trust)
    lines.push(
      indented(
        terminal,
        trustMessages.willTrust(client, groupsInWords(compiled.groups).join(', ')),
      ),
    );
  else if (asking && change)
    lines.push(
      indented(
        terminal,
        `${trustMessages.runsTrustedOnly(client)} ${asking.byHand} ${trustMessages.orTrustNow}`,
      ),
    );
  return lines.join('\n');
}

/** As commands take it, with the scope where it is not the usual one. */
const labelOf = ({ label, places }: Plan): string => `${label}${scopeFlag(siteOf(places))}`;

/** How to see whether it works, and how to take it back. */
export function nextSteps(terminal: Terminal, { kind, label, places }: Plan): string {
  if (kind !== 'install') return '';
  const scope = scopeFlag(siteOf(places));
  const line = (what: string, command: string) =>
    `${paint(terminal, 'dim', what.padEnd(7))}mcp-hooks ${command} ${label}${scope}\n`;
  return line(messages.nextCheck, 'verify') + line(messages.nextUndo, 'uninstall');
}

/** One line with what was done or would be done, then what was left out because a grant is missing. */
export const summary = (shown: Shown, done: boolean): string =>
  [outcome(shown.plan, done), ...leftOutOf(shown, done)].join('\n');

function leftOutOf(
  { plan, declared, behind = [], say = sentence }: Shown,
  done: boolean,
): string[] {
  const hooks = declared?.hooks ?? [];
  const { leftOut, downgraded, undecided } = denied(hooks, plan.grants);
  const open = plan.grants?.needs.filter(({ by }) => by === undefined) ?? [];
  const allow = (grants: readonly Grant[]) =>
    messages.toAllow(done ? labelOf(plan) : undefined, grants, say);
  const openFor = (some: readonly number[], grants: readonly Grant[]) =>
    open.flatMap((need) =>
      grants.includes(need.grant) && need.hooks.some((hook) => some.includes(hook))
        ? need.grant
        : [],
    );
  const needed = hooks.flatMap((hook, index) =>
    leftOut.includes(index + 1) ? neededBy(hook) : [],
  );
  const skippedFor = openFor(leftOut, needed);
  const undecidedFor = openFor(undecided, ['block', 'modify']);
  const names = behind.map(({ name }) => name).join(', ');
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
    ...(behind.length > 0 ? [messages.leftBehind(names, plan.label, catchUpOf(plan))] : []),
  ];
}

/** The command that updates clients which are left behind; undefined: it would ask the source that is replaced. */
const catchUpOf = ({ label, places, replaces }: Plan): string | undefined =>
  replaces ? undefined : `mcp-hooks update ${label}${scopeFlag(siteOf(places))}`;

/**
 * Everything that will not work as declared, one per line, for users who see nothing else.
 *
 * @param isShown Whether the plan has been shown; then only the rest is returned.
 */
export function shortcomings(shown: Shown, isShown: boolean, written: boolean): string[] {
  const { plan, declared } = shown;
  if (isShown) return leftOutOf(shown, written);
  const clients = plan.clients.flatMap(({ client, compiled }) => [
    ...(compiled?.tooOld === undefined ? [] : [messages.tooOldHere(client, compiled.tooOld)]),
    ...unshown(compiled?.hooks ?? []).map((why) => `${client.name}: ${why}`),
  ]);
  return [
    ...(declared ? notUnderstood(declared) : []),
    ...clients,
    ...withoutScope(plan).map(({ why }) => why),
    ...leftOutOf(shown, written),
  ];
}

function outcome(plan: Plan, done: boolean): string {
  if (isNothing(plan)) return 'Nothing to do: the files are up to date.';
  const files = plan.clients.filter(({ change }) => change).length;
  const fires = plan.clients.some(({ compiled }) => compiled && compiled.groups.length > 0);
  if (plan.kind === 'install' && !fires) return messages.savedOnly(plan.label, files, done);
  const names = [...new Set(plan.clients.map(({ client }) => client.name))].join(', ');
  if (files === 0 && plan.kind === 'install')
    return `${done ? 'Updated' : 'To update'}: the runner of ${plan.label}; no client's file changes.`;
  const verb = done ? `${capital(plan.kind)}ed` : `To ${plan.kind}`;
  return `${verb}: ${plan.label} for ${names}; ${count(files, 'file')} ${done ? 'changed' : 'to change'}.`;
}

const unaskedJson = ({ why, details }: Unasked): object => ({
  code: why.code,
  why: bare(why),
  details: details.length > 0 ? details.map(bare) : undefined,
});

/** The same for scripts. Keys are only ever added; what is undefined is left out. */
export function planJson(
  { plan, declared, selection, changes, behind = [], trusted = [] }: Shown,
  written: boolean,
): object {
  return {
    command: plan.kind,
    label: plan.label,
    scope: plan.places.scope,
    written,
    changes: !isNothing(plan),
    ...(declared?.source.kind === 'catalogue' && { catalogue: declared.source.name }),
    ...(declared?.unasked && { unasked: unaskedJson(declared.unasked) }),
    ...(declared && {
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
      // One key per client, to keep the format from when there was only one.
      ...Object.fromEntries(
        trusted.map(({ client, groups }) => [
          `trustedBy${client.shortName}`,
          groupsInWords(groups),
        ]),
      ),
      behind: behind.map(({ id }) => id),
      catchUp: (behind.length > 0 && catchUpOf(plan)) || null,
      problems: declared.problems.map(({ level, message, line, column }) => ({
        level,
        message: sentence(message),
        line,
        column,
        code: message.code,
      })),
    }),
    clients: plan.clients.map((one) => clientJson(one, plan.places)),
    withoutScope:
      plan.withoutScope && withoutScope(plan).map(({ client, why }) => ({ id: client.id, why })),
    found: selection.found,
    missing: selection.missing.map(({ client, looked }) => ({ id: client.id, looked })),
  };
}

/** What becomes of what hooks may decide about, if they fail. */
function failuresJson({ hooks }: ServerHooks, { grants }: Plan): object {
  const all = hooks.flatMap((hook, index) => {
    const action = onFailureOf(hook, grants?.rules ?? RULES);
    const failing = { ...hook, on_failure: action };
    const words = [...failureOf(failing), ...notDenied([failing])].join(' ');
    return words === '' ? [] : [{ hook: index + 1, action, words }];
  });
  return all.length > 0 ? { onFailure: all } : {};
}

function clientJson(plan: ClientPlan, places: Places): object {
  const { client, path, change, refusal, byHand, compiled, foreign, git } = plan;
  const asking = trustOf(client);
  return {
    id: client.id,
    file: path,
    changes: change !== undefined,
    hooks: compiled?.hooks.map(({ declaration, grade, when, notes, native }) => ({
      event: declaration.event,
      grade,
      when: sentence(when),
      notes: sentences(notes),
      native,
    })),
    notes: compiled?.notes.length ? sentences(compiled.notes) : undefined,
    serverName: compiled?.serverName,
    version: compiled?.version,
    warning: compiled?.tooOld && messages.tooOldHere(client, compiled.tooOld),
    refusal: refusal && {
      message: sentence(refusal.problem),
      line: refusal.line,
      column: refusal.column,
      byHand: byHand && sentence(byHand),
      code: refusal.problem.code,
    },
    foreign,
    git,
    shared: sharedNote(plan, places),
    afterInstall: compiled && change && asking?.byHand,
    diff: diffOf(plan, places.home),
  };
}
