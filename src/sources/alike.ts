/** Whether servers with the same name are the same server and, if not, how they differ, without revealing hidden values. */

import { ifPossible } from '../system/errors.ts';
import { inLine } from '../system/visible.ts';
import type { Entry } from './configurations.ts';
import type { Filled, FillOptions, Parts } from './entry.ts';
import { fillIfPossible, passingOf, seenAs, steeringOf } from './entry.ts';
import { maskAddress, maskWords, shownSteering } from './redacted.ts';
import { quotedName as nameShown } from './shown-launch.ts';

type Request = Pick<FillOptions, 'cwd' | 'env'>;

/** How the server is finally started or reached, without what the client passes to all of its servers. */
export function howOf(entry: Entry, request: Request): unknown {
  const { client, file, parts } = entry;
  if (!parts) return file.path;
  const around = { ...request, env: { ...request.env, ...standIns(parts, request) } };
  const filled = filledOf(entry, around);
  if (!filled) return [client.id, seenAs(parts)];
  if ('url' in filled) return { ...filled, headers: lowerCase(filled.headers) };
  const { command, args, cwd } = filled;
  return { command, args, cwd, own: ownOf(filled, around) };
}

/**
 * Values for the variables that an entry needs and that are not set. Each client writes a reference to a variable in its own
 * way, and leaves it as it is if the variable is not set.
 */
function standIns(parts: Parts, { env }: Request): Values {
  const needed = passingOf(parts, false).passing.flatMap(({ variables }) => variables);
  const unset = needed.filter((name) => !env[name]);
  const text = unset.length > 0 ? JSON.stringify(parts) : '';
  const hasDefault = (name: string) =>
    [`{${name}:-`, `{${name}-`].some((one) => text.includes(one));
  return Object.fromEntries(
    unset.flatMap((name) => (hasDefault(name) ? [] : [[name, `<${name}>`]])),
  );
}

const filledOf = ({ client, parts }: Entry, request: Request): Filled | undefined =>
  parts && fillIfPossible(parts, { ...request, given: client.given });

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Without variables that equal those of our own environment, which most clients pass on anyway. */
function ownOf(launch: Command, { env }: Request): Values {
  const own = 'passedOn' in launch ? launch.env : (launch.own ?? {});
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => env[name] !== value));
}

type Command = Extract<Filled | Parts, { command: string }>;

type Values = Readonly<Record<string, string>>;

type HiddenParts = Readonly<Partial<Record<(typeof KINDS)[number], Values>>>;
const KINDS = ['environment', 'headers', 'masked'] as const;

/**
 * The lines that show some servers. Lines that would be identical also state how their servers differ: `environment:
 * DATABASE_URL=*** (value 2), no TOKEN`. Equal numbers mean equal values.
 */
export function disambiguate(
  shown: readonly { readonly entry: Entry; readonly line: string }[],
  request: Request,
): string[] {
  return shown.map(({ entry, line }) => {
    const alike = shown.flatMap((one) => (one.line === line ? one.entry : []));
    return [line, ...differences(entry, alike, request)].join('; ');
  });
}

function differences(entry: Entry, all: readonly Entry[], request: Request): string[] {
  if (all.length < 2) return [];
  const own = hiddenParts(entry, request);
  const others = all.map((one) => hiddenParts(one, request));
  const said = KINDS.flatMap((kind) => {
    const values = others.map((one) => one[kind] ?? {});
    const names = [...new Set(values.flatMap(Object.keys))].sort();
    const words = names.flatMap((name) => differenceIn(name, own[kind] ?? {}, values) ?? []);
    return kind === 'masked' || words.length === 0 ? words : [`${kind}: ${words.join(', ')}`];
  });
  const folders = new Set(all.map((one) => folderOf(one, request)));
  const folder = folders.size > 1 ? folderOf(entry, request) : undefined;
  return folder === undefined ? said : [`in ${inLine(folder)}`, ...said];
}

/** Matches names that we generated. Any other name is untrusted. */
const OURS = /^argument \d+$/;

/** Undefined if the value is the same for all. */
function differenceIn(name: string, own: Values, all: readonly Values[]): string | undefined {
  const values = [...new Set(all.flatMap((one) => one[name] ?? []))];
  const value = own[name];
  const shown = OURS.test(name) ? name : nameShown(name);
  if (value === undefined) return `no ${shown}`;
  if (values.length > 1) return `${shown}=*** (value ${values.indexOf(value) + 1})`;
  return all.every((one) => name in one) ? undefined : `${shown}=***`;
}

/** The folder the server runs in. Undefined if its entry names a folder, which is shown anyway. */
function folderOf(entry: Entry, request: Request): string | undefined {
  const filled = filledOf(entry, request);
  const isWritten = entry.parts && 'cwd' in entry.parts && entry.parts.cwd !== undefined;
  return filled && 'cwd' in filled && !isWritten ? filled.cwd : undefined;
}

function hiddenParts(entry: Entry, request: Request): HiddenParts {
  const { parts, client, foreign } = entry;
  if (!parts) return {};
  const filled = filledOf(entry, request) ?? parts;
  if ('url' in filled) {
    const headers = lowerCase(filled.headers);
    const isMasked = !foreign && maskAddress(filled.url) !== filled.url;
    return { headers, ...(isMasked && { masked: { address: filled.url } }) };
  }
  const isShown = shownIn(parts, { ...request, given: client.given }, foreign);
  const environment = Object.entries(ownOf(filled, request)).filter(([name]) => !isShown(name));
  return {
    environment: Object.fromEntries(environment),
    ...(!foreign && { masked: maskedWords([filled.command, ...filled.args]) }),
  };
}

/** Whether a variable is shown with its full value, because that value determines what runs. */
function shownIn(parts: Parts, around: FillOptions, foreign: boolean): (name: string) => boolean {
  const { values = {} } = ifPossible(() => steeringOf(parts, around)) ?? {};
  const shown = shownSteering(values, foreign);
  return (name) => name in values && shown[name] === values[name];
}

function maskedWords(words: readonly string[]): Values {
  const masked = maskWords(words);
  return Object.fromEntries(
    words.flatMap((word, index) =>
      word === masked[index] ? [] : [[index === 0 ? 'command' : `argument ${index}`, word]],
    ),
  );
}
