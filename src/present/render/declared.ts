/** A declaration as shown to the user before consent: the whole declaration, or how it has changed. */

import { basename } from 'node:path';
import { diffArrays } from 'diff';
import type { Bound } from '../../declaration/command.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import { onlyIn, type ServerHooks } from '../../declaration/declared.ts';
import { type Changes, isSame, type Numbered } from '../../install/consent/changes.ts';
import { denied, type Need } from '../../install/consent/grants.ts';
import type { Install } from '../../install/ledger.ts';
import { type InstallPlan, type Plan, sourceInWords } from '../../install/plan.ts';
import { canonical } from '../../system/fingerprint.ts';
import { count, hooksInWords, listed, rangesOf } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Say } from '../../system/words.ts';
import { hookWords } from '../messages/hooks.ts';
import { messages } from '../messages/output.ts';
import { bare, sentence } from '../messages/sentence.ts';
import { grouped } from '../messages/several.ts';
import { folded, headed } from './lines.ts';
import { namingOf } from './lowered.ts';
import {
  answerInWords,
  callOf,
  commandInPlainWords,
  conditionsOf,
  factsOf,
  failureOf,
  filesInWords,
  hookText,
  launchOf,
  moment,
  notDenied,
  unsupportedInWords,
} from './words.ts';

/** Each hook in plain words, what is started for tools, and what needs a grant. */
export function showDeclared(
  terminal: Terminal,
  declared: ServerHooks,
  plan: Agreed,
  say: Say = sentence,
): string {
  const needs = showNeeds(terminal, plan.grants.needs, say);
  return [...declaredLines(terminal, declared, plan), ...needs].join('\n');
}

function declaredLines(terminal: Terminal, declared: ServerHooks, plan: Agreed): string[] {
  const { label, hooks } = declared;
  const quoted = (text: string, indent: string, first?: string) =>
    wrapQuoted(text, terminal.columns, indent, first);
  const { each, shared } = sharing(
    hooks.map((hook) => described(hook, declared)),
    [[label, hooks.length]],
  );
  return [
    ...unaskedInWords(terminal, declared),
    wrap(whoDeclares(declared), terminal.columns, '  ', `${paint(terminal, 'bold', label)} `),
    ...placeOf(terminal, declared),
    ...each.flatMap(([head, ...others], index) => [
      quoted(head.words, INDENT, `  ${index + 1}. `.padEnd(INDENT.length)),
      ...others.map(({ words, own }) => quoted(words, own ? INDENT : `${INDENT}${QUOTE}`)),
    ]),
    ...shared.map((words) => quoted(words, INDENT, '  ')),
    ...notDenied(hooks).map((words) => quoted(words, INDENT, '  ')),
    ...ownServer(terminal, plan),
    ...unsupportedInWords(declared).map((words) =>
      quoted(words, INDENT, `  ${paint(terminal, 'yellow', '-')}  `),
    ),
    ...launchOf(declared).map((words) => quoted(words, INDENT, '  ')),
  ];
}

/** The kinds of hooks, in the order in which they are shown. */
const KINDS = ['text', 'tool', 'block', 'command'] as const;

const kindOf = ({ context_tool, block, command }: HookDeclaration): (typeof KINDS)[number] => {
  if (context_tool !== undefined) return 'tool';
  if (block !== undefined) return 'block';
  return command === undefined ? 'text' : 'command';
};

/** The same for several servers, grouped by what hooks do. Each hook is identified by its server's label and its number. */
export function showDeclaredTogether(
  terminal: Terminal,
  all: readonly { readonly declared: ServerHooks; readonly plan: Agreed }[],
): string {
  const quoted = (text: string, indent: string, first?: string) =>
    wrapQuoted(text, terminal.columns, indent, first);
  const declarations = all.flatMap(({ declared }) =>
    declared.hooks.map((hook, index) => ({ hook, number: index + 1, declared })),
  );
  const { each, shared } = sharing(
    declarations.map(({ hook, declared }) => described(hook, declared)),
    all.map(({ declared }) => [declared.label, declared.hooks.length] as const),
  );
  const hooks = declarations.flatMap((one, index) => {
    const words = each[index];
    return words ? [{ ...one, words }] : [];
  });
  const ofKind = (kind: (typeof KINDS)[number]): string[] => {
    const some = hooks.filter(({ hook }) => kindOf(hook) === kind);
    if (some.length === 0) return [];
    return [
      paint(terminal, 'bold', messages.hooksDo[kind]),
      ...some.flatMap(({ hook, number, declared, words: [head, ...rest] }) => {
        const conditions = conditionsOf(hook);
        const others = rest.slice(conditions.length);
        return [
          quoted(head.words, INDENT, `  ${declared.label} ${number}. `),
          ...(conditions.length > 0 ? [quoted(conditions.join(' '), INDENT)] : []),
          ...others.map(({ words, own }) => quoted(words, own ? INDENT : `${INDENT}${QUOTE}`)),
        ];
      }),
    ];
  };
  const ofLabel = ({ label }: ServerHooks, lines: readonly string[]) =>
    lines.map((words) => quoted(words, INDENT, `  ${label}: `));
  const isListed = ({ source, unasked }: ServerHooks) => source.kind === 'catalogue' && !unasked;
  const catalogued = all.flatMap(({ declared }) => {
    const { source, label, hooks: own } = declared;
    const isOne = source.kind === 'catalogue' && isListed(declared);
    return isOne ? [{ label, name: source.name, hooks: own.length }] : [];
  });
  const named = all.filter(({ plan }) => namesIn(plan).size > 0);
  const needs = all.flatMap(({ declared: { label }, plan }) =>
    plan.grants.needs.map((need) => ({ need, label })),
  );
  return [
    ...all.flatMap(({ declared }) => unaskedInWords(terminal, declared)),
    ...(catalogued.length > 1
      ? [wrap(messages.cataloguedEach(catalogued), terminal.columns, '  ', '')]
      : []),
    ...all.flatMap(({ declared }) => {
      const head = `${paint(terminal, 'bold', declared.label)} `;
      const isNamedAbove = catalogued.length > 1 && isListed(declared);
      return isNamedAbove ? [] : [wrap(whoDeclares(declared), terminal.columns, '  ', head)];
    }),
    ...KINDS.flatMap(ofKind),
    ...shared.map((words) => quoted(words, INDENT, '  ')),
    ...notDenied(hooks.map(({ hook }) => hook)).map((words) => quoted(words, INDENT, '  ')),
    ...(named.length > 0 && named.every(({ declared, plan }) => isNamed(declared.label, plan))
      ? [quoted(messages.ownServers, INDENT, '  ')]
      : named.flatMap(({ declared, plan }) => ofLabel(declared, ownServerInWords(plan)))),
    ...all.flatMap(({ declared }) => [
      ...ofLabel(declared, unsupportedInWords(declared)),
      ...ofLabel(declared, launchOf(declared)),
    ]),
    ...showNeedsTogether(terminal, needs),
  ].join('\n');
}

/** Each grant once, with the hooks of all labels that need it. */
const showNeedsTogether = (
  terminal: Terminal,
  needs: readonly { readonly need: Need; readonly label: string }[],
): string[] =>
  grouped(needs, ({ need: { grant, by, lapsed } }) => canonical([grant, by, lapsed])).flatMap(
    (some) => {
      const [{ need }] = some;
      const hooksOf = some.map((one) => `${one.label} ${rangesOf(one.need.hooks).join(', ')}`);
      return showNeeds(terminal, [need], sentence, () => listed(hooksOf));
    },
  );

/** The author of the declaration: the server itself, a file, or mcp-hooks. */
function whoDeclares({ source, hooks, unasked }: ServerHooks): string {
  const { length: number } = hooks;
  if (source.kind === 'catalogue')
    return messages[unasked ? 'cataloguedUnasked' : 'catalogued'](source.name, number);
  const file = source.kind === 'manifest' ? inLine(basename(source.path)) : undefined;
  return messages.declares(number, file);
}

/** The only folder in which the hooks run. */
const placeOf = ({ columns }: Terminal, { source }: ServerHooks): string[] => {
  const folder = onlyIn(source);
  return folder === undefined
    ? []
    : [wrapQuoted(messages.onlyIn(inLine(folder)), columns, INDENT, '  ')];
};

/** The part of a plan that describes how a declaration is carried out. */
type Agreed = Pick<InstallPlan, 'clients' | 'grants'>;

/** The value of `{server}` in each client, if a hook uses it. The hook itself is shown as declared. */
const ownServer = ({ columns }: Terminal, plan: Agreed): string[] =>
  ownServerInWords(plan).map((words) => wrapQuoted(words, columns, INDENT, '  '));

/** The names of the server, each with the clients that use it. */
function namesIn({ clients }: Agreed): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { client, compiled: { serverName: name } = {} } of clients)
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), client.name]);
  return names;
}

const isNamed = (label: string, plan: Agreed): boolean =>
  [...namesIn(plan).keys()].every((name) => name === label);

function ownServerInWords(plan: Agreed): string[] {
  const names = namesIn(plan);
  return names.size === 0 ? [] : [inLine(messages.ownServer([...names]), 1000)];
}

/** A note that a server could not be queried, the reason, and the server's last output. */
export const unaskedInWords = (
  terminal: Terminal,
  { label, unasked }: ServerHooks,
): readonly string[] =>
  unasked
    ? [
        headed(terminal, 'yellow', 'note', messages.unasked(label, inLine(bare(unasked.why), 500))),
        ...folded(unasked.details.map(bare), terminal.columns, '  '),
      ]
    : [];

/** What needs a grant, what the grant means, and how it is allowed. */
const showNeeds = (
  terminal: Terminal,
  needs: readonly Need[],
  say: Say = sentence,
  named = hooksInWords,
): string[] =>
  needs.map(({ grant, hooks, by, lapsed }) => {
    const words = [
      messages.grantMeans[grant](named(hooks)),
      ...(lapsed ? [messages.grantLapsed] : []),
      by === undefined ? messages.notGranted(grant, say) : messages.grantedBy[by],
    ].join(' ');
    const name = paint(terminal, by === undefined ? 'yellow' : 'green', grant);
    return wrap(words, terminal.columns, INDENT, `  ${name}: `);
  });

const INDENT = '     ';
/** Precedes each line of a text, so that none can be mistaken for one of ours. */
const QUOTE = '| ';

interface Words {
  readonly words: string;
  readonly own: boolean;
  /** The words apply to many hooks and are shown once for all of them. */
  readonly isFact?: boolean;
}

/** The event that a hook fires on, followed by the rest. */
type Described = readonly [Words, ...Words[]];

/** With at least this many hooks, shared facts are shown once. */
const MANY = 3;

/** The hooks without the facts that many of them share, and these facts, each with its hooks. */
function sharing(
  all: readonly Described[],
  labels: readonly (readonly [label: string, hooks: number])[],
): { each: Described[]; shared: string[] } {
  const facts = new Map<string, number[]>();
  for (const [index, words] of all.entries())
    for (const one of words)
      if (one.isFact) facts.set(one.words, [...(facts.get(one.words) ?? []), index + 1]);
  const isShared = ({ isFact, words }: Words) =>
    isFact === true && (facts.get(words)?.length ?? 0) >= MANY;
  const shared = [...facts].filter(([, hooks]) => hooks.length >= MANY);
  const naming = namingOf(labels);
  return {
    each: all.map(([head, ...rest]) => [head, ...rest.filter((one) => !isShared(one))]),
    shared: grouped(shared, ([, hooks]) => hooks.join()).map((some) => {
      const [[, hooks]] = some;
      return messages.forEach(naming.words(hooks), some.map(([words]) => words).join(' '));
    }),
  };
}

/**
 * When a hook fires, followed by what it shows or does. `known`: hashes of files of its command that do not have to be shown
 * again.
 */
function described(
  hook: HookDeclaration,
  bound: Bound = {},
  known: readonly string[] = [],
): Described {
  const ours = (words: string): Words => ({ words, own: true });
  const theirs = (words: string): Words => ({ words, own: false });
  const head = [ours(moment(hook)), ...conditionsOf(hook).map(ours)] as const;
  if (hook.context_tool !== undefined) return [...head, ...callOf(hook).map(ours)];
  if (hook.block !== undefined)
    return [
      ...head,
      ours(hookWords.blocks(hook.event)),
      theirs(hookText(hook)),
      ...failureOf(hook).map(ours),
    ];
  if (hook.command === undefined) return [...head, theirs(hookText(hook))];
  const files = filesInWords(hook, bound, known).flatMap(({ head, text, rest }) => [
    ours(head),
    ...(text === undefined ? [] : [theirs(text)]),
    ...(rest === undefined ? [] : [ours(rest)]),
  ]);
  // What a hook may decide is always shown with the hook itself.
  const mayDecide = (hook.may ?? []).length > 0;
  const answer = answerInWords(hook);
  const facts = [...factsOf(hook), ...(mayDecide ? [] : answer)];
  return [
    ...head,
    ours(commandInPlainWords(hook, bound)),
    ...facts.map((words) => ({ ...ours(words), isFact: true })),
    ...(mayDecide ? answer : []).map(ours),
    ...files,
  ];
}

/** Each hook that was removed, changed or added. `changes` is null if the earlier declaration is unknown. */
export function showChanges(
  terminal: Terminal,
  declared: ServerHooks,
  changes: Changes | null,
  plan: Agreed,
): string {
  const { lines, needs } = changesOf(terminal, declared, changes, plan);
  return [...lines, ...showNeeds(terminal, needs)].join('\n');
}

/** The same for several labels, with all needed grants at the end. */
export function showChangesTogether(
  terminal: Terminal,
  all: readonly {
    readonly declared: ServerHooks;
    readonly changes?: Changes | null;
    readonly plan: Agreed;
  }[],
): string {
  const each = all.map(({ declared, changes = null, plan }) => ({
    declared,
    ...changesOf(terminal, declared, changes, plan),
  }));
  const needs = each.flatMap((one) =>
    one.needs.map((need) => ({ need, label: one.declared.label })),
  );
  return [
    ...each.flatMap(({ declared, lines }) => [...unaskedInWords(terminal, declared), ...lines]),
    ...showNeedsTogether(terminal, needs),
  ].join('\n');
}

function changesOf(
  terminal: Terminal,
  declared: ServerHooks,
  changes: Changes | null,
  plan: Agreed,
): { readonly lines: readonly string[]; readonly needs: readonly Need[] } {
  const { grants: decision } = plan;
  if (!changes) {
    const lines = [messages.notKept(declared.label), ...declaredLines(terminal, declared, plan)];
    return { lines, needs: decision.needs };
  }
  const { removed, changed, added, same, moved, launch } = changes;
  const name = paint(terminal, 'bold', declared.label);
  // Unchanged hooks whose grant is given now, or has lapsed.
  const shown = new Set([...changed.map(({ after }) => after), ...added].map((one) => one.number));
  const open = decision.needs.filter(({ by, lapsed }) => by === 'user' || lapsed);
  const needing = declared.hooks.flatMap((hook, index) => {
    const number = index + 1;
    const isAsked = open.some(({ hooks }) => hooks.includes(number));
    return isAsked && !shown.has(number) ? [{ hook, number, bound: declared }] : [];
  });
  const allowed = [
    ...needing.flatMap((one) => [
      `  ${paint(terminal, 'cyan', messages.hookAllowed(one.number))}`,
      ...compared(terminal, linesOf(one, []), linesOf(one, [])),
    ]),
    ...(needing.length > 0 && !launch
      ? launchOf(declared).map((words) => wrap(words, terminal.columns, INDENT, '  '))
      : []),
  ];
  const isNothing = isSame(changes) && plan.clients.every(({ change }) => change === undefined);
  const shownHooks = [...changed.map(({ after }) => after), ...added, ...needing];
  const called = [
    ...notDenied(shownHooks.map(({ hook }) => hook)).map((words) =>
      wrap(words, terminal.columns, INDENT, '  '),
    ),
    ...(isNothing ? [] : ownServer(terminal, plan)),
  ];
  if (isSame(changes)) {
    const lines = [`${name} ${messages.declaresSame}`, ...allowed, ...called];
    return { lines, needs: needing.length > 0 ? open : [] };
  }
  const skipped = denied(declared.hooks, decision).leftOut.filter((number) =>
    needing.some((one) => one.number === number),
  );
  const facts = [
    ...(changed.length > 0 ? [`${count(changed.length, 'hook')} changed`] : []),
    ...(added.length > 0 ? [`${count(added.length, 'hook')} added`] : []),
    ...(removed.length > 0 ? [`${count(removed.length, 'hook')} removed`] : []),
    ...(moved ? ['the order of others changed'] : []),
    ...(launch ? ['how its server is started or reached changed'] : []),
    ...(same > skipped.length ? [`${count(same - skipped.length, 'hook')} as before`] : []),
    ...(skipped.length > 0 ? [messages.skippedNow(hooksInWords(skipped))] : []),
  ];
  const block = (head: string, before: readonly string[], after: readonly string[]) => [
    `  ${paint(terminal, 'cyan', head)}`,
    ...compared(terminal, before, after),
  ];
  const lines = [
    wrap(messages.declaresElse(facts.join(', ')), terminal.columns, '  ', `${name} `),
    ...removed.flatMap((one) =>
      block(messages.hookRemoved(one.number), linesOf(one, hashesOf(one)), []),
    ),
    ...changed.flatMap(({ before, after }) => {
      const known = hashesOf(before);
      return block(renumbered(before, after), linesOf(before, known), linesOf(after, known));
    }),
    ...added.flatMap((one) => block(messages.hookAdded(one.number), [], linesOf(one, []))),
    ...(launch ? block(messages.launchChanged, launch.before, launch.after) : []),
    ...(launch && canonical(launch.before) === canonical(launch.after)
      ? [wrap(messages.launchMasked, terminal.columns, '    ')]
      : []),
    ...allowed,
    ...called,
  ];
  return { lines, needs: decision.needs };
}

export function showReplacement(
  terminal: Terminal,
  declared: ServerHooks,
  { source }: Install,
  changes: Changes | null,
  plan: Agreed & Pick<Plan, 'servers'>,
): string {
  const now = inLine(sourceInWords(declared.source));
  const words = messages.replaces(declared.label, inLine(source), now, losing(plan));
  const head = headed(terminal, 'yellow', 'another source', words);
  const place = placeOf(terminal, declared);
  return [head, ...place, showChanges(terminal, declared, changes, plan)].join('\n');
}

/** The clients from which a server is taken out. */
export const losing = ({ servers = [] }: Pick<Plan, 'servers'>): string[] =>
  servers.flatMap(({ action, client }) => (action === 'removed' ? client.name : []));

const renumbered = ({ number: was }: Numbered, { number }: Numbered): string =>
  messages.hookChanged(number, was === number ? undefined : was);

/** Each line of a text is quoted, so that none can be mistaken for one of ours. */
const linesOf = ({ hook, bound }: Numbered, known: readonly string[]): string[] =>
  described(hook, bound, known).flatMap(({ words, own }) =>
    words.split('\n').map((line) => (own ? line : QUOTE + line)),
  );

/** Approved files are stored only as hashes, not as texts. */
const hashesOf = ({ bound }: Numbered): string[] => Object.values(bound?.commandFiles ?? {});

function compared(terminal: Terminal, before: readonly string[], after: readonly string[]) {
  const show = (lines: readonly string[], sign: string, style?: Style) =>
    lines.flatMap((line) => {
      const quote = line.startsWith(QUOTE) ? QUOTE : '';
      const prefix = `  ${sign} ${quote}`;
      return wrapQuoted(line.slice(quote.length), terminal.columns, prefix)
        .split('\n')
        .map((one) => (style ? paint(terminal, style, one) : one));
    });
  // Comparing two very different texts would take too long.
  const parts = diffArrays([...before], [...after], { maxEditLength: 1000 }) ?? [
    { value: [...before], added: false, removed: true },
    { value: [...after], added: true, removed: false },
  ];
  return parts.flatMap(({ value, added, removed }) => {
    if (added) return show(value, '+', 'green');
    return removed ? show(value, '-', 'red') : show(value, ' ');
  });
}
