// Asks the real Codex whether it starts with a copy of a configuration. Nothing else is written.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { startup } from '../../src/clients/codex/startup.ts';
import { unread } from '../../src/clients/health/reading.ts';
import type { Places } from '../../src/clients/places.ts';
import { ANYTHING } from '../../src/edit/edit.ts';
import { toml } from '../../src/edit/toml.ts';
import { LAUNCH } from './clients.ts';
import { scratch } from './scratch.ts';

/** Configurations, by whether Codex starts with them and whether our own checks know this. */
const CASES = {
  'it starts': [
    'approval_policy = "never"\n',
    'model_instructions_file = "AGENTS.md"\n',
    '[[hooks.Stop]]\nhooks = [{ type = "command", command = "x", timeout = 0 }]\n',
  ],
  'only Codex knows that it does not start': [
    'profile = "quick"\n',
    'model_provider = "nobody"\n',
    '[model_providers.ollama]\nname = "x"\nbase_url = "http://x"\n',
    '[mcp_servers.x]\n',
    'model_instructions_file = "missing.md"\n',
  ],
  'it does not start, as we know': [
    'sandbox_mode = "nope"\n',
    'notify = { a = 1 }\n',
    'model = 5\n',
    '[[hooks.Stop]]\nhooks = [{ type = "command" }]\n',
    '[[hooks.Stop]]\nhooks = [{ type = "command", command = "x", async = "x" }]\n',
    '[[hooks.Stop]]\nhooks = [{ type = "command", command = "x", timeout = 1.5 }]\n',
    '[[hooks.Stop]]\nhooks = [{ type = "mcp_tool", server = "x" }]\n',
    '[[hooks.Stop]]\nmatcher = 5\nhooks = []\n',
  ],
};
const ALL = Object.entries(CASES).flatMap(([what, configs]) =>
  // An unknown setting makes us ask Codex, which accepts it.
  configs.map((config) => ({ what, config: `unknown = 1\n${config}` })),
);

test.each(ALL)('$what: $config', async ({ what, config }) => {
  const place = scratch();
  try {
    const folder = join(place.home, '.codex');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.toml'), config);
    writeFileSync(join(folder, 'AGENTS.md'), 'Be kind.\n');
    const env = { PATH: process.env.PATH, HOME: place.home, LANG: 'C.UTF-8' };
    const places: Places = {
      env,
      home: place.home,
      state: join(place.home, '.mcp-hooks'),
      scope: 'user',
    };
    const stopped = await startup({
      places,
      cwd: place.project,
      launch: LAUNCH.codex,
    });
    const why = stopped?.why;
    expect(why === undefined).toBe(what === 'it starts');
    expect(why ?? '').not.toContain('mcp-hooks-codex-');
    const document = toml.read(config, ANYTHING);
    const file = { path: join(folder, 'config.toml'), text: config, document };
    expect(unread(codex, file).length > 0).toBe(what === 'it does not start, as we know');
    expect(readdirSync(folder).sort()).toEqual(['AGENTS.md', 'config.toml']);
  } finally {
    place.remove();
  }
});
