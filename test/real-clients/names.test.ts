// The names that each client gives hooks for the tools of servers with odd names. The model finds the tools by their
// descriptions, so we pass it no name.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEMPLATES } from '../../src/system/package-files.ts';
import { expected } from '../clients/expectations.ts';
import { CLIENTS } from './clients.ts';
import { install, instead } from './ours.ts';
import { scratch } from './scratch.ts';

test.each(Object.values(CLIENTS))('$id', async (client) => {
  const place = scratch();
  const recorded = join(place.files, 'recorded');
  mkdirSync(recorded);
  try {
    const rows = expected[client.id].mcpNames;
    const servers = [...new Set(rows.map(([{ server }]) => server))];
    client.prepare(place);
    const mock = (server: string) => {
      const tools = rows.flatMap(([one]) => (one.server === server ? [one.tool] : []));
      const args = [join(TEMPLATES, 'mock-server.cjs'), server, ...tools];
      return { command: process.execPath, args };
    };
    client.addServers(place, Object.fromEntries(servers.map((one) => [one, mock(one)])));
    const hooks = { declarations: [{ event: 'pre_tool_use', command: ['true'] }] };
    await install(place, client, { version: 2, name: 'names', hooks }, '--allow', 'command');
    instead(place, 'names', () => `cat >'${recorded}/'$(date +%s%N)`);
    const steps = rows.map(([{ server, tool }], row) => ({
      described: `: ${tool} of ${server}.`,
      input: { text: `call ${row}!` },
    }));
    await client.run({ ...place, prompts: ['Call them.'], steps: [...steps, { text: 'Done.' }] });
    const payloads = readdirSync(recorded).map((file) =>
      readFileSync(join(recorded, file), 'utf8'),
    );
    const names = rows.map(([call], row) => {
      const given = payloads.find((one) => one.includes(`call ${row}!`));
      return [call, given ? /"tool_?[nN]ame":\s*"([^"]*)"/.exec(given)?.[1] : null];
    });
    expect(names).toEqual(rows);
  } finally {
    place.remove();
  }
});
