/** The facts for the checks. Each is read once, when the first check needs it. */

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { Client, ConfigFile } from '../../clients/contract.ts';
import { selectClients, stopped } from '../../clients/detect.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import type { Layer, Machine, TrustLook, Whose } from '../../clients/health/health.ts';
import { unread } from '../../clients/health/reading.ts';
import { filesOfLayer, type LayerFile } from '../../clients/health/switched-off.ts';
import {
  configFolder,
  configPath,
  filesIn,
  findPlaces,
  type Places,
  runnerFolder,
  wayOut,
} from '../../clients/places.ts';
import { CLIENTS, healthOf } from '../../clients/registry.ts';
import type { EventProgram } from '../../compile/program.ts';
import { APPROVAL_FILE, readPrograms } from '../../compile/runner-files.ts';
import {
  ANYTHING,
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  memberAt,
  position,
  Refusal,
} from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import type { EditMessage } from '../../edit/messages.ts';
import type { Position } from '../../edit/positions.ts';
import { decode, withoutBom } from '../../edit/text.ts';
import { LeadsOut } from '../../install/config-file.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { type DescribeLaunch, parseApproval } from '../../install/consent/approval.ts';
import { type Install, readLedger } from '../../install/ledger.ts';
import { isSameSite, placesAt, siteInWords, siteOf } from '../../install/site.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { attempt, type Message, UserError } from '../../system/errors.ts';
import { once } from '../../system/memoize.ts';

/** The default time in milliseconds for a client or a server to answer. */
const DEADLINE = 20_000;

export interface Caller {
  readonly env: Env;
  readonly cwd: string;
  /** Our own version, which is sent to servers. */
  readonly version: string;
  /** Receives how long the download of a label's server has been running. */
  readonly onDownload: (label: string) => (downloading: Downloading) => void;
  readonly describeLaunch: DescribeLaunch;
}

/** The subject of the question. By default: every install, and nothing is started. */
export interface Question {
  readonly label?: string | undefined;
  /** Ids or aliases; absent: every client. */
  readonly client?: readonly string[] | undefined;
  readonly servers?: boolean;
  /** Whether to query clients about their trust in hooks. They then write files in the user's folder. */
  readonly asksClients?: boolean;
  readonly deadline?: number;
}

type Given = ReturnType<typeof givenTo>;

/** The relevant installs and clients, on this machine and in this folder. */
function givenTo({ env, cwd, ...caller }: Caller, { client, ...question }: Question) {
  const { label } = question;
  /** The user's places, and those of the current folder if it can be a project. */
  const user = findPlaces(env, cwd, 'user');
  const folder = realpathSync.native(cwd);
  const here = folder === user.home ? undefined : findPlaces(env, cwd, 'project');
  const { ledger, broken } = readLedger(user.state, disk.read);
  const chosen = client && selectClients(client, user).clients;
  const installs = ledger.installs
    .filter((one) => label === undefined || one.label === label)
    .map((one) => ({
      ...one,
      clients: one.clients.filter((id) => !chosen || chosen.some((client) => client.id === id)),
    }))
    .filter(({ clients }) => clients.length > 0);
  const used = installs.flatMap(({ clients }) => clients);
  const present = label === undefined ? selectClients(undefined, user).clients : [];
  const all = CLIENTS.filter((client) => used.includes(client.id) || present.includes(client));
  // The folder with the image of a machine, if there is one. Machine-wide settings are read from there.
  const root = env.MCP_HOOKS_SYSTEM_ROOT ?? '';
  const machine: Machine = { env, home: user.home, cwd: folder, root };
  const asked = { servers: false, asksClients: false, deadline: DEADLINE, ...question, ...caller };
  return { ...asked, label, user, here, ledger, broken, installs, clients: chosen ?? all, machine };
}

export type DoctorContext = Readonly<ReturnType<typeof gather>>;

/** Whether a client has hooks of ours. If the ledger cannot be read, it may have some. */
export const isUsed = ({ id }: Pick<Client, 'id'>, { broken, ledger }: DoctorContext): boolean =>
  broken || ledger.installs.some(({ clients }) => clients.includes(id));

export interface Settings {
  readonly whose: Whose;
  readonly path: string;
  readonly text: string;
  readonly layout: Layout;
  readonly document?: JsonObject;
  readonly refusal?: Refusal;
  /** The commas that alone keep the client from reading the file; absent: there is another mistake. */
  readonly commas?: readonly Position[];
}

export function gather(caller: Caller, question: Question = {}) {
  const given = givenTo(caller, question);
  const { user, here, machine } = given;
  /** The user's own settings of the project. */
  const local: Places | undefined = here && { ...here, scope: 'local' };
  /** Throws UserError if the file cannot be read. */
  const read = once(disk.read);
  const placesOf = (install: Install): Places => placesAt(install, user);
  const runnerOf = (install: Install) => runnerFolder(placesOf(install), install.label);
  /** From weakest to strongest, without missing files. */
  const settings = once((client: Client): readonly Settings[] =>
    (healthOf(client).layers ?? [])
      .flatMap((layer) => filesOf(layer, client, given, local))
      .flatMap((one) => readSettings(client, one, read) ?? []),
  );
  /** The same with the settings of all folders that the client reads here, without those that it does not trust. */
  const applying = once((client: Client): readonly Settings[] => {
    const { projects } = healthOf(client);
    if (!projects) return settings(client);
    const found = projects(trustLook(client))
      .toReversed()
      .flatMap((project) => {
        const places: Places = { ...user, scope: 'project', project };
        return filesIn(client, places).flatMap((file) => {
          const path = configPath(client, file, places);
          return (
            readSettings(client, { whose: 'project', path, file, places, followed: true }, read) ??
            []
          );
        });
      });
    const others = settings(client).filter(({ whose }) => whose !== 'project');
    const isManaged = ({ whose }: Settings) => whose === 'managed';
    return [...others.filter((one) => !isManaged(one)), ...found, ...others.filter(isManaged)];
  });
  const json = (path: string): JsonObject => {
    try {
      const text = decode(read(path) ?? Buffer.from('{}'));
      if (path.endsWith('.js')) return FORMATS.program.read(text, ANYTHING);
      // Nearly every file is strict JSON, and some are long, so other dialects are tried only afterwards.
      const strictly: JsonValue | undefined = attempt(() => JSON.parse(text));
      return isObject(strictly) ? strictly : FORMATS.json.read(text, ANYTHING);
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
        // A folder cannot declare itself trusted.
        .filter(({ whose }) => whose !== 'project' && whose !== 'local')
        .map(({ document }) => memberAt(document, key))
        .findLast((value) => value !== undefined),
  });
  /** The places of every scope whose settings apply here. */
  const scopes: readonly Places[] = [user, here, local].filter((places) => places !== undefined);
  const hooks = once((client: Client): readonly ConfiguredHook[] =>
    scopes.flatMap((places) => readWritten(client, places, { read }).hooks),
  );
  /** Why a client does not start; undefined: it starts, has no hooks of ours, or cannot be queried. */
  const whyStopped = once(async (client: Client) => {
    if (!given.installs.some(({ clients }) => clients.includes(client.id))) return undefined;
    return stopped(client, { places: user, cwd: machine.cwd, deadline: given.deadline });
  });
  const programs = once((install: Install): readonly EventProgram[] =>
    readPrograms(runnerOf(install), Object.keys(install.runner), read),
  );
  /** How the runner starts or reaches the server whose tools it calls; undefined: it calls none. */
  const serverOf = (install: Install) => programs(install).find(({ server }) => server)?.server;
  /** The numbers in the declaration, from 1, of the hooks that call a tool. */
  const calling = (install: Install): number[] => {
    const hooks = programs(install).flatMap((program) => program.hooks);
    return [...new Set(hooks.filter(({ call }) => call).map(({ number }) => number))];
  };
  /** The declaration that the user agreed to; undefined if it was not kept. */
  const approval = once((install: Install) =>
    parseApproval(read(join(runnerOf(install), APPROVAL_FILE))),
  );
  const nameOf = (install: Install) =>
    install.project === null
      ? install.label
      : `${install.label} in ${siteInWords(install, user.home)}`;
  const own = { scopes, read, placesOf, nameOf, settings, applying, trustLook, hooks, whyStopped };
  return { ...given, ...own, programs, serverOf, calling, approval };
}

interface SettingsFile extends LayerFile {
  /** Set if a link points out of the project, which may be the user's own or from a clone. Only its target's switches count. */
  readonly followed?: boolean;
}

/** The files of a layer, each with its format. */
function filesOf(
  layer: Layer,
  client: Client,
  { user, here, ledger, machine }: Given,
  local: Places | undefined,
): SettingsFile[] {
  const files = filesOfLayer(layer, client, { user, here, local, machine });
  if ('path' in layer) return files;
  // A link out of the project may be the user's own, unless we have hooks in the project.
  return files.map((one) => {
    const { whose, places } = one;
    if (whose !== 'local' || !places) return one;
    const isWritten = ledger.installs.some((own) => isSameSite(own, siteOf(places)));
    return { ...one, followed: !isWritten };
  });
}

function readSettings(
  client: Client,
  { whose, path, file, places, followed }: SettingsFile,
  read: (path: string) => Buffer | null,
): Settings | undefined {
  const { format, dialect, layout } = file;
  const out = places && wayOut(client, file, places);
  let text = '';
  try {
    if (out && !followed) throw new LeadsOut(out, places);
    const bytes = refusing(() => read(path));
    if (bytes === null) return undefined;
    text = decode(bytes);
    const document = FORMATS[format].read(text, dialect, layout);
    if (format === 'program') checkProgram(text);
    if (out && unread(client, { path, text, document }).length > 0) throw new LeadsOut(out, places);
    return { whose, path, text, layout, document };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (out) return { whose, path, text, layout, refusal: new LeadsOut(out, places) };
    const commas = commasOnly(text, file);
    return { whose, path, text, layout, refusal: error, ...(commas && { commas }) };
  }
}

/** @throws Refusal for a program that no client can load. The program is not run. */
function checkProgram(source: string): void {
  // A node script has no imports and exports, each of which may be on several lines.
  const script = source
    .replace(/^import\b(?!\s*[.(])[^'"]*['"].*/gm, '')
    .replace(/^export\s*(?:\*[^'"]*['"]|\{[^}]*\}).*/gm, '')
    .replace(/^export default /gm, 'void ')
    .replace(/^export /gm, '')
    .replaceAll('import.meta', '({})');
  try {
    new Script(`(async () => {${script}\n})`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal<EditMessage>({ code: 'program-broken' });
  }
}

/** The trailing commas, if the client could read the file without them. */
function commasOnly(text: string, { format, dialect, layout }: ConfigFile): Position[] | undefined {
  const { read, trailingCommas } = FORMATS[format];
  return attempt(() => {
    const offsets = trailingCommas(text);
    if (offsets.length === 0) return undefined;
    const rest = offsets.reduceRight((out, at) => out.slice(0, at) + out.slice(at + 1), text);
    read(rest, dialect, layout);
    const shift = text.length - withoutBom(text).length;
    return offsets.map((at) => position(withoutBom(text), at - shift));
  });
}

/** Turns an error of the system into a reason why a file cannot be read. */
function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof UserError ? new Refusal<Message>(error.problem) : error;
  }
}
