/** What a user means by `<server>`, as far as it is known before anything is started or asked. */

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
  /** `--from`: the client that has the server configured. */
  readonly from?: string;
  /** `--client`: those that the hooks are for; undefined: all that are here. */
  readonly clients?: readonly string[];
  /** Where it was found before. */
  readonly place?: Pick<Extract<Source, { kind: 'configured' }>, 'file' | 'path'>;
  /** Asks the user for one of several. Returns its index, or undefined if they want none. Absent if nobody can be asked. */
  readonly choose?: (question: Message, choices: readonly string[]) => Promise<number | undefined>;
  /** `--header`, for a server at an address. */
  readonly headers?: readonly Header[];
  readonly knownHeaders?: KnownHeaders;
  /** Files that are not there are named. */
  readonly verbose?: boolean;
  readonly cwd: string;
  readonly env: Env;
  /** Milliseconds for whatever has to be fetched. */
  readonly deadline?: number;
  /** The source of what is installed under a label. It is used if nothing else has that name. */
  readonly installed?: (label: string) => Source | undefined;
}

/** A server that was found. Nothing of it has been started or asked. */
export interface ResolvedServer {
  readonly label: string;
  /** Where it was found: enough to find it again, and no secret in it. */
  readonly source: Source;
  /** Its hooks are written down, so that it need not be asked. */
  readonly declared?: ServerHooks;
  /** How its configuration starts or reaches it, with unresolved variables. */
  readonly server?: ServerLaunch;
  /** The same with everything filled in. Present unless the hooks are written down. */
  readonly launch?: () => Launch;
  /** Why the user must agree before it is started. Absent if the user asked for exactly this. */
  readonly consent?: SourceMessage;
  readonly notes?: readonly SourceMessage[];
  readonly problems?: readonly Problem[];
  /** Hides its launch's secrets in texts by the server or the system. */
  readonly hide?: (text: string) => string;
}

/** How a server is started or reached right now, including secrets. Made when needed, and never stored or printed. */
export type Launch =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** The whole of its environment. */
      readonly env: Env;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Accepts the typed words for one kind of source; undefined if they mean something else. */
export type Finder = (operand: string, request: Request) => Promise<ResolvedServer | undefined>;
