/**
 * For packaging scripts: parse a declaration, compile it, plan what would be written, and write it. They leave disk, formats
 * and words to us: what goes wrong is a sentence here, in errors and in the problems of a declaration.
 *
 *     import { readManifest, findPlaces, plan, apply } from 'mcp-hooks';
 */

import { missingForState } from './cli/commands/context.ts';
import { sentence, sentences } from './cli/messages/sentence.ts';
import { linesOf } from './cli/render/described.ts';
import { launchText } from './cli/render/words.ts';
import type { Client } from './clients/contract.ts';
import { installedVersion, selectClients } from './clients/detect.ts';
import type { ClientMessage } from './clients/messages.ts';
import type { Places } from './clients/places.ts';
import * as places from './clients/places.ts';
import { CLIENTS } from './clients/registry.ts';
import * as compiling from './compile/compile.ts';
import type * as read from './declaration/declared.ts';
import * as applying from './install/apply.ts';
import type { Grant } from './install/consent/grants.ts';
import { serversOf } from './install/known-servers.ts';
import { type Plan, planInstall, planUninstall } from './install/plan.ts';
import * as evaluating from './sdk/engine/engine.ts';
import { parseManifest as parse, readWrittenDown } from './sources/manifests/read.ts';
import * as asking from './sources/protocol/ask.ts';
import { disk } from './system/disk.ts';
import * as errors from './system/errors.ts';
import { template } from './system/package-files.ts';

export { sentence } from './cli/messages/sentence.ts';
export type {
  Act,
  Binding,
  Client,
  ConfigFile,
  EventLowering,
  Grade,
  Handler,
  Lowering,
  NativeEvent,
  Wire,
} from './clients/contract.ts';
export type { Places, Scope } from './clients/places.ts';
export { CLIENTS, findClient } from './clients/registry.ts';
export type { Compiled, CompileOptions } from './compile/compile.ts';
export type { Program } from './compile/program.ts';
export type { LoweredHook } from './compile/report.ts';
export {
  EVENTS,
  type Event,
  type HookDeclaration,
  type Matcher,
  PRIORITIES,
  type Priority,
} from './declaration/declaration.ts';
export type { FoundIn, ServerLaunch, Source, Unsupported } from './declaration/declared.ts';
export { GRANTS, type Grant } from './install/consent/grants.ts';
export { changesOf, isNothing, type Plan } from './install/plan.ts';
export type { ClientPlan, FileChange } from './install/planned-file.ts';
export type {
  Engine,
  EngineOptions,
  Handler as EventHandler,
  HandlerOptions,
} from './sdk/engine/engine.ts';
export type {
  EngineDecision,
  EventEnvelope,
  EventName,
  HandlerAnswer,
  ResponseEnvelope,
  ToldEvent,
} from './sdk/engine/envelopes.ts';
export type { AskOptions } from './sources/protocol/ask.ts';
export type { Env } from './system/env.ts';
export type { Message } from './system/errors.ts';

/** An error a person can act on. Anything else that is thrown is a bug of ours. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  constructor(
    /** What is wrong, one sentence. */
    message: string,
    /** Places, a server's last words, what was left untouched, what to do: one line each. */
    readonly details: readonly string[] = [],
    /** The same as `message`, for programs. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** A file is no longer what a plan was made for. It was left as it is; a new plan may be carried out. */
export class Stale extends UserError {}

/** Something about a declaration that a person should know. */
export type Problem = Omit<read.Problem, 'message'> & {
  /** What is wrong and what is allowed, one sentence. */
  readonly message: string;
  /** The same, for programs. */
  readonly code: string;
};

export type ServerHooks = Omit<read.ServerHooks, 'problems'> & {
  readonly problems: readonly Problem[];
};

/** @throws UserError when there is no home folder, or the home itself would be the project. */
export const findPlaces: typeof places.findPlaces = (...given) =>
  said(() => places.findPlaces(...given));

/**
 * Checks the text of a manifest: JSON or JSONC. `problems` holds every error and warning with line and column.
 *
 * @param file Absolute path it was read from: the label's last resort, and where `context_tool` looks for values that are
 *   not copied.
 */
export const parseManifest = (text: string, file: string, name?: string): ServerHooks =>
  said(() => withWords(parse(text, file, name)));

/** Reads a file of any kind, or a folder. `shown`: its path, for errors. @throws UserError that lists all that is wrong. */
export const readManifest = (path: string, shown: string, name?: string): Promise<ServerHooks> =>
  saidLater(async () => withWords(await readWrittenDown(path, shown, name)));

/** Starts a server, or reaches it. @throws UserError when that fails, or it does not answer, or says too much. */
export const askServer = (options: asking.AskOptions): Promise<ServerHooks> =>
  saidLater(async () => withWords(await asking.askServer(options)));

/** Compiles what a server declares for one client. Pure. What it says of each hook is for `sentence`. */
export const compile = (
  declared: ServerHooks,
  client: Client,
  options: compiling.CompileOptions,
): compiling.Compiled => compiling.compile(withoutWords(declared), client, options);

/**
 * Carries a plan out.
 *
 * @throws Stale when a file was changed since the plan was made, and there is no `again`.
 * @throws UserError when a file cannot be written. Everything is as it was, or the error says what is not.
 */
export const apply = (plan: Plan, again?: () => Plan): Promise<Plan> =>
  saidLater(() => applying.apply(plan, again));

/**
 * An engine that evaluates the hooks of one server within this process, for clients and agents that honour them by themselves.
 *
 * @throws UserError that lists all that is wrong in the manifest, in the declarations or in the policy.
 */
export function createEngine(options: evaluating.EngineOptions): evaluating.Engine {
  const engine = said(() => evaluating.createEngine(options));
  return {
    register: (...given) => said(() => engine.register(...given)),
    fire: (event) => saidLater(() => engine.fire(event)),
    close: engine.close,
  };
}

const withWords = ({ problems, ...declared }: read.ServerHooks): ServerHooks => ({
  ...declared,
  problems: problems.map((one) => ({
    ...one,
    message: sentence(one.message),
    code: one.message.code,
  })),
});

/** Nothing is made of the problems of a declaration that is used. */
const withoutWords = (declared: ServerHooks): read.ServerHooks => ({ ...declared, problems: [] });

/** Does something, and says in words what goes wrong. */
function said<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inWords(error);
  }
}

const saidLater = <T>(work: () => Promise<T>): Promise<T> =>
  said(work).catch((error: unknown) => {
    throw inWords(error);
  });

function inWords(error: unknown): unknown {
  if (!(error instanceof errors.UserError)) return error;
  const { problem, details } = error;
  const Same = error instanceof errors.Stale ? Stale : UserError;
  return new Same(sentence(problem), sentences(details), problem.code);
}

export interface PlanRequest {
  /** From `findPlaces`: user or project scope, with HOME and the clients' own variables. */
  readonly places: Places;
  /** Default: those that are on this machine, as `detectClients` finds them. */
  readonly clients?: readonly Client[];
  /** `post_request` texts are shown at the end of each turn, at the cost of a turn. Default false. */
  readonly actNow?: boolean;
  /** False leaves out what costs a turn of the model. Default true. */
  readonly extraTurns?: boolean;
  /** What the user has granted: `required`, `context-tool`. What needs a grant and has none is downgraded or left out. */
  readonly allow?: readonly Grant[];
  /** Absolute path of the node that will run the hooks. Default: the one that runs this. */
  readonly node?: string;
}

/**
 * What installing `declared` would change, to the byte. Nothing is written; give it to `apply` for that.
 *
 * @throws UserError when the ledger or a file cannot be read, or no client is found and none was given. A config file
 *   that must not be edited is a `refusal` in the plan.
 */
export function plan(declared: ServerHooks, request: PlanRequest): Plan {
  const { clients = foundClients(request.places) } = request;
  return said(() =>
    planInstall(withoutWords(declared), {
      actNow: false,
      extraTurns: true,
      allow: [],
      node: process.execPath,
      platform: process.platform,
      template,
      serversOf: serversOf(withoutWords(declared), request.places, process.cwd()),
      describeLaunch: launchText,
      versionOf: (client) => installedVersion(client, request.places, disk.read),
      ...request,
      clients,
      ...seen(request.places),
    }),
  );
}

/**
 * What `install` or `uninstall` prints of a plan, a line each: the hooks with their whole texts, what is run for them, which
 * clients and files change, what is refused and why, and what needs a grant that it does not have.
 */
export const describe = (plan: Plan): string[] => linesOf(plan);

/** What uninstalling `label` would change, to the byte: the clients are those in which something of it is. */
export function planRemoval(label: string, request: Pick<PlanRequest, 'places' | 'clients'>): Plan {
  const { places, clients = CLIENTS } = request;
  const removal = said(() => planUninstall(label, { places, clients, ...seen(places) }));
  const holding = removal.clients.filter(
    ({ change, refusal, foreign = [] }) => change || refusal || foreign.length > 0,
  );
  return { ...removal, clients: holding };
}

/** The clients that are on this machine: those with a folder of settings, or with an executable on the PATH. */
export const detectClients = (places: Places): readonly Client[] =>
  selectClients(undefined, places).clients;

function foundClients(places: Places): readonly Client[] {
  const { clients, missing } = selectClients(undefined, places);
  if (clients.length > 0) return clients;
  const names = missing.map(({ client }) => client.name);
  throw inWords(new errors.UserError<ClientMessage>({ code: 'no-client-found', names }));
}

const seen = (places: Places) => ({ disk, madeFolders: missingForState(places) });
