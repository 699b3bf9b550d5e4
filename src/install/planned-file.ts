/** The planned state of one file, and the options that a plan is made from. */

import type { Client, ConfigFile } from '../clients/contract.ts';
import { isDefault, type Places } from '../clients/places.ts';
import type { Compiled } from '../compile/compile.ts';
import { placeOf, type Refusal } from '../edit/edit.ts';
import type { Disk } from '../system/disk.ts';
import { type Message, UserError } from '../system/errors.ts';
import { missingFolders, same } from '../system/files.ts';
import type { GitState } from '../system/git/state.ts';
import { lockPath } from '../system/lock.ts';
import type { AddedServer, LedgerFile } from './ledger.ts';
import type { InstallMessage } from './messages.ts';
import type { PlannedOriginal } from './originals.ts';

/** The current and the future contents of a file. */
export interface FileChange {
  readonly path: string;
  readonly before: Buffer | null;
  /** Null if the file is removed. */
  readonly after: Buffer | null;
  readonly mode: number;
  /** The project that no link may lead out of. */
  readonly within?: string;
}

export const differs = ({ before, after }: FileChange): boolean => !same(before, after);

/** Other changes to a client's file besides hooks: servers, and records of trust. */
export interface FileEdit {
  readonly client: Client;
  readonly path: string;
  /** @param start The initial content of a new file. @returns null if nothing is left of a file that we created. */
  readonly apply: (
    source: string | null,
    start?: string,
  ) => {
    readonly text: string | null;
    readonly added: readonly AddedServer[];
    /** We created the file for an entry that is now taken out, so it is removed with our last entry. */
    readonly isMade: boolean;
  };
}

export interface ClientPlan {
  readonly client: Client;
  /** The config file that holds our entries, or will hold them. */
  readonly path: string;
  readonly config: ConfigFile;
  /** How each declared hook arrives. Absent if entries are only removed. */
  readonly compiled?: Compiled;
  /** Absent if the file does not change. */
  readonly change?: FileChange;
  /** Why the file cannot be edited. If one file is refused, nothing is edited. */
  readonly refusal?: Refusal;
  /**
   * Which hooks the user can remove by hand instead. Absent when installing: entries alone would start a runner that was not
   * written.
   */
  readonly byHand?: Message;
  /** How git treats a project's file. Absent if there is no repository, or if that is unknown. */
  readonly git?: GitState;
  /** The native events with a hook that names the label's runner but is not as we write it. Such hooks are unchanged. */
  readonly foreign?: readonly string[];
  /** Entries of the user that are taken out or put back, or that stay although they were to be taken out. */
  readonly originals?: readonly PlannedOriginal[];
}

export interface FilePlan extends ClientPlan {
  /** The ledger's entry for the file while the run is in progress. Absent if the file neither had nor gets anything of ours. */
  readonly entry?: Required<Omit<LedgerFile, 'found' | 'local'>> & Pick<LedgerFile, 'local'>;
  /** The file contains nothing of ours yet, so it is backed up before it is changed. */
  readonly copy?: boolean;
  readonly source?: string | null;
  /** The servers that are added to the file. */
  readonly added?: readonly AddedServer[];
}

export interface PlanOptions {
  readonly places: Places;
  readonly clients: readonly Client[];
  readonly disk: Disk;
  /** The folders on the way to the state folder that were missing when the command began, outermost first. */
  readonly madeFolders: readonly string[];
}

/** Folders that we have to create for our state. The default `~/.mcp-hooks` is not recorded. */
export const missingForState = (places: Places): string[] =>
  missingFolders(lockPath(places.state)).filter(
    (folder) => folder !== places.state || !isDefault(places),
  );

/** The error about a file that has to be changed, and cannot be. */
export const fileRefused = (client: Client, path: string, refusal: Refusal): UserError =>
  new UserError<InstallMessage>(
    { code: 'file-refused', path, ...placeOf(refusal), why: refusal.problem },
    [{ code: 'mend-or-leave-out', client: client.name }],
  );
