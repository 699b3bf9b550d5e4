/** What a plan says about one file, and the options that it is made from. */

import type { Client, ConfigFile } from '../clients/contract.ts';
import { isDefault, type Places } from '../clients/places.ts';
import type { Compiled } from '../compile/compile.ts';
import type { Refusal } from '../edit/edit.ts';
import type { Disk } from '../system/disk.ts';
import type { Message } from '../system/errors.ts';
import { missingFolders, same } from '../system/files.ts';
import type { GitState } from '../system/git/state.ts';
import { lockPath } from '../system/lock.ts';
import type { AddedServer, LedgerFile } from './ledger.ts';
import type { PlannedOriginal } from './originals.ts';

/** One file, as it is and as it will be. */
export interface FileChange {
  readonly path: string;
  readonly before: Buffer | null;
  /** Null: the file is removed. */
  readonly after: Buffer | null;
  readonly mode: number;
  /** The project that no link may lead out of. */
  readonly within?: string;
}

export const differs = ({ before, after }: FileChange): boolean => !same(before, after);

/** What else changes in a client's file, beside the hooks: servers, and what the client knows of trust. */
export interface FileEdit {
  readonly client: Client;
  readonly path: string;
  /** @param start What the file begins with if it is made. @returns null: nothing is left of a file that we made. */
  readonly apply: (
    source: string | null,
    start?: string,
  ) => {
    readonly text: string | null;
    readonly added: readonly AddedServer[];
    /** We made the file for what is taken out, so it goes with the last thing of ours. */
    readonly isMade: boolean;
  };
}

export interface ClientPlan {
  readonly client: Client;
  /** The config file that holds our entries, or will. */
  readonly path: string;
  readonly config: ConfigFile;
  /** How each declared hook arrives; absent if entries are only removed. */
  readonly compiled?: Compiled;
  /** Absent when the file stays as it is. */
  readonly change?: FileChange;
  /** Why the file cannot be edited. If so, nothing is. */
  readonly refusal?: Refusal;
  /** Which hooks to take out by hand instead; absent when installing: entries alone would start a runner that was not written. */
  readonly byHand?: Message;
  /** What git would do with a project's file; absent: there is no repository, or we do not know. */
  readonly git?: GitState;
  /** The native events with a hook that names the label's runner but is not as we write it. It stays as it is. */
  readonly foreign?: readonly string[];
  /** Entries of somebody else that are taken out or put back, or that stay although somebody wants them out. */
  readonly originals?: readonly PlannedOriginal[];
}

export interface FilePlan extends ClientPlan {
  /** What the ledger has for the file while the run is under way; absent: nothing of ours was or will be in it. */
  readonly entry?: Required<Omit<LedgerFile, 'found' | 'local'>> & Pick<LedgerFile, 'local'>;
  /** Nothing of ours is in the file yet, so it is copied before it is changed. */
  readonly copy?: boolean;
  readonly source?: string | null;
  /** The servers that are added to it. */
  readonly added?: readonly AddedServer[];
}

export interface PlanOptions {
  readonly places: Places;
  readonly clients: readonly Client[];
  readonly disk: Disk;
  /** The folders that were missing around the state folder when the command began, outermost first. */
  readonly madeFolders: readonly string[];
}

/** Folders that we still have to create for our state. `~/.mcp-hooks` need not be recorded. */
export const missingForState = (places: Places): string[] =>
  missingFolders(lockPath(places.state)).filter(
    (folder) => folder !== places.state || !isDefault(places),
  );
