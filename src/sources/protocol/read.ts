/** Reads the declaration of a server that was found, from a file or from the server itself. */

import type { ServerHooks } from '../../declaration/declared.ts';
import { type Message, mapTexts, Unauthorized, UserError } from '../../system/errors.ts';
import { SourceError } from '../messages.ts';
import type { ResolvedServer } from '../resolved-server.ts';
import { askServer } from './ask.ts';
import type { Asking } from './conversation.ts';
import type { HttpAccess } from './http.ts';
import { listTools, type ToolList } from './tools.ts';

export type ReadOptions = Pick<HttpAccess, 'tokens'> & Omit<Asking, 'label' | 'downloadDeadline'>;

/** Starts or reaches the server, unless its hooks come from a file. The caller must have shown the start to the user. */
export async function readTarget(
  target: ResolvedServer,
  options: ReadOptions,
): Promise<ServerHooks> {
  const { notes, problems = [], hide } = target;
  const declared = await withMaskedErrors(target, () => readDeclared(target, options));
  const found = declared.problems.map((one) =>
    hide ? { ...one, message: mapTexts(one.message, hide) } : one,
  );
  return { ...declared, ...(notes && { notes }), problems: [...problems, ...found] };
}

async function readDeclared(target: ResolvedServer, options: ReadOptions): Promise<ServerHooks> {
  const { label, declared, server, source } = target;
  if (declared) return declared;
  const launch = target.launch?.();
  if (!launch) throw new SourceError({ code: 'unknown-source', source: label });
  const asked = await askServer({ ...options, ...launch, label });
  return { ...asked, source, ...(server && { server }) };
}

/** The same for its tools. The caller must have shown the start, too. */
export async function readTools(target: ResolvedServer, options: ReadOptions): Promise<ToolList> {
  return withMaskedErrors(target, async () => {
    const launch = target.launch?.();
    if (!launch) throw new SourceError({ code: 'start-unknown', name: target.label });
    return listTools({ ...options, ...launch, label: target.label, name: target.label });
  });
}

/** Removes the secrets of the server's configuration from errors. */
export async function withMaskedErrors<T>(
  { hide }: ResolvedServer,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!hide || !(error instanceof UserError)) throw error;
    const problem = mapTexts(error.problem, hide);
    const details = error.details.map((one) => mapTexts(one, hide));
    throw error instanceof Unauthorized
      ? new Unauthorized<Message>(problem, details, error.status, error.challenge)
      : new UserError<Message>(problem, details);
  }
}
