/**
 * For packaging scripts: parse a declaration, compile it, plan what would be written, and write it.
 *
 *     import { readManifest, findPlaces, plan, apply } from 'mcp-hooks';
 */

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
export { findPlaces } from './clients/find-places.ts';
export type { Places, Scope } from './clients/places.ts';
export { CLIENTS, findClient } from './clients/registry.ts';
export {
  type Compiled,
  type CompileOptions,
  compile,
  type LoweredHook,
} from './compile/compile.ts';
export type { Program } from './compile/program.ts';
export {
  type Declaration,
  EVENTS,
  type Event,
  type Matcher,
  PRIORITIES,
  type Priority,
  type Problem,
} from './declaration/declaration.ts';
export type {
  Declared,
  FoundIn,
  ServerLaunch,
  Source,
  Unsupported,
} from './declaration/declared.ts';
export { apply } from './install/apply.ts';
export { GRANTS, type Grant } from './install/consent/grants.ts';
export { changesOf, isNothing, type Plan } from './install/plan.ts';
export type { ClientPlan, FileChange } from './install/planned-file.ts';
export { detectClients, type PlanRequest, plan, planRemoval } from './library.ts';
export { parseManifest } from './sources/manifests/parse.ts';
export { readWrittenDown as readManifest } from './sources/manifests/read.ts';
export { type AskOptions, askServer } from './sources/protocol/ask.ts';
export type { Env } from './system/env.ts';
export { Stale, UserError } from './system/errors.ts';
