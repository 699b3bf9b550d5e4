/** A declaration becomes, for one client, native hook groups and a program for the runner. Pure. */

import type { Binding, Client, Grade, Lowering } from '../clients/client.ts';
import {
  type Declaration,
  type Declared,
  PRIORITIES,
  TOOL_EVENTS,
} from '../declaration/declaration.ts';
import type { Placed } from '../edit/edit.ts';
import { fingerprint } from '../fingerprint.ts';
import { hookCommand } from './command.ts';
import {
  canonicalNames,
  nativeMatcher,
  toolPattern,
  translateMentions,
  unknownTools,
} from './names.ts';
import { LIMITS, type Program, type ProgramHook, type ProgramServer } from './program.ts';

export interface CompileOptions {
  /** Absolute path of the first stage of the runner. */
  readonly runner: string;
  /** Absolute path of our state folder. */
  readonly state: string;
  /** `post_request` is told at the end of each turn, at the cost of one more turn each time. */
  readonly actNow?: boolean;
  /** False: nothing that costs a turn of the model; `session_end` texts are then left out. Default true. */
  readonly extraTurns?: boolean;
}

/** What becomes of one declared hook in one client. */
export interface LoweredHook {
  readonly declaration: Declaration;
  readonly grade: Grade;
  /** The end of "the model is told ...", or why it is not told at all. */
  readonly when: string;
  readonly notes: readonly string[];
  /** The native events on which the runner is started for it. */
  readonly native: readonly string[];
}

export interface Compiled {
  readonly client: Client;
  /** In the order of the declaration. */
  readonly hooks: readonly LoweredHook[];
  /** One native hook group for each native event. */
  readonly groups: readonly Placed[];
  readonly program: Program;
}

/** The most that a `context_tool` may take, and what of a client's timeout is kept for us to end in order. */
const TOOL_DEADLINE = 10_000;
const RESERVE = 1000;

/** Compiles what a server declares for one client. */
export function compile(declared: Declared, client: Client, options: CompileOptions): Compiled {
  const lowered = declared.hooks.map((declaration) => ({
    declaration,
    lowering: choose(declaration, client, options),
  }));
  const bound = lowered.flatMap(({ declaration, lowering }) =>
    typeof lowering === 'string' ? [] : lowering.on.map((binding) => ({ declaration, binding })),
  );

  const groups: Placed[] = [];
  const events: Record<string, Program['events'][string]> = {};
  for (const [native, { matcher, timeout }] of Object.entries(client.nativeEvents)) {
    const here = bound.filter(({ binding }) => binding.native === native);
    if (here.length === 0) continue;
    const wanted =
      matcher === 'none'
        ? undefined
        : matcher === 'tool'
          ? nativeMatcher(
              client,
              here.map(({ declaration }) => declaration.matcher),
            )
          : matcher.fixed;
    groups.push({
      event: native,
      group: client.group({
        label: declared.label,
        native,
        command: hookCommand(options.runner, client.id, native),
        timeout,
        ...(wanted !== undefined && { matcher: wanted }),
      }),
    });
    events[native] = {
      deadline: Math.min(TOOL_DEADLINE, timeout * 1000 - RESERVE),
      hooks: here
        .map(({ declaration, binding }) => programHook(declaration, binding, client))
        .sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority)),
    };
  }

  const server = programServer(declared);
  return {
    client,
    hooks: lowered.map(({ declaration, lowering }) => report(declaration, lowering, client)),
    groups,
    program: {
      label: declared.label,
      client: client.id,
      state: options.state,
      wire: client.wire,
      names: { aliases: aliases(client), allowed: canonicalNames(client).allowed },
      events,
      ...(server && declared.hooks.some((hook) => hook.context_tool) && { server }),
      limits: LIMITS,
    },
  };
}

/** The lowering of a hook, or why there is none. */
function choose(
  { event, context_tool }: Declaration,
  client: Client,
  { actNow = false, extraTurns = true }: CompileOptions,
): Lowering | string {
  const cell = client.lowering[event];
  if (!cell) return `${client.name} has no such moment`;
  const plain = context_tool === undefined ? cell.text : (cell.tool ?? cell.text);
  const lowering = (actNow && extraTurns && cell.actNow) || plain;
  return lowering.extraTurn && !extraTurns
    ? 'it would cost a turn of the model, and --no-extra-turns is given'
    : lowering;
}

function report(
  declaration: Declaration,
  lowering: Lowering | string,
  client: Client,
): LoweredHook {
  if (typeof lowering === 'string')
    return { declaration, grade: 'none', when: lowering, notes: [], native: [] };
  const unknown = toolMatcher(declaration)?.tool_name;
  return {
    declaration,
    grade: lowering.grade,
    when: lowering.when,
    notes: [
      ...(lowering.except ? [lowering.except] : []),
      ...(Buffer.byteLength(declaration.context ?? '') > LIMITS.event
        ? [`Its text is cut after ${LIMITS.event} bytes: more would be cut by a client, elsewhere.`]
        : []),
      ...(unknown === undefined ? [] : unknownTools(client, unknown)).map(
        (name) =>
          `"${name}" is no tool that we know of in ${client.name}; it is matched as it stands.`,
      ),
    ],
    native: [...new Set(lowering.on.map(({ native }) => native))],
  };
}

/** The matcher, where it means something: SEP-2282 has it ignored on the other events. */
const toolMatcher = ({ event, matcher }: Declaration) =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

function programHook(
  declaration: Declaration,
  { act, once, marked }: Binding,
  client: Client,
): ProgramHook {
  const { event, priority, context, context_tool, context_tool_args } = declaration;
  const matcher = toolMatcher(declaration);
  return {
    id: fingerprint(JSON.stringify(declaration)),
    event,
    priority,
    act,
    ...(once && { once }),
    ...(marked && { marked }),
    ...(matcher && {
      when: {
        ...(matcher.tool_name !== undefined && { tool: toolPattern(client, matcher.tool_name) }),
        ...(matcher.input_contains !== undefined && { input: matcher.input_contains }),
        ...(matcher.tool_server !== undefined && { server: matcher.tool_server }),
      },
    }),
    ...(context_tool === undefined
      ? { text: translateMentions(client, context ?? '') }
      : { call: { tool: context_tool, args: context_tool_args ?? {} } }),
  };
}

/** Values of `env` and `headers` stay where they are; the runner reads them there. */
function programServer({ server, source }: Declared): ProgramServer | undefined {
  if (!server) return undefined;
  const from = (values: Readonly<Record<string, string>> | undefined) =>
    source.kind === 'manifest' && values && Object.keys(values).length > 0
      ? { manifest: source.path, names: Object.keys(values) }
      : undefined;
  if ('url' in server) {
    const headers = from(server.headers);
    return { url: server.url, ...(headers && { headers }) };
  }
  const env = from(server.env);
  return { command: server.command, args: server.args ?? [], ...(env && { env }) };
}

/** The declared names of each native tool that has another name of its own. */
function aliases(client: Client): Record<string, string[]> {
  const translated = Object.entries(client.tools).filter(
    ([declared, native]) => declared !== native,
  );
  const natives = new Set(translated.map(([, native]) => native));
  return Object.fromEntries(
    [...natives].map((native) => [
      native,
      translated.flatMap(([declared, to]) => (to === native ? [declared] : [])),
    ]),
  );
}
