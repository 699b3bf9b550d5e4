/**
 * Evaluates hooks within a process, with the runner's code: for a client, or for an agent built on an SDK, that supports
 * SEP-2282 itself. It prints nothing, never ends the process, and never throws because of a hook.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { homeIn } from '../../clients/places.ts';
import { compile } from '../../compile/compile.ts';
import { doubts } from '../../compile/doubts.ts';
import {
  type EventProgram,
  eventPrograms,
  type ProgramHook,
  type ProgramRules,
  whyForbidden,
} from '../../compile/program.ts';
import {
  ALL_EVENTS,
  BASE_COAT_EVENTS,
  type Budget,
  type Decision,
  type Event,
  type ExtendedMatcher,
  type HookDeclaration,
  type OnFailure,
  ownEventName,
} from '../../declaration/declaration.ts';
import { error, type Problem, type ServerHooks } from '../../declaration/declared.ts';
import { locate } from '../../declaration/document.ts';
import { checkExtended } from '../../declaration/extended.ts';
import { GRANTS, type Grant, RULE } from '../../declaration/grants.ts';
import { checkManifest, readManifestText } from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import {
  type Policy,
  PolicyRefused,
  policyIn,
  RULES,
  type Rules,
  rulesFor,
} from '../../declaration/policy.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { startedAt } from '../../sources/launch.ts';
import { loadManifest } from '../../sources/manifests/load.ts';
import { accept, checkManifestText } from '../../sources/manifests/read.ts';
import { disk } from '../../system/disk.ts';
import { ifPossible, UserError } from '../../system/errors.ts';
import { runnerCode } from '../../system/runner-code.ts';
import type {
  EngineDecision,
  EngineFailure,
  EventEnvelope,
  EventName,
  HandlerAnswer,
  HandlerInput,
  ResponseEnvelope,
} from './envelopes.ts';
import type { EngineMessage } from './messages.ts';
import { neutral } from './neutral.ts';

/** What an engine evaluates, and what the user has granted. */
export interface EngineOptions {
  /** Absolute path of a manifest, or a manifest as an object. Commands run only from a file. */
  readonly manifest?: string | object;
  /** Instead of a manifest: hooks in the format of manifest version 2. */
  readonly declarations?: readonly object[];
  /** The name under which the model reads the texts. Default: the manifest's own name. */
  readonly label?: string;
  /** Your name for the MCP server: the value of `{server}` in a declaration. Default: the label. */
  readonly serverName?: string;
  /** What the user has granted. A hook without a needed grant is left out or not obeyed. Default: nothing. */
  readonly allow?: readonly Grant[];
  /** The rules of `policy.json`, instead of the file of that name in `state`. */
  readonly policy?: object;
  /** Absolute path of a folder for the state of sessions. Default: a temporary folder, which `close` removes. */
  readonly state?: string;
}

/** When a handler is called, and what it may do. */
export interface HandlerOptions {
  /** Its position among all hooks of the event, ascending. Default 50. With the same number, declared hooks come first. */
  readonly order?: number;
  /** In the format of a declaration of version 2. */
  readonly matcher?: ExtendedMatcher;
  /** What its answer may decide. The engine's `allow` must include the same. Default: nothing. */
  readonly may?: readonly Decision[];
  /**
   * The outcome of the event if the handler may decide about it, but throws or is too late. `deny` needs `block` in `may`.
   * Default: `allow`.
   */
  readonly onFailure?: OnFailure;
  /** Required for `budget_exceeded`, and used only there. */
  readonly budget?: Budget;
}

/** Your own function, called on an event in addition to the declared hooks. */
export type Handler = (event: HandlerInput) => Promise<HandlerAnswer> | HandlerAnswer;

/** Evaluates hooks. It prints nothing and never ends the process. */
export interface Engine {
  /**
   * Adds your own handler to the hooks of an event. It has as much time as the policy gives a tool (5 seconds, or 1 second at
   * `session_end`). If it throws, the event passes, unless `onFailure` says otherwise.
   *
   * @throws UserError when there is no such event, when the options are wrong, or when the engine is closed.
   */
  register(event: EventName, handler: Handler, options?: HandlerOptions): void;
  /**
   * Evaluates the hooks of an event, in order.
   *
   * @throws UserError when there is no such event, when the event has no `sessionId`, or when the engine is closed; never
   *   because of a hook.
   */
  fire(event: EventEnvelope): Promise<ResponseEnvelope>;
  /** Removes the engine's temporary folder. May be called more than once. */
  close(): void;
}

/**
 * Creates an engine for the hooks of one server.
 *
 * @throws UserError that lists all problems of the manifest, the declarations or the policy.
 */
export function createEngine(options: EngineOptions): Engine {
  const declared = declarationOf(options);
  const { label } = declared;
  const { allow = [] } = options;
  for (const grant of allow)
    if (!GRANTS.includes(grant))
      throw new UserError<EngineMessage>({ code: 'grant-unknown', grant, allowed: GRANTS });
  const policy = options.policy && checkedPolicy(options.policy);
  const granted = Object.fromEntries(allow.map((grant) => [RULE[grant], true]));
  const defaults: Rules = { ...RULES, ...granted };
  const rules = policy && rulesFor(policy, label, defaults);
  const own = options.state === undefined ? mkdtempSync(join(tmpdir(), 'mcp-hooks-engine-')) : '';
  const state = own || resolve(options.state ?? '');
  mkdirSync(join(state, 'sessions'), { recursive: true, mode: 0o700 });

  const registered: { readonly declaration: HookDeclaration; readonly handler: Handler }[] = [];
  let compiled: Compiled | undefined;
  let closed = false;
  const opened = () => {
    if (closed) throw new UserError<EngineMessage>({ code: 'engine-closed' });
  };

  const compileAll = (): Compiled => {
    const hooks = [...declared.hooks, ...registered.map(({ declaration }) => declaration)];
    // As in the runner: our own process starts what hooks start.
    const here = startedAt({ ...declared, hooks }, homeIn(process.env));
    const { program, hooks: lowered } = compile(here, neutral, {
      runner: join(state, 'runner'),
      state,
      defaults,
      serverName: options.serverName,
      // Uses the defaults for an invalid policy, which `fire` reports without adding anything.
      rules:
        rules ?? rulesFor(ifPossible(() => readPolicy(state, disk.read)) ?? {}, label, defaults),
    });
    const handlerOf = ({ number }: ProgramHook) =>
      registered[number - declared.hooks.length - 1]?.handler;
    return {
      programs: new Map(
        eventPrograms(program).map((one) => [one.native, programmed(one, handlerOf)] as const),
      ),
      leftOut: lowered.flatMap(({ declaration: { event }, grade, when: { code } }, index) =>
        grade === 'none' && index < declared.hooks.length && code !== 'not-enabled'
          ? [{ event, why: { code, hook: index + 1 } }]
          : [],
      ),
    };
  };

  return {
    register(event, handler, { order = 50, matcher, may, onFailure, budget } = {}) {
      opened();
      const conditions = { ...(matcher && { matcher }), ...(budget && { budget }) };
      const text = { event: eventOf(event), order, context: '', ...conditions };
      const { value, problems } = checkExtended(text, []);
      if (!value)
        throw new UserError<DeclarationMessage>(
          { code: 'manifest-refused', path: 'register' },
          locate('register', problems),
        );
      if (onFailure === 'deny' && !may?.includes('block'))
        throw new UserError<DeclarationMessage>(
          { code: 'manifest-refused', path: 'register' },
          locate('register', [error({ code: 'deny-without-block' }, ['onFailure'])]),
        );
      const decides = { ...(may && { may }), ...(onFailure && { on_failure: onFailure }) };
      registered.push({ declaration: { ...value, ...decides }, handler });
      compiled = undefined;
    },
    async fire(envelope) {
      opened();
      const { hook, event = hook, sessionId, ...rest } = envelope;
      const name = eventOf(event);
      if (typeof sessionId !== 'string' || sessionId === '')
        throw new UserError<EngineMessage>({ code: 'envelope-without', key: 'sessionId' });
      compiled ??= compileAll();
      const program = compiled.programs.get(name);
      const left = compiled.leftOut.filter((one) => one.event === name).map(({ why }) => why);
      const given = { event: name, sessionId, ...rest };
      const answer = program ? await evaluated(program, given, rules) : response({});
      const { metadata } = answer;
      return { ...answer, metadata: { ...metadata, why: [...left, ...metadata.why] } };
    },
    close() {
      closed = true;
      if (own) rmSync(own, { recursive: true, force: true });
    },
  };
}

function declarationOf({ manifest, declarations, label }: EngineOptions): ServerHooks {
  if (typeof manifest === 'string') {
    const file = resolve(manifest);
    const where = { folder: dirname(file) };
    const source = { kind: 'manifest', path: file } as const;
    return accept(
      checkManifestText({
        ...{ text: loadManifest(file, file), shown: file, file, source, where, name: label },
        isNamed: true,
      }),
    );
  }
  if (manifest === undefined && declarations === undefined)
    throw new UserError<EngineMessage>({ code: 'nothing-to-evaluate' });
  const shown = manifest === undefined ? 'declarations' : 'manifest';
  const document = manifest ?? { version: 2, hooks: { declarations } };
  const { problems, ...found } = checkManifest(readManifestText(JSON.stringify(document)), {
    source: { kind: 'manifest', path: shown },
    at: [],
    label: label ?? 'agent',
    ...(label !== undefined && { name: label }),
    doubts,
    // There is no manifest file, so commands are not accepted.
    commandsFrom: null,
  });
  return accept({ declared: { ...found, problems: unplaced(problems) }, shown });
}

function checkedPolicy(policy: object): Policy {
  try {
    return policyIn(JSON.stringify(policy), 'policy');
  } catch (error) {
    throw error instanceof PolicyRefused
      ? new PolicyRefused('policy', unplaced(error.problems))
      : error;
  }
}

/** Lines and columns are omitted, because the caller has never seen the text. */
const unplaced = (problems: readonly Problem[]): Problem[] =>
  problems.map(({ line: _, column: __, ...problem }) => problem);

function eventOf(name: unknown): Event {
  const own = ownEventName(name);
  const event = ALL_EVENTS.find((one) => one === own);
  if (event) return event;
  const allowed = [...ALL_EVENTS, ...Object.keys(BASE_COAT_EVENTS)];
  throw new UserError<EngineMessage>({
    code: 'engine-event-unknown',
    event: JSON.stringify(name) ?? 'without a name',
    allowed,
  });
}

// The runner's own code.

interface Compiled {
  readonly programs: ReadonlyMap<string, Programmed>;
  /** The hooks that can never fire in the engine. */
  readonly leftOut: readonly { readonly event: Event; readonly why: Why }[];
}

interface Programmed {
  readonly program: EventProgram;
  readonly handlers: ReadonlyMap<ProgramHook, Handler>;
}

/** Keeps handlers with equal declarations apart. */
function programmed(
  program: EventProgram,
  handlerOf: (hook: ProgramHook) => Handler | undefined,
): Programmed {
  const handlers = new Map<ProgramHook, Handler>();
  const hooks = program.hooks.map((hook) => {
    const handler = handlerOf(hook);
    if (!handler) return hook;
    const distinct = { ...hook, id: `${hook.id}-${hook.number}` };
    handlers.set(distinct, handler);
    return distinct;
  });
  return { program: { ...program, hooks }, handlers };
}

/** A program at run time. `to` receives what the runner would print and log. */
type Running = EventProgram & {
  readonly started: number;
  readonly to: { readonly print: (text: string) => void; readonly log: (facts: Logged) => void };
};

interface Logged {
  readonly hooks?: readonly number[];
  readonly why?: readonly Why[];
}

/** Why something was not shown or obeyed. */
interface Why {
  readonly code: string;
  readonly hook?: number;
  readonly said?: unknown;
  readonly known?: unknown;
}

type Evaluation = ReturnType<ReturnType<typeof chainCode>['evaluationOf']>;
type Said = Awaited<ReturnType<ReturnType<typeof chainCode>['evaluate']>>;

type Runner = ReturnType<typeof runner>['stage'];
type Firing = NonNullable<ReturnType<Runner['read']>>;
/** The functions from `templates/` that we use. */
const runner = () => runnerCode('./runner.cjs');
const chainCode = () => runnerCode('./chain.cjs');

/** Old files are removed once per this many events. */
const TIDY = 64;

async function evaluated(
  { program, handlers }: Programmed,
  payload: object,
  given: Rules | undefined,
): Promise<ResponseEnvelope> {
  const { stage: own } = runner();
  const { jsonOf } = runnerCode('./json.cjs');
  runnerCode('./lifetime.cjs').beGuest();
  let printed = '';
  let logged: Logged = {};
  const to = {
    print: (text: string) => {
      printed += text;
    },
    log: (facts: Logged) => {
      logged = facts;
    },
  };
  const at: Running = { ...program, started: Date.now(), to };
  const stage = { ...own, handlers };
  let rules: ProgramRules | undefined;
  let firing: Firing | undefined;
  let evaluation: Evaluation | undefined;
  try {
    firing = own.read(at, jsonOf(payload));
    rules = given ?? own.rulesFor(at);
    const forbidden = forbiddenBy(rules, program);
    own.leaveOutMuted(at, rules);
    if (!firing || at.hooks.length === 0) return response({ why: forbidden });
    if (!at.chain) {
      await own.plainly(at, firing, rules);
      const { hooks, why = [] } = logged;
      const warnings = warningsOf(why.filter(({ code }) => !HAVE_ANSWERED.includes(code)));
      return response({ printed, hooks, why: [...forbidden, ...why], warnings });
    }
    const chain = chainCode();
    evaluation = chain.evaluationOf(at, firing, rules, stage);
    const said = await chain.evaluate(evaluation);
    if (at.started % TIDY === 0) own.tidy(at);
    return responseTo(evaluation, said, forbidden);
  } catch (error) {
    if (at.chain && at.hooks.length > 0) {
      const chain = chainCode();
      const known = firing ?? runnerCode('./failure.cjs').NOTHING;
      evaluation ??= chain.evaluationOf(at, known, rules ?? program.policy.rules, stage);
      const said = chain.settleAll(evaluation, error, firing !== undefined);
      return responseTo(evaluation, said, []);
    }
    return response({ why: [runnerCode('./values.cjs').reasonOf(error)] });
  }
}

function responseTo(
  evaluation: Evaluation,
  said: Said,
  forbidden: readonly Why[],
): ResponseEnvelope {
  const { warnings, decisions, reasons } = evaluation.outcome;
  // In the order of the manifest, regardless of which hook finished first.
  const faults = [...evaluation.failures.faults]
    .toSorted(([one], [other]) => one.number - other.number)
    .map(([, why]) => why);
  const { answerOf, doneIn } = chainCode();
  return response({
    printed: answerOf(evaluation, said),
    hooks: doneIn(evaluation, said).map(({ number }) => number),
    why: [...forbidden, ...reasons],
    warnings: [...warnings, ...warningsOf(faults)],
    decisions,
    failures: evaluation.failures.settled,
  });
}

/** A warning for each distinct reason for which hooks failed. */
const warningsOf = (faults: readonly Why[]): string[] => [
  ...new Set(faults.map((why) => runnerCode('./failure.cjs').warningOf(why))),
];

/** Codes for tools that succeeded, but returned nothing that could be shown. */
const HAVE_ANSWERED: readonly string[] = ['no-text', 'wants-more', 'dropped'];

/** The hooks of an event that the policy switches off. */
const forbiddenBy = (rules: ProgramRules, { hooks }: EventProgram): Why[] =>
  hooks
    .filter(({ act }) => act !== 'mark')
    .toSorted((a, b) => a.number - b.number)
    .flatMap((hook) => {
      const code = whyForbidden(hook, rules);
      return code === undefined ? [] : [{ code, hook: hook.number }];
    });

interface Outcome {
  /** JSON in the neutral client's format; '' if nothing is shown. */
  readonly printed?: string;
  readonly hooks?: readonly number[] | undefined;
  readonly why?: readonly Why[] | undefined;
  readonly warnings?: readonly string[];
  readonly decisions?: readonly EngineDecision[];
  readonly failures?: readonly EngineFailure[];
}

const response = ({
  printed = '',
  hooks = [],
  why = [],
  warnings = [],
  decisions = [],
  failures = [],
}: Outcome): ResponseEnvelope => ({
  action: 'passThrough',
  additionalContext: [],
  ...(printed !== '' && JSON.parse(printed)),
  warnings,
  metadata: {
    hooks,
    decisions,
    ...(failures.length > 0 && { onFailure: failures }),
    why: why.map(withoutWords),
  },
});

/** A server's own words are only for the user's log, because our caller may show the response to a model. */
const withoutWords = ({ said: _, known: __, ...why }: Why): Why => why;
