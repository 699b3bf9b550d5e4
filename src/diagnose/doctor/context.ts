/** What checks look at: read once, when the first of them asks. */

import { join, relative } from 'node:path';
import type { Client, ConfigFile } from '../../clients/contract.ts';
import { stopped } from '../../clients/detect.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import type { Stopped } from '../../clients/folder.ts';
import type { Layer, Machine, TrustLook, Whose } from '../../clients/health/health.ts';
import { unread } from '../../clients/health/reading.ts';
import {
  configFolder,
  configPath,
  filesIn,
  type Places,
  runnerFolder,
  wayOut,
} from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import type { EventProgram, ProgramServer } from '../../compile/program.ts';
import { APPROVAL_FILE, readPrograms } from '../../compile/runner-files.ts';
import { ANYTHING, type JsonObject, type JsonValue, Refusal } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { isObject } from '../../edit/value.ts';
import { LeadsOut } from '../../install/config-file.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import {
  type Approval,
  type DescribeLaunch,
  parseApproval,
} from '../../install/consent/approval.ts';
import type { Install, Ledger } from '../../install/ledger.ts';
import { isSameSite, placesAt, siteInWords, siteOf } from '../../install/site.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import { disk } from '../../system/disk.ts';
import { type Message, UserError } from '../../system/errors.ts';
import { repositoryOf } from '../../system/git/folders.ts';
import { once } from '../../system/memoize.ts';

/** Who asks, and what about. */
export interface Asked {
  /** Ours, which servers are told. */
  readonly version: string;
  /** The label that is asked about; undefined: all. */
  readonly label: string | undefined;
  /** Servers may be started. */
  readonly servers: boolean;
  /** Clients may be asked whether they trust hooks, for which they make files in the user's folder. */
  readonly asksClients: boolean;
  /** Milliseconds that a client or a server has to answer. */
  readonly deadline: number;
  /** Who hears how long something is being downloaded for the server of a label. */
  readonly onDownload: (label: string) => (downloading: Downloading) => void;
  readonly describeLaunch: DescribeLaunch;
}

export interface Given extends Asked {
  readonly machine: Machine;
  /** The user's places, and those of the folder we are in where that can be a project. */
  readonly user: Places;
  readonly here: Places | undefined;
  readonly ledger: Ledger;
  /** There is a ledger that cannot be read. */
  readonly broken: boolean;
  /** Those that are asked about. */
  readonly installs: readonly Install[];
  readonly clients: readonly Client[];
}

export interface DoctorContext extends Given {
  /** Those of every scope whose settings count here. */
  readonly scopes: readonly Places[];
  readonly placesOf: (install: Install) => Places;
  /** The label, and the project it is installed in. */
  readonly nameOf: (install: Install) => string;
  /** @throws UserError when the file cannot be read. */
  readonly read: (path: string) => Buffer | null;
  /** Weakest first; files that are not there are not in it. */
  readonly settings: (client: Client) => readonly Settings[];
  /** What a client is given to decide about a folder. */
  readonly trustLook: (client: Client) => TrustLook;
  /** Every hook in the settings that the client reads here. */
  readonly hooks: (client: Client) => readonly ConfiguredHook[];
  /** Why a client does not start; undefined: it does, or nothing of ours is in it, or it cannot be asked. */
  readonly whyStopped: (client: Client) => Promise<Stopped | undefined>;
  /** What the runner of a label has for a client, event by event. */
  readonly programs: (install: Install) => readonly EventProgram[];
  /** How the runner starts or reaches the server whose tools it calls; undefined: it calls none. */
  readonly serverOf: (install: Install) => ProgramServer | undefined;
  /** The declaration that was agreed to; undefined where it was not kept. */
  readonly approval: (install: Install) => Approval | undefined;
}

/** Whether something of ours is installed in a client; where the record cannot be read, it may be. */
export const isUsed = ({ id }: Pick<Client, 'id'>, { broken, ledger }: DoctorContext): boolean =>
  broken || ledger.installs.some(({ clients }) => clients.includes(id));

/** One file of settings. */
export interface Settings {
  readonly whose: Whose;
  readonly path: string;
  readonly text: string;
  readonly document?: JsonObject;
  readonly refusal?: Refusal;
}

export function makeContext(given: Given): DoctorContext {
  const { user, here, machine } = given;
  /** The user's own settings of the project. */
  const local: Places | undefined = here && { ...here, scope: 'local' };
  const read = once(disk.read);
  const placesOf = (install: Install): Places => placesAt(install, user);
  const settings = once((client: Client) =>
    (healthOf(client).layers ?? [])
      .flatMap((layer) => filesOf(layer, client, given, local))
      .flatMap((one) => readSettings(client, one, read) ?? []),
  );
  const json = (path: string): JsonObject => {
    try {
      const text = decode(read(path) ?? Buffer.from('{}'));
      return strictly(text) ?? FORMATS.json.read(text, ANYTHING);
    } catch (error) {
      if (error instanceof Refusal || error instanceof UserError) return {};
      throw error;
    }
  };
  const trustLook = (client: Client): TrustLook => ({
    ...machine,
    folder: configFolder(client, user),
    json,
    list: disk.list,
    setting: (...key) =>
      settings(client)
        // A folder does not trust itself.
        .filter(({ whose }) => whose !== 'project' && whose !== 'local')
        .map(({ document }) => valueAt(document, key))
        .findLast((value) => value !== undefined),
  });
  const scopes = [user, here, local].filter((places) => places !== undefined);
  const hooks = once((client: Client) => {
    const quiet = { read: (path: string) => refusing(() => read(path)) };
    return scopes.flatMap((places) => readWritten(client, places, quiet).hooks);
  });
  const whyStopped = once(async (client: Client) => {
    if (!given.installs.some(({ clients }) => clients.includes(client.id))) return undefined;
    return stopped(client, { places: user, cwd: machine.cwd, deadline: given.deadline });
  });
  const programs = once((install: Install) => {
    const folder = runnerFolder(placesOf(install), install.label);
    return readPrograms(folder, Object.keys(install.runner), read);
  });
  const approval = once((install: Install) =>
    parseApproval(read(join(runnerFolder(placesOf(install), install.label), APPROVAL_FILE))),
  );
  const nameOf = (install: Install) =>
    install.project === null
      ? install.label
      : `${install.label} in ${siteInWords(install, user.home)}`;
  return {
    ...given,
    scopes,
    read,
    placesOf,
    nameOf,
    settings,
    trustLook,
    hooks,
    whyStopped,
    programs,
    serverOf: (install) => programs(install).find(({ server }) => server)?.server,
    approval,
  };
}

/** Nearly everything is strict JSON, and some files are long: what else it could be is looked for only then. */
function strictly(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface SettingsFile extends Pick<Settings, 'whose' | 'path'> {
  readonly file: ConfigFile;
  /** Whose project it is not to be linked out of; absent: it is in none. */
  readonly places?: Places;
  /** A link out of it may be the user's own, and may have come with a clone: of what it leads to no more is told than switches. */
  readonly followed?: boolean;
}

/** The files of a layer, and what they are read like. */
function filesOf(
  layer: Layer,
  client: Client,
  given: Given,
  local: Places | undefined,
): SettingsFile[] {
  const { user, here, ledger, machine } = given;
  const { whose } = layer;
  if ('path' in layer) {
    const path = layer.path(machine);
    const file = client.files.find(({ format }) => path.endsWith(format)) ?? client.files[0];
    if (whose !== 'project' && whose !== 'local') return [{ whose, path, file }];
    if (!here) return [];
    const project = repositoryOf(machine.cwd) ?? machine.cwd;
    const name = relative(join(project, client.projectFolder), path);
    const places = project === here.project ? here : { ...here, project };
    return [{ whose, path, file: { ...file, name }, places }];
  }
  const places = whose === 'user' ? user : whose === 'local' ? local : here;
  if (!places) return [];
  // A link out of the project may be the user's own there, until we have hooks in it.
  const isWritten =
    whose !== 'local' || ledger.installs.some((one) => isSameSite(one, siteOf(places)));
  return filesIn(client, places).map((file) => {
    const path = configPath(client, file, places);
    return { whose, path, file, places, followed: !isWritten };
  });
}

function readSettings(
  client: Client,
  { whose, path, file, places, followed }: SettingsFile,
  read: DoctorContext['read'],
): Settings | undefined {
  const out = places && wayOut(client, file, places);
  let text = '';
  try {
    if (out && !followed) throw new LeadsOut(out, places);
    const bytes = refusing(() => read(path));
    if (bytes === null) return undefined;
    text = decode(bytes);
    const document = FORMATS[file.format].read(text, file.dialect);
    if (out && unread(client, { path, text, document }).length > 0) throw new LeadsOut(out, places);
    return { whose, path, text, document };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { whose, path, text, refusal: out ? new LeadsOut(out, places) : error };
  }
}

/** What the system refuses is one more reason why a file cannot be read. */
function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof UserError ? new Refusal<Message>(error.problem) : error;
  }
}

/** What stands under some keys, one in the other. */
export const valueAt = (
  document: JsonObject | undefined,
  key: readonly string[],
): JsonValue | undefined =>
  key.reduce<JsonValue | undefined>(
    (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    document,
  );
