/** The result for one declared hook in one client, for users: its grade, and notes. */

import type {
  Binding,
  Client,
  DecisionLowering,
  Grade,
  Lowering,
  Wire,
} from '../clients/contract.ts';
import { wireOf } from '../clients/contract.ts';
import type { ClientMessage } from '../clients/messages.ts';
import {
  type Decision,
  type HookDeclaration,
  isDeciding,
  type Matcher,
  ownLimit,
  toolMatcher,
} from '../declaration/declaration.ts';
import { isMuted, onFailureOf, type Rules } from '../declaration/policy.ts';
import { runnerCode } from '../system/runner-code.ts';
import { changes, knowsFailures, possible } from './extended.ts';
import { isTooManyNames, parseGlob } from './glob.ts';
import { canBeMcp, matchesNoTool } from './known-tools.ts';
import { type KnownServers, unknownServers } from './mentions.ts';
import type { CompileMessage } from './messages.ts';
import { isMcp, SHELL, unknownTools } from './names.ts';
import { withOwnServer } from './own-server.ts';
import { type Changed, idOf, timeWithin } from './program.ts';

export interface LoweredHook {
  readonly declaration: HookDeclaration;
  readonly grade: Grade;
  /** The end of "shown ...", or why nothing is shown. */
  readonly when: CompileMessage | ClientMessage;
  readonly notes: readonly CompileMessage[];
  /** The native events on which the runner starts for it. */
  readonly native: readonly string[];
}

/** Facts besides the hook itself. */
interface Around {
  readonly client: Client;
  readonly defaults: Rules;
  readonly rules: Rules;
  readonly servers: KnownServers | undefined;
  /** As in the options of `compile`. */
  readonly othersOn: ((native: string) => boolean) | undefined;
  /** The value of `{server}`. */
  readonly name: string;
  /** Why the runner cannot call the server's tools. */
  readonly notCalled: CompileMessage | undefined;
}

export function report(
  declaration: HookDeclaration,
  lowering: Lowering | CompileMessage,
  around: Around,
): LoweredHook {
  const { client, servers, notCalled } = around;
  const native = 'code' in lowering ? [] : [...new Set(lowering.on.map(({ native }) => native))];
  const none = (when: LoweredHook['when'], ...notes: CompileMessage[]): LoweredHook => ({
    declaration,
    grade: 'none',
    when,
    notes,
    native,
  });
  if ('code' in lowering) return none(lowering);
  const { context, context_tool } = declaration;
  const meant = toolMatcher(withOwnServer(declaration, around.name));
  const name = meant?.tool_name;
  if (name !== undefined && matchesNoTool(name))
    return none({ code: 'no-such-tool', glob: name }, { code: 'fires-all-the-same' });
  if (isUnpredictable(client, meant))
    return none({ code: 'name-unpredictable', client: client.name });
  if (context?.trim() === '') return none({ code: 'nothing-to-show' });
  const notes: CompileMessage[] = [...ofDecisions(declaration, around)];
  const isFree = {
    mcp: name !== undefined && !canBeMcp(name),
    'not-shell': name === SHELL,
    long: context !== undefined && context.length < LONG,
    all: false,
  }[lowering.exceptOf ?? 'all'];
  if (client.mcpNames.withoutServer && namesServer(toolMatcher(declaration)))
    notes.push({ code: 'server-not-told', client: client.name });
  if (client.mcpNames.announced && namesServer(toolMatcher(declaration)))
    notes.push({ code: 'server-announced', client: client.name });
  const { inEditor } = client;
  // docs/clients.md says it for texts, too. Here it would be one more line for almost everyone.
  if (inEditor && isDeciding(declaration) && native.every((one) => inEditor.lacks.includes(one)))
    notes.push({ code: 'not-in-editor', client: client.name, command: inEditor.command });
  // For a client that was never run, the plan says so once.
  if (lowering.documented && 'measured' in client.evidence)
    notes.push({ code: 'only-documented', client: client.name });
  const isFirstOnly = ({ native, act }: Binding) =>
    (act === 'tell' || act === 'ask') &&
    (client.nativeEvents[native]?.firstHookOnly || wireOf(client, native).firstOnly);
  const { othersOn = () => true } = around;
  if (lowering.on.some((one) => isFirstOnly(one) && othersOn(one.native)))
    notes.push({ code: 'first-hook-only', client: client.name });
  if (lowering.except && !isFree) notes.push({ code: 'exception', text: lowering.except });
  const { event, matcher } = declaration;
  if (event === 'post_tool_use' && matcher?.failed === false && !knowsFailures(client, lowering.on))
    notes.push({ code: 'failures-unknown', client: client.name });
  notes.push(...underPolicy(declaration, limitOf(client, native), around));
  notes.push(...ofFailure(declaration, around));
  notes.push(...ofDeadline(declaration, lowering, client));
  if (context_tool !== undefined && notCalled !== undefined) notes.push(notCalled);
  if (name !== undefined && isTooManyNames(name)) notes.push({ code: 'too-many-names' });
  for (const tool of name === undefined ? [] : unknownTools(client, name))
    notes.push({ code: 'unknown-native-tool', client: client.name, tool });
  for (const mention of servers ? unknownServers(declaration, servers) : [])
    notes.push({ code: 'unknown-server-named', ...mention, client: client.name });
  const block = declaration.block === undefined ? undefined : decisionOf(declaration, client).block;
  return {
    declaration,
    grade: block?.grade ?? lowering.grade,
    when: block ? { code: 'blocks', ...whenOf(block) } : whenShown(lowering),
    notes,
    native,
  };
}

/** A text of at least this many characters may not fit next to the texts of other hooks. */
const LONG = 1000;

/** Whether it only matches names that the client changes unpredictably. */
function isUnpredictable({ mcpNames }: Client, { tool_server, tool_name }: Matcher = {}): boolean {
  if (mcpNames.unpredictable === undefined) return false;
  const pattern = new RegExp(mcpNames.unpredictable, 'u');
  if (tool_server !== undefined && pattern.test(`mcp__${tool_server}__*`)) return true;
  return (
    tool_name !== undefined &&
    parseGlob(tool_name).every((one) => isMcp(one) && pattern.test(one.join('*')))
  );
}

/** Whether it is about particular servers' tools, and not just about those of all servers. */
const namesServer = ({ tool_server, tool_name = '' }: Matcher = {}): boolean =>
  tool_server !== undefined ||
  parseGlob(tool_name).some((one) => isMcp(one) && tool_name !== 'mcp__*');

const whenShown = ({ when, sooner }: Lowering): CompileMessage => ({
  code: 'told',
  when,
  ...(sooner && { actNow: true }),
});

const decisionOf = ({ event }: HookDeclaration, { lowering }: Client) =>
  lowering[event]?.decide ?? {};

const whenOf = ({ when }: DecisionLowering) => (when === undefined ? {} : { when });

/** Every client ends a hook after a timeout. */
function ofDeadline(
  { deadline, async: isAsync }: HookDeclaration,
  { on }: Lowering,
  { name, nativeEvents }: Client,
): CompileMessage[] {
  if (deadline === undefined || isAsync) return [];
  const calling = on.filter(({ act }) => act !== 'mark');
  const { TO_TELL }: { TO_TELL: number } = runnerCode('./chain.cjs');
  const most = calling.map(
    ({ native }) => timeWithin(nativeEvents[native]?.timeout ?? 0) - TO_TELL,
  );
  const milliseconds = Math.min(...most);
  return deadline > milliseconds ? [{ code: 'deadline-cut', client: name, milliseconds }] : [];
}

/** What the client does with the decisions that a tool or command may make. */
function ofDecisions(
  declaration: HookDeclaration,
  { client, defaults, rules }: Around,
): CompileMessage[] {
  const can = possible(declaration, client);
  return (declaration.may ?? []).flatMap((decision): CompileMessage[] => {
    if (!defaults[decision] && !rules[decision]) return [{ code: 'not-granted', decision }];
    const wanted = changes(decision);
    const able = wanted.filter((what) => can.includes(what));
    if (able.length === 0)
      return [{ code: 'not-decided', what: meantBy(decision, declaration), client: client.name }];
    return able.flatMap((what) => {
      const how = decisionOf(declaration, client)[what];
      return how ? [{ code: 'decided', what, grade: how.grade, ...whenOf(how) }] : [];
    });
  });
}

/** What a decision is about on the hook's event: after a call, its input cannot be changed any more. */
const meantBy = (decision: Decision, { event }: HookDeclaration): Changed => {
  if (decision === 'block') return 'block';
  return event === 'post_tool_use' || event === 'tool_error' ? 'output' : 'input';
};

/** What happens to the event if the hook fails, where that differs from the declaration. */
function ofFailure(declaration: HookDeclaration, { client, rules }: Around): CompileMessage[] {
  if (!isDeciding(declaration)) return [];
  const { on_failure = 'allow' } = declaration;
  const action = onFailureOf(declaration, rules);
  if (action === 'deny' && !possible(declaration, client).includes('block'))
    return on_failure === 'deny' ? [{ code: 'deny-in-vain', client: client.name }] : [];
  if (action === on_failure) return [];
  return [{ code: 'failure-by-policy', action }];
}

/** The tightest limit of a client on any of these events. */
export function limitOf(client: Client, native: readonly string[]): Wire['limit'] {
  const limits = native.map((one) => wireOf(client, one).limit);
  const least = (unit: keyof Wire['limit']) =>
    Math.min(...limits.map((limit) => limit[unit] ?? Infinity));
  return { characters: least('characters'), bytes: least('bytes') };
}

/** The effect of the user's policy on a hook, or of the defaults if there is no policy. */
function underPolicy(
  declaration: HookDeclaration,
  { characters = Infinity, bytes = Infinity }: Wire['limit'],
  { defaults, rules }: Around,
): CompileMessage[] {
  const { block, context: declared = block ?? '', context_tool, priority } = declaration;
  const { charactersPerHook, charactersPerEvent } = rules;
  const context = declared.slice(0, ownLimit(declaration));
  const text = quoteLines(context);
  const isCut =
    context.length > charactersPerHook ||
    text.length > Math.min(charactersPerEvent, characters) ||
    new TextEncoder().encode(text).length > bytes;
  const notes: CompileMessage[] = [];
  if (isMuted(rules)) notes.push({ code: 'muted-by-policy' });
  else if (isMuted(rules, idOf(declaration))) notes.push({ code: 'hook-muted' });
  if (priority === 'required' && !rules.trusted)
    notes.push({ code: defaults.trusted ? 'downgraded-by-policy' : 'downgraded-here' });
  if (context_tool !== undefined && !rules.contextTool)
    notes.push({ code: 'tool-forbidden-by-policy' });
  const most = Math.min(charactersPerHook, charactersPerEvent, characters, bytes);
  if (isCut) notes.push({ code: 'text-cut', characters: most });
  return notes;
}

/** The text with the marks of its lines. */
export const quoteLines = (text: string): string => {
  const { plain, quoted } = runnerCode('./words.cjs');
  return quoted(plain(text));
};
