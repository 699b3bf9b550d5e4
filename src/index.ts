/**
 * For packaging scripts: parse a declaration, compile it, plan what would be written, and write it.
 *
 *     import { readManifest, findPlaces, plan, apply } from 'mcp-hooks';
 */

export { detectClients, type PlanRequest, plan, planRemoval } from './api.ts';
export { apply } from './apply.ts';
export type {
  Act,
  Binding,
  Cell,
  Client,
  ConfigFile,
  Env,
  Grade,
  Handler,
  Lowering,
  NativeEvent,
  Wire,
} from './clients/client.ts';
export { CLIENTS, findClient } from './clients/index.ts';
export {
  type Compiled,
  type CompileOptions,
  compile,
  type LoweredHook,
} from './compile/compile.ts';
export type { Program } from './compile/program.ts';
export { GRANTS, type Grant } from './consent/grants.ts';
export {
  type Declaration,
  EVENTS,
  type Event,
  type Matcher,
  PRIORITIES,
  type Priority,
  type Problem,
} from './declaration/declaration.ts';
export type { Declared, Found, ServerLaunch, Source, Unsupported } from './declaration/declared.ts';
export { parseManifest } from './declaration/manifest.ts';
export { Stale, UserError } from './errors.ts';
export { readWrittenDown as readManifest } from './finding/written/written.ts';
export { findPlaces, type Places, type Scope } from './places.ts';
export { type ClientPlan, changesOf, type FileChange, isNothing, type Plan } from './plan.ts';
export { type AskOptions, askServer } from './reading/ask.ts';
