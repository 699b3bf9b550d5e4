/**
 * For packaging scripts: installs and removes the hooks of a manifest, without the command line.
 *
 *   import { apply, findPlaces, plan, readManifest, render } from 'mcp-hooks';
 *
 * These functions never print, ask questions or end the process. They never read the environment: `findPlaces(process.env)`
 * determines which home is used.
 *
 * @module mcp-hooks
 */

import { isAbsolute, resolve } from 'node:path';
import type { Grade, Scope } from './clients/contract.ts';
import { namedClients, selectClients } from './clients/detect.ts';
import type { Places } from './clients/places.ts';
import * as places from './clients/places.ts';
import { type ClientId, CLIENTS as KNOWN, trustOf } from './clients/registry.ts';
import type { LoweredHook } from './compile/report.ts';
import type { HookDeclaration } from './declaration/declaration.ts';
import type { ServerHooks } from './declaration/declared.ts';
import type { Grant } from './declaration/grants.ts';
import { placeOf } from './edit/edit.ts';
import * as applying from './install/apply.ts';
import * as planning from './install/plan.ts';
import type { ClientPlan as FullClientPlan } from './install/planned-file.ts';
import { withLibraryErrors, withLibraryErrorsAsync } from './library/errors.ts';
import { installHere, uninstallHere } from './library/planning.ts';
import { librarySentence } from './present/messages/sentence.ts';
import { trustMessages } from './present/messages/trust.ts';
import { planInWords } from './present/render/plan.ts';
import {
  accept,
  parseManifest as parse,
  readManifestFile,
  readOfPackage,
} from './sources/manifests/read.ts';
import type { Env } from './system/env.ts';

export type { Grade, Scope } from './clients/contract.ts';
export type { Places } from './clients/places.ts';
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
export { Stale, UserError } from './library/errors.ts';
export type { Env } from './system/env.ts';

/** A coding agent that supports hooks. */
export interface Client {
  /** The ID for `plan` and for the command line. */
  readonly id: ClientId;
  /** The name as its vendor writes it. */
  readonly name: string;
}

/** Where hooks are installed, apart from whose settings are used. */
export interface PlacesOptions {
  /** Default `user`. The scopes `project` and `local` require `project`. */
  readonly scope?: Scope;
  /** Absolute path of the project's folder. */
  readonly project?: string;
}

/** The label of a manifest, and the source that it counts as. */
export interface ManifestOptions {
  /**
   * The name for installing its hooks, and for removing them: letters, digits, `_`, `.` and `-`, starting with a letter or
   * digit, at most 64 characters. Default: the manifest's own `name`, then that of the package.json next to it, then the name
   * of the file.
   */
  readonly label?: string;
  /**
   * The manifest is in a package that is published on npm, next to its package.json. The source is the package and not its
   * folder, which may be a cache of npx. All versions are therefore the same source, and `mcp-hooks update` asks npm for the
   * next one. The manifest is read as if from npm: a server that a file of the package starts is not called, and programs are
   * not run. Default false: the source is the path.
   */
  readonly npm?: boolean;
}

/** A manifest that can be installed. `plan` requires this object itself, not a copy. */
export interface Manifest {
  /** The name for installing its hooks. */
  readonly label: string;
  /** The declared hooks, without those that cannot be used. */
  readonly hooks: readonly HookDeclaration[];
  /** Problems that the author should look at. They do not prevent an install. */
  readonly warnings: readonly Warning[];
}

/** Something in a manifest that is probably unintended, or that leaves out a hook. */
export interface Warning {
  /** What is wrong, and what is allowed, in one sentence. */
  readonly message: string;
  /** The same for programs, in kebab-case. It does not change with the wording. */
  readonly code: string;
  /** The line in the file, from 1. Absent if the warning is about the whole file. */
  readonly line?: number;
  /** The column in UTF-16 code units, from 1. */
  readonly column?: number;
}

interface Requested {
  /** From `findPlaces`. */
  readonly places: Places;
}

/** What to install, for which clients, and what the user has agreed to. */
export interface InstallRequest extends Requested {
  /** Default `install`. A label that is already installed is updated. */
  readonly kind?: 'install';
  /** From `readManifest` or `parseManifest`. */
  readonly manifest: Manifest;
  /** Default: the clients that `detectClients` finds. */
  readonly clients?: readonly ClientId[];
  /**
   * What the user has agreed to besides texts: hooks that call the server's tools (`context-tool`), run programs (`command`),
   * and so on. Hooks that lack a grant are left out, or have less effect; `Plan.needs` lists them. Default: nothing. The user's
   * earlier grants for the same declaration still hold.
   */
  readonly allow?: readonly Grant[];
  /** Show `post_request` texts at the end of each turn, which costs one more turn of the model. Default false. */
  readonly actNow?: boolean;
  /** False leaves out everything that costs a turn of the model. Default true. */
  readonly extraTurns?: boolean;
  /** Absolute path of the Node that will run the hooks. Default: the current one. */
  readonly node?: string;
}

/** What to remove. */
export interface UninstallRequest extends Requested {
  /** Removes the install under the label. */
  readonly kind: 'uninstall';
  /** The name under which the hooks were installed: `Manifest.label`. */
  readonly label: string;
  /** Default: every client in which the label has entries. */
  readonly clients?: readonly ClientId[];
}

/** What would change. `render` and `apply` require this object itself, not a copy. */
export interface Plan {
  /** As requested. */
  readonly kind: 'install' | 'uninstall';
  /** The name under which the hooks are installed. */
  readonly label: string;
  /** False if `apply` has nothing to do. */
  readonly changes: boolean;
  /** For an install, the requested clients. For an uninstall, those in which the label has entries. */
  readonly clients: readonly ClientPlan[];
  /** In `local` scope, the clients that have no such settings. Nothing is planned for them. */
  readonly withoutScope: readonly Client[];
  /** Every file that would change, in the order of writing: the clients' settings, and our own files. */
  readonly files: readonly FileChange[];
  /** The grants that the hooks need, whether allowed or not. Empty for an uninstall. */
  readonly needs: readonly Need[];
  /** The source of the hooks that are installed under this label and would be removed: a path, an address, or a command. */
  readonly replaces?: string;
}

/** What would change for one client. */
export interface ClientPlan extends Client {
  /** Absolute path of the settings file that holds the hooks, or will hold them. */
  readonly file: string;
  /** Whether the file would change. */
  readonly changes: boolean;
  /** How each hook arrives, in the order of the manifest. Empty for an uninstall. */
  readonly hooks: readonly HookPlan[];
  /** Why the file must not be edited. If present, `apply` writes nothing for any client. */
  readonly refusal?: Refusal;
  /** What the user has to do after the hooks are written, before the client runs them: one or two sentences. */
  readonly todo?: string;
}

/** How one hook arrives in one client. */
export interface HookPlan {
  /** Its position in the manifest, from 1. */
  readonly number: number;
  /** How faithfully it arrives. */
  readonly grade: Grade;
  /** When and how the model reads the text: the end of a sentence. For the grade `none`, the reason why it does not. */
  readonly when: string;
  /** What else the user should know: one sentence each. */
  readonly notes: readonly string[];
}

/** Why a settings file must not be edited. */
export interface Refusal {
  /** The reason, without the position: the end of a sentence. */
  readonly message: string;
  /** The same for programs, in kebab-case. It does not change with the wording. */
  readonly code: string;
  /** The line in the file, from 1. Absent if the refusal is about the whole file. */
  readonly line?: number;
  /** The column in UTF-16 code units, from 1. */
  readonly column?: number;
}

/** The current and the future contents of one file, to the byte. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  /** Its current contents. Null if there is no such file. */
  readonly before: Uint8Array | null;
  /** Its new contents. Null if the file is removed. */
  readonly after: Uint8Array | null;
}

/** A grant that hooks need. */
export interface Need {
  /** The value for `allow`. */
  readonly grant: Grant;
  /** The hooks that need it, by their positions in the manifest, from 1. */
  readonly hooks: readonly number[];
  /** Allowed by `allow`, by the user's earlier consent to the same declaration, or by the user's `policy.json`. */
  readonly allowed: boolean;
}

/** The data behind the returned objects. A plan is carried out as it was made, even if its object was modified. */
const manifests = new WeakMap<Manifest, ServerHooks>();
const plans = new WeakMap<Plan, planning.Plan>();

const client = ({ id, name }: { readonly id: string; readonly name: string }): Client => ({
  id: id as ClientId, // all IDs in the registry are of this type
  name,
});

/** All clients that hooks can be installed in, whether or not they are on this machine. */
export const CLIENTS: readonly Client[] = KNOWN.map(client);

/**
 * Determines whose settings are used. Reads nothing but folders.
 *
 *   findPlaces(process.env)                  // the user who runs this
 *   findPlaces({ HOME: '/tmp/scratch' })     // a home for a test; no client's executable is found without a PATH
 *
 * @param env `HOME` (on Windows `USERPROFILE`, then `HOME`) is the home directory, and clients are searched on `PATH`.
 *   `MCP_HOOKS_HOME` moves our own folder from `~/.mcp-hooks`, and variables such as `CLAUDE_CONFIG_DIR` and `CODEX_HOME`
 *   move a client's settings.
 * @param options The scope of the settings. Default: the settings of the user.
 * @throws UserError when there is no home, when it is not a folder, or when the home itself would be the project.
 * @throws TypeError when `scope` is not `user` and `project` is not an absolute path.
 */
export function findPlaces(env: Env, { scope = 'user', project }: PlacesOptions = {}): Places {
  if (scope === 'user')
    return withLibraryErrors(() => places.findPlaces(env, process.cwd(), scope));
  if (project === undefined || !isAbsolute(project))
    throw new TypeError(`findPlaces: ${scope} scope needs the absolute path of a project`);
  return withLibraryErrors(() => places.findPlaces(env, project, scope));
}

/**
 * The clients on this machine: those with a settings folder in the home, or with an executable on the PATH. No client is
 * started.
 */
export const detectClients = (places: Places): readonly Client[] =>
  selectClients(undefined, places).clients.map(client);

/**
 * Reads a manifest: JSON or JSONC, of any kind that the command line reads from a file, or a folder that contains one.
 *
 * @param path Relative to the working directory, or absolute. The path is recorded: hooks that need values of the manifest read
 *   them there when they fire.
 * @param options The label, and whether the manifest is part of a published npm package.
 * @throws UserError that lists all problems, each with the file, line and column.
 */
export const readManifest = (
  path: string,
  { label, npm = false }: ManifestOptions = {},
): Promise<Manifest> =>
  withLibraryErrorsAsync(async () => {
    const file = resolve(path);
    return manifest(
      npm ? readOfPackage(file, path, label) : await readManifestFile(file, path, label),
    );
  });

/**
 * The same for a text that you already have.
 *
 * @param text The manifest: JSON or JSONC.
 * @param file Absolute path of the file that the text comes from, or is written to. It appears in errors, is recorded, and
 *   determines the label if nothing else does.
 * @param options `label`: the label, instead of the manifest's own name.
 * @throws UserError that lists all problems, each with the file, line and column.
 * @throws TypeError when `file` is not an absolute path.
 */
export function parseManifest(
  text: string,
  file: string,
  { label }: Pick<ManifestOptions, 'label'> = {},
): Manifest {
  if (!isAbsolute(file)) throw new TypeError('parseManifest: the path must be absolute');
  return withLibraryErrors(() =>
    manifest(accept({ declared: parse(text, file, label), shown: file })),
  );
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
 * Determines what the install of a manifest, or the uninstall of a label, would change, to the byte. Only reads files: show
 * `render` of the plan, and pass the plan to `apply`.
 *
 * @throws UserError when our record of installed hooks or a settings file cannot be read, when there is no such client,
 *   grant or label, or when no client is found and none was given. Settings that must not be edited are not an error,
 *   but a `refusal` in the plan.
 * @throws TypeError when `manifest` is a copy, or when `places` is missing.
 */
export function plan(request: InstallRequest | UninstallRequest): Plan {
  const { places } = request;
  // For callers without TypeScript.
  if (!places) throw new TypeError('plan: `places` is missing; findPlaces(process.env) gives it');
  return withLibraryErrors(() => {
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
  const asking = compiled && compiled.groups.length > 0 ? trustOf(full.client) : undefined;
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
 * A plan in words, for the person who has to agree to it: every text in full, what is run and with which grants, which clients
 * and files change, and what is refused and why. Plain text of at most 100 columns, without terminal control characters and
 * without a line break at the end.
 *
 * @throws TypeError when `plan` is a copy.
 */
export const render = (plan: Plan): string => planInWords(fullOf(plan, 'render'));

/**
 * Carries out a plan completely, or not at all. Waits up to 30 seconds for another run that is in progress.
 *
 * @throws Stale when a file was changed since the plan was made.
 * @throws UserError when a settings file is refused or cannot be written. Everything is as it was before, or `details` names
 *   what is not.
 * @throws TypeError when `plan` is a copy.
 */
export const apply = async (plan: Plan): Promise<void> => {
  const full = fullOf(plan, 'apply');
  await withLibraryErrorsAsync(() => applying.apply(full));
};
