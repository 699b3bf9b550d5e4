/**
 * For packaging scripts: parse a declaration, compile it, plan what would be written, and write it.
 *
 *     import { readManifest, findPlaces, plan, apply } from 'mcp-hooks';
 */

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
export type { Compiled, CompileOptions, LoweredHook } from './compile/compile.ts';
export type { Program } from './compile/program.ts';
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
export {
  apply,
  askServer,
  compile,
  detectClients,
  findPlaces,
  type PlanRequest,
  type Problem,
  parseManifest,
  plan,
  planRemoval,
  readManifest,
  type ServerHooks,
  Stale,
  UserError,
} from './library.ts';
export type { AskOptions } from './sources/protocol/ask.ts';
export type { Env } from './system/env.ts';
export type { Message } from './system/errors.ts';
