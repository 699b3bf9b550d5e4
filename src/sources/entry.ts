/**
 * An entry of a client's configuration: how its server is started or reached. Uses the same functions as the runner does
 * whenever a hook fires (templates/configured.cts).
 */

import type { ProgramServer } from '../compile/program.ts';
import type { RunnerMessage } from '../compile/runner-messages.ts';
import {
  mayRefer,
  passingIn,
  passingMark,
  steeringMark,
  variablesInWords,
  variablesNamed,
} from '../compile/steering.ts';
import type {
  EntryFields,
  PassedOn,
  PlaceInFile,
  ServerEnvironment,
} from '../declaration/configured-server.ts';
import type { Env } from '../system/env.ts';
import { ifPossible } from '../system/errors.ts';
import { runnerCode } from '../system/runner-code.ts';
import { environmentIn } from './folder.ts';
import { SourceError } from './messages.ts';
import type { Launch } from './resolved-server.ts';

/** How the server is started or reached now. `own`: the variables that are set for it specifically. */
export type Filled = Launch & { readonly own?: Readonly<Record<string, string>> };

const runnerConfigured = () => runnerCode('./configured.cjs');
/** The entry as written, with secrets and unresolved variables. */
export type Parts = NonNullable<ReturnType<ReturnType<typeof runnerConfigured>['partsOf']>>;
/** The variables that a client provides to a server, as functions. */
type Variables = Parameters<ReturnType<typeof runnerConfigured>['launchOf']>[2];

const runnerCall = () => runnerCode('./call.cjs');

/** Undefined if the entry has neither a command nor an address. */
export const partsOf = (entry: unknown, fields: EntryFields): Parts | undefined =>
  runnerConfigured().partsOf(entry, fields);

export const seenAs = (parts: Parts): string => runnerConfigured().seenAs(parts);

/** The current value at a place. Throws if the file cannot be read. */
export const readAt = (place: PlaceInFile): unknown => runnerConfigured().readAt(place);

export interface FillOptions {
  readonly given: ServerEnvironment;
  readonly env: Env;
  readonly cwd: string;
}

/** The names of all variables and headers that the entry sets. @throws UserError as `fill` does. */
export const valueNames = (parts: Parts, around: FillOptions): readonly string[] =>
  telling(() => runnerConfigured().namesIn(parts, variablesFor(around)));

/** The variables that determine what runs, as written in the entry and its file. @throws UserError as `fill` does. */
export function steeringOf(
  parts: Parts,
  around: FillOptions,
): { readonly values: Readonly<Record<string, string>>; readonly mark?: string } {
  if ('url' in parts) return { values: {} };
  const own = telling(() => runnerConfigured().steering(parts, variablesFor(around)));
  const values = Object.fromEntries(own);
  const mark = steeringMark({ ...parts, env: values });
  return { values, ...(mark !== undefined && { mark }) };
}

/** Which recipient gets which variables of the user, and a mark of the values that refer to them. */
export function passingOf(
  parts: Parts,
  foreign: boolean,
): { readonly passing: readonly PassedOn[]; readonly mark?: string } {
  const values = 'url' in parts ? parts.headers : parts.env;
  const mark = passingMark(values);
  const written = passingIn(values).map(([name, value]) => ({
    name,
    variables: variablesNamed(value),
    ...(foreign && { written: value }),
  }));
  const named = 'url' in parts ? Object.entries(parts.headersFromVariables) : [];
  const bearer = 'url' in parts && parts.bearer !== undefined ? [parts.bearer] : [];
  const passedOn = 'url' in parts ? [] : parts.passedOn;
  return {
    passing: [
      ...written,
      ...named.map(([name, variable]) => ({ name, variables: [variable] })),
      ...bearer.map((variable) => ({ name: 'Authorization', variables: [variable] })),
      ...passedOn.map((name) => ({ name, variables: [name] })),
      ...passingInWords(parts),
    ],
    ...(mark !== undefined && { mark }),
  };
}

/** Variables of the user in the address, or in the words of the command. */
export function passingInWords(
  server:
    | { readonly url: string }
    | { readonly command: string; readonly args?: readonly string[] },
): PassedOn[] {
  const variables =
    'url' in server
      ? mayRefer(server.url)
        ? variablesNamed(server.url)
        : []
      : variablesInWords([server.command, ...(server.args ?? [])]);
  return variables.length > 0 ? [{ name: '', variables }] : [];
}

/** @throws UserError for anything that only its client can expand. */
export function fill(parts: Parts, names: readonly string[], around: FillOptions): Filled {
  const filled = telling(
    () => runnerConfigured().launchOf(parts, names, variablesFor(around)) as Filled,
  );
  if ('url' in filled) return filled;
  const { cwd, env, own } = filled;
  return env.PWD === undefined ? filled : { ...filled, env: { ...env, PWD: cwd, ...own } };
}

/** The same with all of its names. Undefined if only its client can expand it. */
export const fillIfPossible = (parts: Parts, around: FillOptions): Filled | undefined =>
  ifPossible(() => fill(parts, valueNames(parts, around), around));

/** How the runner starts or reaches a server. @throws UserError if that is impossible. */
export function launchOf(server: ProgramServer, { env, cwd }: Omit<FillOptions, 'given'>): Launch {
  const around = { given: server.given, env, cwd };
  const launch = telling(() => runnerCall().launchOf(server, variablesFor(around)));
  return 'url' in launch ? launch : { ...launch, cwd: launch.cwd ?? cwd };
}

const variablesFor = ({ given, env, cwd }: FillOptions): Variables =>
  runnerCall().variablesFor(given, environmentIn(cwd, env), cwd);

function telling<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Error) || !('why' in error)) throw error;
    const why = error.why as RunnerMessage; // made by `fault` (templates/values.cts)
    throw new SourceError(
      why.code === 'client-fills-in'
        ? { code: 'only-its-client', reference: why.reference }
        : { code: 'not-filled-in', why },
    );
  }
}
