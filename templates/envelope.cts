/**
 * mcp-hooks: the event as tools and commands read it, and the answers that they may give. The event has the field names of
 * several conventions side by side, and we accept answers in all of them, so one script works in every client.
 */

import { clockOf } from './clock.cjs';
import { hasFailed, waitsFor } from './conditions.cjs';
import { jsonOf } from './json.cjs';
import { pathsOf } from './paths.cjs';
import { branchOf, projectName, repositoryOf } from './repository.cjs';
import type { Answer, ChainFiring, JsonObject, ProgramHook, Running, Stage } from './types.cjs';
import { isObject, parse } from './values.cjs';

/** Our event names, each with the name that hooks read and, if it differs, Claude Code's name. */
const NAMES: Readonly<Record<ProgramHook['event'], readonly [name: string, native?: string]>> = {
  session_start: ['SessionStart'],
  session_end: ['SessionEnd'],
  pre_tool_use: ['PreToolUse'],
  post_tool_use: ['PostToolUse'],
  pre_request: ['UserPromptSubmit'],
  post_request: ['Stop'],
  pre_compact: ['PreCompact'],
  post_compact: ['PostCompact'],
  tool_error: ['OnError', 'PostToolUseFailure'],
  subagent_start: ['SubagentStart'],
  subagent_end: ['SubagentStop'],
  budget_exceeded: ['OnBudgetExceeded'],
  notification: ['Notification'],
};

/** Events with facts about the whole session. */
const OF_SESSION: readonly string[] = ['pre_compact', 'post_request', 'session_end'];

/** Events at which a block makes the turn continue. */
const TURN_ENDS: readonly string[] = ['post_request', 'subagent_end'];

/** An event, and its version for others. */
export interface Seen {
  readonly program: Running;
  readonly firing: ChainFiring;
  readonly shown: ChainFiring;
  readonly stage: Stage;
}

/** The event as a hook reads it. Unknown fields are omitted. */
export function envelopeOf(hook: ProgramHook, run: Seen): JsonObject {
  const { program, firing, shown, stage } = run;
  const { wire, client } = program;
  const { session, cwd, tool, input, output, prompt, payload, transcript } = shown;
  clockOf(firing).look();
  const [name, native = name] = NAMES[hook.event];
  const hasLimit = hook.extended?.window !== undefined;
  const budget = hasLimit && require('./budget.cjs').budgetOf(hook, firing, run);
  firing.project ??= projectName(cwd);
  const { project } = firing;
  const branch = branchOf(firing);
  const failed = hasFailed(firing, program, stage);
  const duration = stage.get(payload, wire.duration);
  const agent = stage.get(payload, wire.agent);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const isCall = tool !== undefined;
  const files = isCall ? pathsOf(shown).map(({ whole }) => whole) : [];
  const called = stage.declaredName(hook, firing, program);
  const inClient = {
    event: program.native,
    ...(called !== tool && { name: tool }),
    ...(shown.native && { input: shown.native.input }),
  };
  return {
    hook: name,
    event: hook.event,
    timestamp: new Date(program.started).toISOString(),
    sessionId: session,
    client,
    agent: text(agent) ?? client,
    repository: repositoryOf(firing) ?? project,
    branch,
    ...(budget && {
      budget: {
        usedTokens: budget.used,
        effectiveLimit: budget.limit,
        percent: budget.percent,
        ...(budget.level && { level: budget.level }),
        estimated: budget.estimated,
      },
    }),
    ...(isCall && {
      tool: {
        name: called,
        ...(failed !== undefined && { success: !failed }),
        ...(typeof duration === 'number' && { durationMs: duration }),
        input,
        output,
      },
    }),
    session_id: session,
    cwd,
    project_path: cwd,
    project_name: project,
    git_branch: branch,
    hook_event_name: native,
    transcript_path: text(transcript),
    source: text(firing.source),
    reason: text(payload.reason),
    prompt: text(prompt),
    trigger: text(payload.trigger),
    permission_mode: text(payload.permission_mode),
    tool_use_id: text(payload.tool_use_id),
    ...(hook.event === 'notification' && noticeIn(firing, program, stage)),
    ...(TURN_ENDS.includes(hook.event) && { stop_hook_active: firing.continued }),
    ...(OF_SESSION.includes(hook.event)
      ? require('./session-facts.cjs').factsOf(hook, run)
      : shown.facts),
    ...(isCall && {
      tool_name: called,
      tool_input: input,
      tool_output: output,
      tool_response: output,
      ...(files.length > 0 && { paths: files }),
    }),
    native: inClient,
  };
}

/** What the client waits for, in our word and in Claude Code's. */
function noticeIn(...event: Parameters<typeof waitsFor>): JsonObject {
  const one = waitsFor(...event);
  return {
    waits_for: one,
    notification_type: one === 'prompt' ? 'idle_prompt' : 'permission_prompt',
  };
}

/** An object with any of these keys is an answer and not just data. */
const KEYS: readonly string[] = [
  'action',
  'additionalContext',
  'continue',
  'decision',
  'hookSpecificOutput',
  'modifiedInput',
  'modifiedOutput',
  'suppressOutput',
  'systemMessage',
  'warnings',
];

export const isEnvelope = (value: unknown): value is JsonObject =>
  isObject(value) && KEYS.some((key) => Object.hasOwn(value, key) && value[key] !== undefined);

/** A command's output: an object if it is a JSON object, else a text. Trimming also removes a byte order mark. */
export const printed = (text: string): JsonObject | string => {
  const value = text.trimStart().startsWith('{') ? parse(text.trim()) : undefined;
  return isObject(value) ? value : text.trimEnd();
};

/**
 * Whether a text that is not JSON was meant as an object: it is cut off, has more text after it, or is a printed Python dict.
 */
export const isBroken = (text: string): boolean => /^\s*\{\s*["']/.test(text);

/** Whether a text has a decision in it, in an object that does not stand alone: after a warning, or in a list. */
export const mayDecide = (text: string): boolean =>
  /["'](?:(?:action|decision|hookSpecificOutput|modifiedInput|modifiedOutput)["']\s*:|continue["']\s*:\s*false)/.test(
    text,
  );

/**
 * An answer of any convention as `{ texts, warnings }`, with `block` (the reason), `input` and `output` if it decides, and
 * `why`, a code, if it is not a valid answer. No answer can allow anything.
 */
export function normalise(
  answer: unknown,
  firing: { readonly input?: unknown; readonly names?: readonly string[] },
): Answer {
  if (answer === undefined || answer === null) return { texts: [], warnings: [] };
  if (typeof answer === 'string') return { texts: [answer], warnings: [], data: false };
  if (Object.keys(Object(answer)).length === 0) return { texts: [], warnings: [] };
  if (!isEnvelope(answer))
    return { texts: [jsonOf(answer)], warnings: [], why: { code: 'answer-unknown' } };
  const { hookSpecificOutput: native = {}, ...own } = withoutNulls(answer);
  const inner: JsonObject = Object(native);
  const contexts = [textsIn(own.additionalContext), textsIn(inner.additionalContext)];
  const notices = [textsIn(own.warnings), textsIn(own.systemMessage)];
  const texts = contexts.flatMap((some) => some ?? []);
  const known = { texts, warnings: notices.flatMap((some) => some ?? []) };
  const invalid = { ...known, why: { code: 'answer-invalid' } };
  if ([...contexts, ...notices].includes(undefined) || !isObject(native)) return invalid;
  const decided = decisionIn(own, withoutNulls(native), firing);
  if (!decided) return invalid;
  const { input, output } = decided;
  const hadInput = input !== undefined && firing.input !== undefined;
  if (hadInput && isObject(firing.input) !== isObject(input)) return invalid;
  return {
    ...known,
    ...(decided.block !== undefined && { block: decided.block }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(decided.why && { why: decided.why }),
  };
}

/** Many programs write null for fields that they do not use. */
const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));

/** Undefined: neither a text nor a list of texts. */
function textsIn(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.every((one) => typeof one === 'string') ? all : undefined;
}

/** Undefined: the decision is malformed. */
function decisionIn(
  answer: JsonObject,
  native: JsonObject,
  { names = [] }: { readonly names?: readonly string[] },
): Pick<Answer, 'block' | 'input' | 'output' | 'why'> | undefined {
  const { action, decision, reason, modifiedInput, modifiedOutput } = answer;
  const { permissionDecision, permissionDecisionReason } = native;
  const because = (...reasons: unknown[]) => ({
    block:
      reasons.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? UNSAID,
  });
  if (!ACTIONS.includes(action) || !DECISIONS.includes(decision)) return undefined;
  if (!PERMISSIONS.includes(permissionDecision)) return undefined;
  if (action === 'block') return because(reason);
  if (decision === 'block' || decision === 'deny') return because(reason);
  if (permissionDecision === 'deny') return because(permissionDecisionReason, reason);
  if (answer.continue === false) return because(answer.stopReason, reason);
  // A decision in another place or of another type is not obeyed, but it was meant as one.
  const others = [answer.permissionDecision, native.decision, answer.continue];
  if (!others.every((one) => PASSING.includes(one))) return undefined;
  // Base Coat's keys count only with `modify`.
  const isOne = action === 'modify';
  const input = (isOne ? modifiedInput : undefined) ?? native.updatedInput;
  const isMcp = names.some((name) => name.startsWith('mcp__'));
  const output =
    (isOne ? modifiedOutput : undefined) ??
    native.updatedToolOutput ??
    (isMcp ? native.updatedMCPToolOutput : undefined);
  const unasked = !isOne && (modifiedInput ?? modifiedOutput) !== undefined;
  if (unasked || (isOne && input === undefined && output === undefined)) return undefined;
  // There is no user to ask.
  const why = permissionDecision === 'ask' || decision === 'ask' ? 'cannot-ask' : undefined;
  return { input, output, ...(why && { why: { code: why } }) };
}

const UNSAID = 'No reason was given.';
const ACTIONS: readonly unknown[] = [undefined, 'passThrough', 'injectContext', 'block', 'modify'];
const DECISIONS: readonly unknown[] = [undefined, 'approve', 'allow', 'ask', 'block', 'deny'];
const PASSING: readonly unknown[] = [undefined, true, 'allow', 'approve'];
const PERMISSIONS: readonly unknown[] = [undefined, 'allow', 'ask', 'deny'];
