// Hook entries as a person writes them by hand, for tests of the harness itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientId } from '../../src/clients/registry.ts';
import { type JsonObject, parse } from '../../src/system/json.ts';

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
  if (id === 'copilot-cli') {
    const folder = join(home, '.copilot/hooks');
    mkdirSync(folder, { recursive: true });
    const hooks = Object.fromEntries(events.map((event) => [event, [{ command }]]));
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ hooks }));
    return;
  }
  const folder = id === 'claude-code' ? '.claude' : '.gemini';
  const file = join(home, folder, 'settings.json');
  const settings = parse(readFileSync(file, 'utf8')) as JsonObject;
  const groups = events.map((event) => [
    event,
    // Gemini CLI runs entries of one name and command only once per event.
    [{ hooks: [{ type: 'command', name: `probe-${event}`, command }] }],
  ]);
  settings.hooks = Object.fromEntries(groups) as JsonObject;
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}
