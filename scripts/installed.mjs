// The files that `mcp-hooks install` wrote for each client, for the demo and the benchmarks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { CLIENTS } from './clients.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every client, with its own names of declared events. */
export const clients = CLIENTS.map((client) => {
  const actsOn = (event, wanted) =>
    client.lowering[event].text.on.find(({ act }) => act === wanted)?.native;
  const nativeOf = (event) => actsOn(event, 'tell');
  return {
    id: client.id,
    name: client.name,
    /** The shell in which it runs a command. */
    shell: client.hookShell,
    nativeOf,
    /** The event that shows the text of a declared one, and the earlier event that records it, if they differ. */
    eventsOf: (event) => ({ tells: nativeOf(event), notes: actsOn(event, 'mark') }),
    /** Whether its first stage can answer alone when a session starts. */
    answersAlone: client.nativeEvents[nativeOf('session_start')].occasion !== undefined,
    payload: {
      transcript: client.wire.transcript,
      session: client.wire.session,
      input: client.wire.toolInput,
      prompt: client.wire.prompt,
    },
  };
});

/** The recorded payload of the real client for one of its events. */
export const recorded = ({ id }, native) =>
  JSON.parse(readFileSync(join(root, `fixtures/events/${id}/${native}.json`), 'utf8'));

/** The absolute paths of the files with hooks, by client, from the output of `install --json` or `diff --json`. */
export const filesIn = (json, home) =>
  Object.fromEntries(
    JSON.parse(json).clients.map(({ id, file }) => [id, file.replace(/^~/, () => home)]),
  );

/** The command of a label's entry for an event, in the file that install wrote. */
export function commandIn(file, { id }, native, label) {
  const text = readFileSync(file, 'utf8');
  const found = strings(file.endsWith('.toml') ? parseToml(text) : parseJson(text)).find((one) =>
    one.includes(`/${label}/${id}.${native}.sh`),
  );
  if (found === undefined) throw new Error(`no entry of ${label} for ${native} in ${file}`);
  return found;
}

/** Every string in a value. */
export function strings(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
