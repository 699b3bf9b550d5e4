/**
 * For packaging scripts: installs and removes the hooks of a manifest, without the command line.
 *
 *     import { apply, findPlaces, plan, readManifest, render } from 'mcp-hooks';
 *
 * Nothing here prints, asks, or ends the process. The environment is never looked at: which home is meant is said with
 * `findPlaces(process.env)`.
 *
 * @module mcp-hooks
 */

import { isAbsolute, resolve } from 'node:path';
import { said, saidLater } from './cli/library/errors.ts';
import { installHere, uninstallHere } from './cli/library/planning.ts';
import { librarySentence } from './cli/messages/library.ts';
import { trustMessages } from './cli/messages/trust.ts';
import { described } from './cli/render/described.ts';
import type { Grade } from './clients/contract.ts';
import { namedClients, selectClients } from './clients/detect.ts';
import type { Places, Scope } from './clients/places.ts';
import * as places from './clients/places.ts';
import { type ClientId, CLIENTS as KNOWN, trustIn } from './clients/registry.ts';
import type { LoweredHook } from './compile/report.ts';
import type { HookDeclaration } from './declaration/declaration.ts';
import type { ServerHooks } from './declaration/declared.ts';
import type { Grant } from './declaration/grants.ts';
import { placeOf } from './edit/edit.ts';
import * as applying from './install/apply.ts';
import * as planning from './install/plan.ts';
import type { ClientPlan as FullClientPlan } from './install/planned-file.ts';
import {
  accept,
  parseManifest as parse,
  readOfPackage,
  readWrittenDown,
} from './sources/manifests/read.ts';
import type { Env } from './system/env.ts';

export { Stale, UserError } from './cli/library/errors.ts';
export type { Grade } from './clients/contract.ts';
export type { Places, Scope } from './clients/places.ts';
export type { ClientId } from './clients/registry.ts';
export type {
  Decision,
  Event,
  ExtendedMatcher,
  HookDeclaration,
  Matcher,
  Priority,
  Repeat,
} from './declaration/declaration.ts';
export { GRANTS, type Grant } from './declaration/grants.ts';
export type { Env } from './system/env.ts';

/** A coding agent whose settings hooks are installed in. */
export interface Client {
  /** As `plan` takes it, and the command line. */
  readonly id: ClientId;
  /** As its makers write it. */
  readonly name: string;
}

/** Where hooks go, beside whose settings they are. */
export interface PlacesOptions {
  /** Default `user`. In `project` and `local` scope `project` is needed. */
  readonly scope?: Scope;
  /** Absolute path of the project's folder. */
  readonly project?: string;
}

/** How a manifest is called, and where it comes from. */
export interface ManifestOptions {
  /**
   * The name under which its hooks are installed, and removed again: letters, digits, `_`, `.` and `-`, a letter or digit first,
   * at most 64. Default: the manifest's own `name`, then that of the package.json beside it, then that of the file.
   */
  readonly label?: string;
  /**
   * The manifest is in a package that is published on npm, beside its package.json: what counts is the package, and not the folder
   * that it lies in, which may be a cache of npx. So every version is the same source, and `mcp-hooks update` asks npm for the next.
   * It is read as it is from npm: a server that is started by a file of the package is not called, and programs are not run. Default
   * false: the path is the source.
   */
  readonly npm?: boolean;
}

/** A manifest that can be installed: `plan` takes this very object, and no copy of it. */
export interface Manifest {
  /** The name under which its hooks are installed. */
  readonly label: string;
  /** As they are declared, without those that cannot be used. */
  readonly hooks: readonly HookDeclaration[];
  /** What its author should look at; it can be installed all the same. */
  readonly warnings: readonly Warning[];
}

/** Something about a manifest that was hardly meant, or that leaves out a hook. */
export interface Warning {
  /** What it is, and what is allowed: one sentence. */
  readonly message: string;
  /** The same, for programs: in kebab-case. It does not change with the wording. */
  readonly code: string;
  /** Where in the file, from 1; absent where it is about all of it. */
  readonly line?: number;
  /** In UTF-16 code units, from 1. */
  readonly column?: number;
}

interface Requested {
  /** From `findPlaces`. */
  readonly places: Places;
}

/** What is to be installed, for whom, and what the user has agreed to. */
export interface InstallRequest extends Requested {
  /** Default `install`. A label that is installed already is updated. */
  readonly kind?: 'install';
  /** From `readManifest` or `parseManifest`. */
  readonly manifest: Manifest;
  /** Default: those that `detectClients` finds. */
  readonly clients?: readonly ClientId[];
  /**
   * What the user has agreed to beside texts: hooks that call the server's tools (`context-tool`), run programs (`command`), and so
   * on. What needs a grant and has none is left out, or does less; `Plan.needs` says which. Default: nothing. What the user has
   * granted to this same declaration before still holds.
   */
  readonly allow?: readonly Grant[];
  /** `post_request` texts are shown at the end of each turn, which costs one more turn of the model. Default false. */
  readonly actNow?: boolean;
  /** False leaves out what costs a turn of the model. Default true. */
  readonly extraTurns?: boolean;
  /** Absolute path of the node that will run the hooks. Default: the one that runs this. */
  readonly node?: string;
}

/** What is to be removed. */
export interface UninstallRequest extends Requested {
  /** Takes out what was installed under the label. */
  readonly kind: 'uninstall';
  /** The name under which it was installed: `Manifest.label`. */
  readonly label: string;
  /** Default: every client that has something of it. */
  readonly clients?: readonly ClientId[];
}

/** What would change. `render` and `apply` take this very object, and no copy of it. */
export interface Plan {
  /** As it was asked for. */
  readonly kind: 'install' | 'uninstall';
  /** The name under which the hooks are installed. */
  readonly label: string;
  /** False: `apply` has nothing to do. */
  readonly changes: boolean;
  /** Of an install, the clients that were asked for; of an uninstall, those that have something of the label. */
  readonly clients: readonly ClientPlan[];
  /** In `local` scope, the clients that have no settings of that kind: nothing is planned for them. */
  readonly withoutScope: readonly Client[];
  /** Every file that would change, in the order in which they are written: the clients' settings, and our own. */
  readonly files: readonly FileChange[];
  /** What needs the user's permission, allowed or not; none when uninstalling. */
  readonly needs: readonly Need[];
  /** Under this label hooks from somewhere else are installed, which would go. From where: a path, an address, or a command. */
  readonly replaces?: string;
}

/** What would become of one client. */
export interface ClientPlan extends Client {
  /** Absolute path of the settings that hold the hooks, or will. */
  readonly file: string;
  /** Whether that file would change. */
  readonly changes: boolean;
  /** What becomes of each hook, in the order of the manifest; none when uninstalling. */
  readonly hooks: readonly HookPlan[];
  /** Why the file must not be edited. As long as there is one, `apply` writes nothing for any client. */
  readonly refusal?: Refusal;
  /** What the user has to do before the client runs the hooks, once they are written: one or two sentences. */
  readonly todo?: string;
}

/** What becomes of one hook in one client. */
export interface HookPlan {
  /** Its place in the manifest, from 1. */
  readonly number: number;
  /** How faithfully it arrives. */
  readonly grade: Grade;
  /** The end of "the model is told ...", or with the grade `none`, why it is not told. */
  readonly when: string;
  /** What else its user should know: a sentence each. */
  readonly notes: readonly string[];
}

/** Why a settings file must not be edited. */
export interface Refusal {
  /** The reason, without the place: the end of a sentence. */
  readonly message: string;
  /** The same, for programs: in kebab-case. It does not change with the wording. */
  readonly code: string;
  /** Where in the file, from 1; absent where it is about all of it. */
  readonly line?: number;
  /** In UTF-16 code units, from 1. */
  readonly column?: number;
}

/** One file, as it is and as it will be, to the byte. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  /** What is in it now; null: it is not there. */
  readonly before: Uint8Array | null;
  /** What will be in it; null: it goes. */
  readonly after: Uint8Array | null;
}

/** A permission that hooks need. */
export interface Need {
  /** What `allow` takes for it. */
  readonly grant: Grant;
  /** The hooks that need it: their places in the manifest, from 1. */
  readonly hooks: readonly number[];
  /** By `allow`, by the user's earlier yes to the same declaration, or by their `policy.json`. */
  readonly allowed: boolean;
}

/** What stands behind the objects that are handed out: a plan is carried out as it was made, whatever is done to them. */
const manifests = new WeakMap<Manifest, ServerHooks>();
const plans = new WeakMap<Plan, planning.Plan>();

const client = ({ id, name }: { readonly id: string; readonly name: string }): Client => ({
  id: id as ClientId, // the registry has its clients by these
  name,
});

/** All clients that hooks can be installed in, whether they are on this machine or not. */
export const CLIENTS: readonly Client[] = KNOWN.map(client);

/**
 * Whose settings are meant. Nothing is read but folders.
 *
 *     findPlaces(process.env)                  // the user who runs this
 *     findPlaces({ HOME: '/tmp/scratch' })     // a home for a test; no client's executable is found without a PATH
 *
 * @param env `HOME` (on Windows `USERPROFILE`, then `HOME`) is the home; `PATH` is where clients are looked for. Also read are
 *   `MCP_HOOKS_HOME`, which moves our own folder from `~/.mcp-hooks`, and what moves a client's settings, such as
 *   `CLAUDE_CONFIG_DIR` and `CODEX_HOME`.
 * @throws UserError when there is no home, when it is not a folder, or when the home itself would be the project.
 * @throws TypeError when `scope` is not `user` and `project` is no absolute path.
 */
export function findPlaces(env: Env, { scope = 'user', project }: PlacesOptions = {}): Places {
  if (scope === 'user') return said(() => places.findPlaces(env, process.cwd(), scope));
  if (project === undefined || !isAbsolute(project))
    throw new TypeError(`findPlaces: ${scope} scope needs the absolute path of a project`);
  return said(() => places.findPlaces(env, project, scope));
}

/** The clients that are there: those with a folder of settings in the home, or with an executable on the PATH. None is started. */
export const detectClients = (places: Places): readonly Client[] =>
  selectClients(undefined, places).clients.map(client);

/**
 * Reads a manifest: JSON or JSONC, of any kind that the command line reads as a file, or a folder that has one.
 *
 * @param path Relative to the working directory, or absolute. The path is remembered: hooks that need values of the manifest read
 *   them there when they fire.
 * @throws UserError that lists all that is wrong, each with the file, line and column.
 */
export const readManifest = (
  path: string,
  { label, npm = false }: ManifestOptions = {},
): Promise<Manifest> =>
  saidLater(async () => {
    const file = resolve(path);
    return manifest(
      npm ? readOfPackage(file, path, label) : await readWrittenDown(file, path, label),
    );
  });

/**
 * The same of a text that is at hand already.
 *
 * @param file Absolute path from which it was read or to which it is written: it is named in errors, remembered, and gives the
 *   label when nothing else does.
 * @throws UserError that lists all that is wrong, each with the file, line and column.
 * @throws TypeError when `file` is no absolute path.
 */
export function parseManifest(
  text: string,
  file: string,
  { label }: Pick<ManifestOptions, 'label'> = {},
): Manifest {
  if (!isAbsolute(file)) throw new TypeError('parseManifest: the path must be absolute');
  return said(() => manifest(accept({ declared: parse(text, file, label), shown: file })));
}

function manifest(declared: ServerHooks): Manifest {
  const { label, hooks, problems } = declared;
  const made: Manifest = {
    label,
    hooks,
    warnings: problems.map((one) => ({
      message: librarySentence(one.message),
      code: one.message.code,
      ...placeOf(one),
    })),
  };
  manifests.set(made, declared);
  return made;
}

/**
 * What installing a manifest, or uninstalling a label, would change, to the byte. Files are read, and none is written: show
 * `render` of it, and give it to `apply`.
 *
 * @throws UserError when our record of what is installed or a settings file cannot be read, when there is no such client, permission
 *   or label, or when no client is found and none was given. Settings that must not be edited are no error but a `refusal` in the plan.
 * @throws TypeError when `manifest` is a copy, or there are no `places`.
 */
export function plan(request: InstallRequest | UninstallRequest): Plan {
  const { places } = request;
  // Whoever is not told by TypeScript.
  if (!places) throw new TypeError('plan: `places` is missing; findPlaces(process.env) gives it');
  return said(() => {
    const clients = request.clients && namedClients(request.clients);
    if (request.kind === 'uninstall')
      return handedOut(uninstallHere(request.label, { places, clients }));
    const declared = manifests.get(request.manifest);
    if (!declared) throw new TypeError('plan: `manifest` must be what readManifest has returned');
    return handedOut(installHere(declared, { ...request, clients }));
  });
}

function handedOut(full: planning.Plan): Plan {
  const made: Plan = {
    kind: full.kind,
    label: full.label,
    changes: !planning.isNothing(full),
    clients: full.clients.map(clientPlan),
    withoutScope: (full.withoutScope ?? []).map(client),
    get files() {
      return planning.changesOf(full).map(({ path, before, after }) => ({ path, before, after }));
    },
    needs: (full.grants?.needs ?? []).map(({ grant, hooks, by }) => ({
      grant,
      hooks,
      allowed: by !== undefined,
    })),
    ...(full.replaces && { replaces: full.replaces.source }),
  };
  plans.set(made, full);
  return made;
}

function clientPlan(full: FullClientPlan): ClientPlan {
  const { path, change, refusal, compiled } = full;
  const asking =
    compiled && compiled.groups.length > 0 ? trustIn(full.client, compiled.version) : undefined;
  return {
    ...client(full.client),
    file: path,
    changes: change !== undefined,
    hooks: (compiled?.hooks ?? []).map(hookPlan),
    ...(refusal && {
      refusal: {
        message: librarySentence(refusal.problem),
        code: refusal.problem.code,
        ...placeOf(refusal),
      },
    }),
    ...(asking &&
      change && { todo: `${trustMessages.runsTrustedOnly(full.client)} ${asking.byHand}` }),
  };
}

const hookPlan = ({ grade, when, notes }: LoweredHook, index: number): HookPlan => ({
  number: index + 1,
  grade,
  when: librarySentence(when),
  notes: notes.map(librarySentence),
});

const fullOf = (plan: Plan, caller: string): planning.Plan => {
  const full = plans.get(plan);
  if (!full) throw new TypeError(`${caller}: the plan must be what plan() has returned`);
  return full;
};

/**
 * A plan in words, for whoever has to agree to it: every text in full, what is run and with which permissions, which clients and
 * files change, and what is refused and why. Plain text of at most 100 columns, with nothing in it that a terminal would obey, and
 * without a line break at its end.
 *
 * @throws TypeError when `plan` is a copy.
 */
export const render = (plan: Plan): string => described(fullOf(plan, 'render'));

/**
 * Carries a plan out: all of it, or nothing. Another run that is at work is waited for, up to 30 seconds.
 *
 * @throws Stale when a file was changed since the plan was made.
 * @throws UserError when a settings file is refused, or one cannot be written. Everything is as it was, or `details` says what is
 *   not.
 * @throws TypeError when `plan` is a copy.
 */
export const apply = async (plan: Plan): Promise<void> => {
  const full = fullOf(plan, 'apply');
  await saidLater(() => applying.apply(full));
};
