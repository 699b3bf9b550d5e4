// https://cursor.com/docs/hooks. Users report that its command line drops a whole file because of an unknown event, or a
// command that contains a URL. The documentation does not say so, and it was not tried.
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { HANDLERS, knownEvents } from '../contract.ts';
import type { Fault, Health, Machine } from '../health/health.ts';
import * as is from '../health/shapes.ts';
import { cursor as client } from './client.ts';

const EVENTS = knownEvents(client);

const ENTRY = is.fields({
  command: (command) =>
    typeof command !== 'string'
      ? [{ path: [], what: 'is not a string' }]
      : /\bhttps?:\/\//i.test(command)
        ? [{ path: [], what: 'has an address in it, which a command must not have' }]
        : [],
  timeout: is.number,
  matcher: is.text,
});

/** An entry of Claude Code's shape has no effect here. */
const grouped = (event: string, entries: readonly JsonValue[]): Fault[] =>
  entries.flatMap((entry, at) =>
    isObject(entry) && HANDLERS in entry
      ? [{ path: ['hooks', event, at], what: 'has a list of hooks in it', lost: 'entry' as const }]
      : [],
  );

function faults(document: JsonObject): Fault[] {
  const { version = 1, hooks = {} } = document;
  const found: Fault[] = is
    .number(version)
    .map((fault) => ({ ...fault, path: ['version', ...fault.path] }));
  if (!isObject(hooks)) return [...found, { path: ['hooks'], what: 'is not an object' }];
  for (const [event, entries] of Object.entries(hooks)) {
    if (!EVENTS.includes(event))
      found.push({ path: ['hooks', event], what: 'is an event that Cursor does not know' });
    for (const { path, ...fault } of is.list(ENTRY)(entries))
      found.push({ ...fault, path: ['hooks', event, ...path] });
    if (Array.isArray(entries)) found.push(...grouped(event, entries));
  }
  return found;
}

/** An administrator's files have the same format. */
const managed = ({ root }: Machine): string =>
  process.platform === 'darwin'
    ? `${root}/Library/Application Support/Cursor/hooks.json`
    : `${root}/etc/cursor/hooks.json`;

export const cursor: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }, { whose: 'managed', path: managed }],
  switches: [],
  faults,
  faulty: () => "Cursor's command line ignores the whole file",
  // https://docs.x.ai/build/features/hooks
  alsoRunBy: [
    {
      name: 'Grok Build',
      executables: ['grok'],
      folders: ['.grok'],
      which: "the user's and a project's",
    },
  ],
};
