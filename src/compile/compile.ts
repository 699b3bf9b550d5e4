/** A declaration becomes, for one client, native hook groups and a program for the runner. Pure. */

import type { Binding, Client, Grade, Lowering, Wire } from '../clients/contract.ts';
import { wireOf } from '../clients/contract.ts';
import { entryFor } from '../clients/entries.ts';
import { acts, asOf, gapAt, gapMessage, isTooOld, type Version } from '../clients/gaps.ts';
import type { ClientMessage } from '../clients/messages.ts';
import type { ConfiguredServer, ServerEnvironment } from '../declaration/configured-server.ts';
import {
  type HookDeclaration,
  LABEL,
  PRIORITIES,
  type Priority,
  TOOL_EVENTS,
} from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import { MOST, RULES, type Rules, STRICTER_ABOVE } from '../declaration/policy.ts';
import { typedHeaders, unkept } from '../declaration/typed-headers.ts';
import type { Placed } from '../edit/edit.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { runnerCode } from '../system/runner-code.ts';
import { entryCommands } from './command.ts';
import { isTooManyNames } from './glob.ts';
import { matchesNoTool } from './known-tools.ts';
import { type ClientMatcher, matcherFor } from './matcher.ts';
import { type KnownServers, unknownServers } from './mentions.ts';
import type { CompileMessage } from './messages.ts';
import { canonicalNames, namesApart, toolGlobs, translateMentions, unknownTools } from './names.ts';
import type { Program, ProgramHook, ProgramServer } from './program.ts';
import { steeringMark } from './steering.ts';

export interface CompileOptions {
  /** Absolute path of the folder of the runner. */
  readonly runner: string;
  /** Absolute path of our state folder. */
  readonly state: string;
  /** `post_request` is told at the end of each turn, at the cost of one more turn each time. */
  readonly actNow?: boolean;
  /** False: nothing that costs a turn of the model; `session_end` texts are then left out. Default true. */
  readonly extraTurns?: boolean;
  /** The client's; undefined: it cannot be told. */
  readonly version?: string | undefined;
  /** The clients run on Windows; the node that they are to start there. */
  readonly windows?: { readonly node: string };
  /** The MCP servers that the client has configured; absent: that is not known. */
  readonly servers?: KnownServers;
  /** What holds for the label where the policy says nothing, grants of the user's included; by default nothing is granted. */
  readonly defaults?: Rules;
  /** What holds for it with the policy as it is now; by default the same. */
  readonly rules?: Rules;
  /** What the policy says of the label was said of another source. */
  readonly restricting?: boolean;
  /** Absolute path of the file that keeps what the user has signed in with at the server; absent: it is asked without. */
  readonly tokens?: string | undefined;
}

/** What becomes of one declared hook in one client. */
export interface LoweredHook {
  readonly declaration: HookDeclaration;
  readonly grade: Grade;
  /** The end of "the model is told ...", or why it is not told at all. */
  readonly when: CompileMessage | ClientMessage;
  readonly notes: readonly CompileMessage[];
  /** The native events on which the runner is started for it. */
  readonly native: readonly string[];
}

export interface Compiled {
  readonly client: Client;
  /** In the order of the declaration. */
  readonly hooks: readonly LoweredHook[];
  /** One native hook group for each native event. */
  readonly groups: readonly Placed[];
  /** The version of the client that this is for, where it could be told. */
  readonly version?: string;
  /** The same, where it is below the first that runs hooks. */
  readonly tooOld?: string;
  /** What is not of one hook alone. */
  readonly notes: readonly CompileMessage[];
  readonly program: Program;
}

/** Milliseconds in which we are done where no tool is called; at the start of a session there is more time. */
const DEADLINE = 1000;
const START_DEADLINE = 2000;
/** What of a client's timeout is kept for us to end in order. */
const RESERVE = 1000;

/** Compiles what a server declares for one client. */
export function compile(declared: ServerHooks, known: Client, options: CompileOptions): Compiled {
  const { version } = options;
  const client = asOf(known, version);
  const { defaults = RULES, rules = defaults } = options;
  // What nobody has allowed is not there at all; what the policy takes back again is for the runner to leave.
  const tools = defaults.contextTool || rules.contextTool;
  const { trusted, other } = ranks(declared.hooks);
  // A policy that is given later can have fewer of these heard, and no others.
  const heard = Math.max(defaults.hooksPerServer, rules.hooksPerServer);
  const left = unheard(declared.hooks, heard);
  const lowered = declared.hooks.map((declaration) => ({
    declaration,
    lowering: left.includes(declaration)
      ? ({ code: 'not-heard', heard } as const)
      : choose(declaration, client, tools, options),
  }));
  const bound = lowered.flatMap(({ declaration, lowering }) =>
    'code' in lowering ? [] : lowering.on.map((binding) => ({ declaration, binding })),
  );

  const groups: Placed[] = [];
  const notes = new Map<string, CompileMessage>();
  const events: Record<string, Program['events'][string]> = {};
  for (const [native, event] of Object.entries(client.nativeEvents)) {
    const { matcher, timeout, occasion, end, wire } = event;
    const here = bound.filter(({ binding }) => binding.native === native);
    if (here.length === 0) continue;
    const wanted: ClientMatcher =
      matcher === 'none'
        ? {}
        : matcher === 'tool'
          ? matcherFor(
              client,
              here.map(({ declaration }) => declaration.matcher),
            )
          : { matcher: matcher.fixed };
    if ('leftOut' in wanted) notes.set(wanted.leftOut.code, wanted.leftOut);
    groups.push({
      event: native,
      group: entryFor(client, {
        label: declared.label,
        native,
        ...entryCommands(options.runner, client.id, native, options.windows),
        timeout,
        ...('matcher' in wanted && { matcher: wanted.matcher }),
      }),
    });
    events[native] = {
      deadline: here.some(({ declaration }) => declaration.event === 'session_start')
        ? START_DEADLINE
        : DEADLINE,
      most: timeout * 1000 - RESERVE,
      ...(end && { end }),
      ...(occasion !== undefined && { occasion }),
      ...(wire && { wire: wireOf(client, native) }),
      hooks: here
        .map(({ declaration, binding }) => ({
          ...programHook(declaration, binding, client),
          number: declared.hooks.indexOf(declaration) + 1,
          ranks: { trusted: trusted.indexOf(declaration), other: other.indexOf(declaration) },
        }))
        .sort((a, b) => a.ranks.other - b.ranks.other),
    };
  }

  const apart = namesApart(client);
  const server = programServer(declared, client, options.tokens);
  return {
    client,
    hooks: lowered.map(({ declaration, lowering }) =>
      report(
        declaration,
        lowering,
        client,
        { defaults, rules, servers: options.servers, version },
        whyNotCalled(declared),
      ),
    ),
    ...(version !== undefined && { version }),
    ...(isTooOld(known, version) && { tooOld: version }),
    groups,
    notes: [...notes.values()],
    program: {
      label: declared.label,
      client: client.id,
      state: options.state,
      wire: client.wire,
      names: {
        aliases: aliases(client),
        allowed: canonicalNames(client).allowed,
        ...(client.mcpNames.bare && { bare: true }),
        ...(apart && { apart }),
      },
      events,
      ...(server && tools && declared.hooks.some((hook) => hook.context_tool) && { server }),
      policy: {
        rules: defaults,
        most: MOST,
        heard,
        label: LABEL.source,
        ...(options.restricting && { restricting: STRICTER_ABOVE }),
      },
      ...(client.hosts && { hosts: client.hosts }),
    },
  };
}

/** The lowering of a hook, or why there is none. */
function choose(
  { event, context_tool }: HookDeclaration,
  client: Client,
  tools: boolean,
  { actNow = false, extraTurns = true }: CompileOptions,
): Lowering | CompileMessage {
  if (context_tool !== undefined && !tools) return { code: 'left-out-here' };
  const cell = client.lowering[event];
  if (!cell) return { code: 'no-such-moment', client: client.name };
  const plain = context_tool === undefined ? cell.text : (cell.tool ?? cell.text);
  const lowering = (actNow && extraTurns && cell.actNow) || plain;
  return lowering.extraTurn && !extraTurns ? { code: 'extra-turn' } : lowering;
}

function report(
  declaration: HookDeclaration,
  lowering: Lowering | CompileMessage,
  client: Client,
  allowed: Allowed,
  notCalled: CompileMessage | undefined,
): LoweredHook {
  const native = 'code' in lowering ? [] : [...new Set(lowering.on.map(({ native }) => native))];
  const none = (when: LoweredHook['when'], ...notes: CompileMessage[]): LoweredHook => ({
    declaration,
    grade: 'none',
    when,
    notes,
    native,
  });
  if ('code' in lowering) return none(lowering);
  const name = toolMatcher(declaration)?.tool_name;
  if (name !== undefined && matchesNoTool(name))
    return none({ code: 'no-such-tool', glob: name }, { code: 'fires-all-the-same' });
  const lost = whyLost(lowering, client, allowed.version);
  if (lost !== undefined) return none(lost, { code: 'fires-when-newer' });
  if (declaration.context?.trim() === '') return none({ code: 'nothing-to-tell' });
  return {
    declaration,
    grade: lowering.grade,
    when: { code: 'told', when: lowering.when },
    notes: [
      ...(lowering.except ? [{ code: 'exception', text: lowering.except } as const] : []),
      ...notesOfVersion(lowering, client, allowed.version),
      ...underPolicy(declaration, limitOf(client, native), allowed),
      ...(declaration.context_tool !== undefined && notCalled !== undefined ? [notCalled] : []),
      ...(name !== undefined && isTooManyNames(name) ? [{ code: 'too-many-names' } as const] : []),
      ...(name === undefined ? [] : unknownTools(client, name)).map(
        (tool): CompileMessage => ({ code: 'unknown-native-tool', client: client.name, tool }),
      ),
      ...(allowed.servers ? unknownServers(declaration, allowed.servers) : []).map(
        (mention): CompileMessage => ({
          code: 'unknown-server-named',
          ...mention,
          client: client.name,
        }),
      ),
    ],
    native,
  };
}

type Allowed = Required<Pick<CompileOptions, 'defaults' | 'rules'>> & {
  readonly servers: KnownServers | undefined;
  readonly version: Version;
};

/** Why a hook has no effect in a version of a client; undefined: it has. */
function whyLost(
  { on }: Lowering,
  client: Client,
  version: Version,
): LoweredHook['when'] | undefined {
  if (isTooOld(client, version))
    return { code: 'runs-no-hooks', client: client.name, version, since: client.hooksSince };
  const gap = (binding: Binding) => gapAt(client, version, binding, client.wire);
  if (acts(on, (binding) => !gap(binding))) return undefined;
  const [first] = on.flatMap((binding) => gap(binding) ?? []);
  return first && gapMessage(client, version, first);
}

/** What a version of a client does not do, although the hook has an effect in it. */
function notesOfVersion(
  { on, instead }: Lowering,
  client: Client,
  version: Version,
): CompileMessage[] {
  const gaps = new Set([
    ...on.flatMap((binding) => gapAt(client, version, binding, client.wire) ?? []),
    ...(instead ?? []),
  ]);
  return [...gaps].map((gap) => ({ code: 'gap-noted', gap: gapMessage(client, version, gap) }));
}

/** The tightest of what a client cuts on some of its events. */
function limitOf(client: Client, native: readonly string[]): Wire['limit'] {
  const limits = native.map((one) => wireOf(client, one).limit);
  const least = (unit: keyof Wire['limit']) =>
    Math.min(...limits.map((limit) => limit[unit] ?? Infinity));
  return { characters: least('characters'), bytes: least('bytes') };
}

/** What the user's policy, or what holds without one, makes of a hook. */
function underPolicy(
  { context = '', context_tool, priority }: HookDeclaration,
  limit: Wire['limit'],
  { defaults, rules }: Allowed,
): CompileMessage[] {
  const { muted, trusted, contextTool, charactersPerHook, charactersPerEvent } = rules;
  const told = asTold(context);
  const most = Math.min(
    charactersPerHook,
    charactersPerEvent,
    limit.characters ?? charactersPerHook,
    limit.bytes ?? charactersPerHook,
  );
  return [
    ...(muted ? [{ code: 'muted-by-policy' } as const] : []),
    ...(priority === 'required' && !trusted
      ? [{ code: defaults.trusted ? 'downgraded-by-policy' : 'downgraded-here' } as const]
      : []),
    ...(context_tool !== undefined && !contextTool
      ? [{ code: 'tool-forbidden-by-policy' } as const]
      : []),
    ...(context.length > charactersPerHook ||
    told.length > Math.min(charactersPerEvent, limit.characters ?? Infinity) ||
    Buffer.byteLength(told) > (limit.bytes ?? Infinity)
      ? [{ code: 'text-cut', characters: most } as const]
      : []),
  ];
}

/** The hooks that are not among the `heard` strongest of a server, be `required` honoured or not. */
export function unheard(hooks: readonly HookDeclaration[], heard: number): HookDeclaration[] {
  const { trusted, other } = ranks(hooks);
  const kept = new Set([...trusted.slice(0, heard), ...other.slice(0, heard)]);
  return hooks.filter((hook) => !kept.has(hook));
}

/** With the marks of its lines. */
const asTold = (text: string): string => {
  const { plain, quoted } = runnerCode('./words.cjs');
  return quoted(plain(text));
};

/** Strongest first: where `required` is honoured, and where not. */
const ranks = (hooks: readonly HookDeclaration[]) => ({
  trusted: ranked(hooks, PRIORITIES),
  other: ranked(hooks, ['important', 'suggestion']),
});

/** Strongest first, else as declared. A priority that is not among the words is as good as the first. */
const ranked = (hooks: readonly HookDeclaration[], words: readonly Priority[]): HookDeclaration[] =>
  hooks.toSorted(
    (a, b) => Math.max(0, words.indexOf(a.priority)) - Math.max(0, words.indexOf(b.priority)),
  );

/** The matcher, where it means something: SEP-2282 has it ignored on the other events. */
const toolMatcher = ({ event, matcher }: HookDeclaration) =>
  TOOL_EVENTS.includes(event) ? matcher : undefined;

function programHook(
  declaration: HookDeclaration,
  { act, once, marked }: Binding,
  client: Client,
): Omit<ProgramHook, 'number' | 'ranks'> {
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
        ...(matcher.tool_name !== undefined && toolGlobs(client, matcher.tool_name)),
        ...(matcher.input_contains !== undefined && { input: matcher.input_contains }),
        ...(matcher.tool_server !== undefined && { server: matcher.tool_server }),
      },
    }),
    ...(context_tool === undefined
      ? { text: translateMentions(client, context ?? '') }
      : { call: { tool: context_tool, args: context_tool_args ?? {} } }),
  };
}

/** Why the runner cannot call tools of a server. */
function whyNotCalled({ source, found }: ServerHooks): CompileMessage | undefined {
  // Without a header that is kept nowhere it would not be asked as the user asks it.
  const headers = unkept(source);
  if (headers.length > 0) return { code: 'tools-not-called', names: headers };
  return found?.transport === 'sse' ? { code: 'tools-not-over-sse' } : undefined;
}

/** Values of `env` and `headers` stay where they are; the runner reads them there. */
function programServer(
  declared: ServerHooks,
  { givenToServers: given }: Client,
  tokens: string | undefined,
): ProgramServer | undefined {
  const { server, source } = declared;
  if (!server || whyNotCalled(declared) !== undefined) return undefined;
  if (server.configured) {
    const { entry } = server.configured;
    return { given: givenAs(server.configured, given), entry, ...(tokens && { tokens }) };
  }
  const from = (key: string, values: Readonly<Record<string, string>> | undefined) =>
    source.kind === 'manifest' && values && Object.keys(values).length > 0
      ? ({
          file: source.path,
          format: 'json',
          path: [...(server.valuesAt ?? ['server']), key],
          names: Object.keys(values),
        } as const)
      : undefined;
  if ('url' in server) {
    const headers = from('headers', server.headers);
    const templates = typedHeaders(source);
    return {
      given,
      url: server.url,
      ...(headers && { headers }),
      ...(Object.keys(templates).length > 0 && { templates }),
      // Also when nobody has signed in yet: that may come later, and may come and go.
      ...(tokens && { tokens }),
    };
  }
  const values = from('env', server.env);
  const steering = steeringMark(server);
  const env = values && { ...values, ...(steering !== undefined && { steering }) };
  const { command, args = [], cwd } = server;
  return { given, command, args, ...(cwd !== undefined && { cwd }), ...(env && { env }) };
}

/** The client that fires the hook gives the environment; what variables mean says the one whose configuration it is. */
function givenAs(
  { given: owner }: ConfiguredServer,
  { expansion, refused: _, ...given }: ServerEnvironment,
): ServerEnvironment {
  const { expansion: own, refused } = owner;
  const except = [own?.except, expansion?.except].filter((one) => one !== undefined);
  return {
    ...given,
    ...(refused !== undefined && { refused }),
    ...(own && { expansion: { ...own, except: except.join('|') } }),
  };
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
