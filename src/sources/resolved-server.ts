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
  /** What stands after `--`: the command that starts the server. */
  readonly command: readonly string[];
  /** `--name`: the label. */
  readonly name?: string;
  /** `--from`: the client that has the server configured. */
  readonly from?: string;
  /** Where it was found before. */
  readonly place?: Pick<Extract<Source, { kind: 'configured' }>, 'file' | 'path'>;
  /** Asks the user for one of several: its index, or undefined when he wants none. Absent: nobody can be asked. */
  readonly choose?: (question: Message, choices: readonly string[]) => Promise<number | undefined>;
  /** `--header`, for a server at an address. */
  readonly headers?: readonly Header[];
  readonly knownHeaders?: KnownHeaders;
  readonly cwd: string;
  readonly env: Env;
  /** Milliseconds for whatever has to be fetched. */
  readonly deadline?: number;
  /** Where that came from which is installed under a label: it is meant where nothing else is called so. */
  readonly installed?: (label: string) => Source | undefined;
}

/** A server that was found. Nothing of it has been started or asked. */
export interface ResolvedServer {
  readonly label: string;
  /** Where it was found: enough to find it again, and no secret in it. */
  readonly source: Source;
  /** Its hooks are written down, so that it need not be asked. */
  readonly declared?: ServerHooks;
  /** How it is started or reached, as its configuration says it: variables are not filled in. */
  readonly server?: ServerLaunch;
  /** How that is right now. Present unless the hooks are written down. */
  readonly launch?: () => Launch;
  /** Why it is started only after the user has agreed; absent: he has said so himself. */
  readonly consent?: SourceMessage;
  readonly notes?: readonly SourceMessage[];
  readonly problems?: readonly Problem[];
  /** Hides what is a secret in its launch, in what it or the system says. */
  readonly hide?: (text: string) => string;
}

/** How a server is started or reached right now, secrets included: made when it is needed, and neither kept nor printed. */
export type Launch =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** The whole of its environment. */
      readonly env: Env;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Takes what was typed for one kind of source; undefined: it is none of that kind. */
export type Finder = (operand: string, request: Request) => Promise<ResolvedServer | undefined>;
