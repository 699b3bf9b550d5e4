/** The shape of a check of `doctor`: it inspects something and returns its findings. */

import type { Client } from '../../clients/contract.ts';
import type { Install } from '../../install/ledger.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { type Message, UserError } from '../../system/errors.ts';
import type { DiagnoseMessage, PlainCode, TrustMessage } from '../messages.ts';
import type { DoctorContext } from './context.ts';

/** Mildest first. `error`: a hook does not fire; `warning`: it may not fire, or not as it should. */
export const LEVELS = ['ok', 'info', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  readonly level: Level;
  /** Its subject: a client's name, a label, or mcp-hooks itself. */
  readonly about: string;
  readonly what: Message;
  readonly todo?: Message;
  /** A path, with line and column if known. */
  readonly where?: string;
  /** Why hooks do not fire, in a few words; absent: the words of the check. */
  readonly brief?: Message;
  readonly blocks?: Blocked;
}

/** Hooks that do not fire: all that match these fields. */
export interface Blocked {
  readonly install?: Install;
  /** A client's id. */
  readonly client?: string;
  readonly file?: string;
  readonly natives?: readonly string[];
  /** Their numbers in the declaration, from 1. */
  readonly hooks?: readonly number[];
}

export interface Check {
  /** Stable, because scripts use it. */
  readonly name: string;
  readonly look: (at: DoctorContext) => readonly Finding[] | Promise<readonly Finding[]>;
}

/** The messages of checks. A check may also pass on messages of other layers, if its type lists them. */
export type CheckMessage = DiagnoseMessage | TrustMessage;

/** A check's result. An error blocks all hooks of its subject, unless `blocks` names some, or is `null` for none. */
export interface CheckResult<M extends Message = CheckMessage>
  extends Pick<Finding, 'level' | 'where'> {
  readonly what: M | PlainCode;
  readonly todo?: M | PlainCode;
  readonly brief?: M;
  readonly blocks?: Blocked | null;
}
/** One thing, several, or none. */
type Found<M extends Message> = CheckResult<M> | readonly CheckResult<M>[] | undefined;
type Look<Subject, M extends Message> = (
  subject: Subject,
  at: DoctorContext,
) => Found<M> | Promise<Found<M>>;

/** A check of each client that may pass on messages of other layers. No result means `fine`. */
export const ofClientsInAnyWords = (
  name: string,
  fine: CheckMessage | PlainCode,
  look: Look<Client, Message>,
): Check =>
  checkOf(name, fine, look, ({ clients }) =>
    clients.map((one) => ({ about: one.name, subject: one, blocks: { client: one.id } })),
  );

/** A check of each client, with its own messages. */
export const ofClients: (name: string, fine: PlainCode, look: Look<Client, CheckMessage>) => Check =
  ofClientsInAnyWords;

/** The installs that a check is about. It reports nothing about others. */
type IsMeant = (install: Install, at: DoctorContext) => boolean;

/** A check of each install of a label, or of some. */
export const ofInstalls = (
  name: string,
  fine: CheckMessage | PlainCode,
  look: Look<Install, CheckMessage>,
  isMeant: IsMeant = () => true,
) =>
  checkOf(name, fine, look, (at) =>
    at.installs
      .filter((install) => isMeant(install, at))
      .map((install) => subjectOf(install, at, { install })),
  );

/** A check of something that only hooks with a tool need. Its errors block those hooks, and no texts. */
export const ofTools = (
  name: string,
  fine: PlainCode,
  look: Look<Install, CheckMessage>,
  isMeant: IsMeant = () => true,
): Check =>
  checkOf(name, fine, look, (at) =>
    at.installs
      .filter((install) => isMeant(install, at))
      .map((install) => {
        const hooks = at.calling(install);
        return subjectOf(install, at, hooks.length > 0 ? { install, hooks } : null);
      }),
  );

const subjectOf = (install: Install, at: DoctorContext, blocks: Blocked | null) => ({
  about: at.nameOf(install),
  subject: install,
  blocks,
});

/** A check of our own files. */
export const ofUs = (
  name: string,
  fine: PlainCode,
  look: (at: DoctorContext) => Found<CheckMessage>,
): Check => checkOf(name, fine, look, (at) => [{ about: 'mcp-hooks', subject: at, blocks: {} }]);

const LAST_WORDS: readonly string[] = [
  'server-crashed',
  'server-last-lines',
  'stdout-not-json',
] satisfies SourceMessage['code'][];

/** Turns an error of the system or of a server into a finding. */
export function refused(error: unknown): CheckResult {
  if (!(error instanceof UserError)) throw error;
  const { problem, details } = error;
  // A server's last output is not advice.
  if (details.some(({ code }) => LAST_WORDS.includes(code)))
    return {
      level: 'error',
      what: { code: 'refused-with-details', problem, details },
      todo: 'start-by-hand',
    };
  return { level: 'error', what: { code: 'refused', problem }, todo: { code: 'mend', details } };
}

const messageOf = (said: Message | string): Message =>
  typeof said === 'string' ? { code: said } : said;

function checkOf<Subject, M extends Message>(
  name: string,
  fine: M | PlainCode,
  look: Look<Subject, M>,
  subjects: (
    at: DoctorContext,
  ) => readonly { about: string; subject: Subject; blocks: Blocked | null }[],
): Check {
  return {
    name,
    look: async (at) => {
      const looked = subjects(at).map(async ({ about, subject, blocks }) => {
        const found = await (async () => look(subject, at))().catch(refused);
        const results: readonly CheckResult<Message>[] = [found ?? []].flat();
        const all = results.length > 0 ? results : [{ level: 'ok', what: fine } as const];
        return all.map(({ blocks: own, what, todo, ...one }): Finding => {
          const isBlocking = own !== null && (own ?? (one.level === 'error' ? blocks : null));
          return {
            ...{ about, ...one, what: messageOf(what) },
            ...(todo && { todo: messageOf(todo) }),
            ...(isBlocking && { blocks: { ...blocks, ...own } }),
          };
        });
      });
      return (await Promise.all(looked)).flat();
    },
  };
}
