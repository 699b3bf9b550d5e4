/** The meaning of `<server>`, as far as it is known before anything is started or queried. */

import type {
  Header,
  KnownHeaders,
  Problem,
  ServerHooks,
  ServerLaunch,
  Source,
} from '../declaration/declared.ts';
import type { Env } from '../system/env.ts';
import type { Message } from '../system/errors.ts';
import type { SourceMessage } from './messages.ts';

export interface Request {
  readonly operand?: string;
  /** The words after `--`: the command that starts the server. */
  readonly command: readonly string[];
  /** `--name`: the label. */
  readonly name?: string;
  /** `--from`: the client whose configuration contains the server. */
  readonly from?: string;
  /** `--client`: the clients that get the hooks. Undefined for all clients on this machine. */
  readonly clients?: readonly string[];
  /** Where the server was found before. */
  readonly place?: Pick<Extract<Source, { kind: 'configured' }>, 'file' | 'path'>;
  /**
   * Lets the user choose one of several options. Returns its index, or undefined if the user chooses none. Absent if the user
   * cannot be asked.
   */
  readonly choose?: (question: Message, choices: readonly string[]) => Promise<number | undefined>;
  /** `--header`, for a server at an address. */
  readonly headers?: readonly Header[];
  readonly knownHeaders?: KnownHeaders;
  /** Lists missing files, too. */
  readonly verbose?: boolean;
  readonly cwd: string;
  readonly env: Env;
  /** Milliseconds for anything that has to be fetched. */
  readonly deadline?: number;
  /** The source of an install under a label, for a name that matches nothing else. */
  readonly installed?: (label: string) => Source | undefined;
}

/** A server that was found. It has not been started or queried. */
export interface ResolvedServer {
  readonly label: string;
  /** Where the server was found: enough to find it again, and without secrets. */
  readonly source: Source;
  /** Its hooks come from a file, so it does not have to be queried. */
  readonly declared?: ServerHooks;
  /** How its configuration starts or reaches it, with unresolved variables. */
  readonly server?: ServerLaunch;
  /** The same with all variables expanded. Absent if the hooks come from a file. */
  readonly launch?: () => Launch;
  /** Why the user must agree before the server is started. Absent if the user asked for exactly this server. */
  readonly consent?: SourceMessage;
  readonly notes?: readonly SourceMessage[];
  readonly problems?: readonly Problem[];
  /** Hides the secrets of its launch in texts from the server or the system. */
  readonly hide?: (text: string) => string;
}

/** How a server is started or reached right now, including secrets. Created when needed, and never stored or printed. */
export type Launch =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** The complete environment of the server. */
      readonly env: Env;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Resolves the typed words for one kind of source. Undefined if they mean something else. */
export type Finder = (operand: string, request: Request) => Promise<ResolvedServer | undefined>;
