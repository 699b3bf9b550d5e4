// Hook entries as users write them by hand, for tests of the harness itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type JsonObject, parse } from '../../src/system/json.ts';
import { expected } from '../clients/expectations.ts';
import { type ClientId, clientOf } from '../support/runner/clients.ts';

export function addHooks(id: ClientId, home: string, events: string[], command: string): void {
  if (id === 'codex') {
    const file = join(home, '.codex', 'config.toml');
    const line = `command = ${JSON.stringify(command)}`;
    const tables = events.map((event) => {
      return `\n[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\n${line}\n`;
    });
    writeFileSync(file, readFileSync(file, 'utf8') + tables.join(''));
    return;
  }
  const own = join(home, expected[id].byHand);
  const { ownHook } = expected[id].real;
  if (ownHook) {
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, ownHook(command));
    return;
  }
  const [{ format, layout }] = clientOf(id).placement.files.user;
  if (format === 'toml' && layout.kind === 'rows') {
    const rows = events.map((event) => {
      const keys = { [layout.eventKey]: event, command };
      const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      return `\n[[${layout.list}]]\n${lines.join('\n')}\n`;
    });
    writeFileSync(own, readFileSync(own, 'utf8') + rows.join(''));
    return;
  }
  if (clientOf(id).entry.shape === 'flat') {
    mkdirSync(dirname(own), { recursive: true });
    const hooks = Object.fromEntries(events.map((event) => [event, [{ command }]]));
    writeFileSync(own, JSON.stringify({ hooks }));
    return;
  }
  const settings = parse(readFileSync(own, 'utf8')) as JsonObject;
  const groups = events.map((event) => [
    event,
    // Gemini CLI runs entries of one name and command only once per event.
    [{ hooks: [{ type: 'command', name: `probe-${event}`, command }] }],
  ]);
  settings.hooks = Object.fromEntries(groups) as JsonObject;
  writeFileSync(own, `${JSON.stringify(settings, null, 2)}\n`);
}
