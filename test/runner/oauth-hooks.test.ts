// Hooks whose tools belong to a server that requires a sign-in: in each client, they use the stored token, or show nothing.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codex } from '../../src/clients/codex/client.ts';
import { type Places, tokensFolder } from '../../src/clients/places.ts';
import { copyHooks, placesIn } from '../../src/diagnose/live/copy.ts';
import { tokensFile } from '../../src/sources/oauth/address.ts';
import { readSignIn, type SignIn, saveSignIn, tokenStore } from '../../src/sources/oauth/tokens.ts';
import { disk } from '../../src/system/disk.ts';
import { runnerCode } from '../../src/system/runner-code.ts';
import { reasonsIn } from '../support/reasons.ts';
import { all, eachAsync, IDS } from '../support/runner/clients.ts';
import { bodies, filesIn, install, scratch, type World } from '../support/runner/world.ts';
import { type OAuthOptions, type OAuthServer, oauthServer } from '../support/servers/oauth.ts';

const SAID = ['You know who.'];

interface Scene extends OAuthServer {
  readonly world: World;
  readonly kept: () => SignIn | undefined;
  /** The reasons in the log why nothing was shown. */
  readonly reasons: () => string[];
}

/** A hook that calls a tool of such a server with each prompt. */
async function scene(
  options: OAuthOptions = {},
  change: (kept: SignIn) => SignIn | undefined = (kept) => kept,
  { whole, ...more }: { readonly headers?: Record<string, string>; readonly whole?: true } = {},
): Promise<Scene> {
  const server = await oauthServer(options);
  const world = install({
    hooks: [{ event: 'pre_request', context_tool: 'recall' }],
    server: { url: server.address, ...more },
    ...(whole && { whole }),
  });
  const kept = change(server.grant());
  if (kept) await saveSignIn(world.state, kept);
  const log = join(world.state, 'log/annal.jsonl');
  return {
    ...server,
    world,
    kept: () => readSignIn(world.state, server.address),
    reasons: () => reasonsIn(existsSync(log) ? readFileSync(log, 'utf8') : ''),
  };
}

const ranOut = (kept: SignIn): SignIn => ({ ...kept, tokens: { ...kept.tokens, expiresAt: 1 } });
const shown = ({ world }: Scene) => eachAsync(async (id) => bodies(await world.told(id, 'prompt')));
const shownInCodex = async ({ world }: Scene) => bodies(await world.told('codex', 'prompt'));

/** Checks that the server's secrets are only in the file that stores them. */
function keepsQuiet({ world, secrets }: Scene): void {
  const kept = tokensFolder(world.state);
  for (const [path, text] of Object.entries(filesIn(world.folder)))
    if (!path.startsWith(kept))
      for (const secret of secrets)
        expect({ path, text }).not.toMatchObject({ text: expect.stringContaining(secret) });
}

describe('a stored token', () => {
  test('is used', async () => {
    const here = await scene();
    expect(await shown(here)).toEqual(all(SAID));
    expect(here.asked.filter((one) => one !== 'POST /mcp')).toEqual([]);
    keepsQuiet(here);
  });

  test.for([{}, { secret: true }])('is renewed once after it has expired: %j', async (options) => {
    const here = await scene({ lasts: 3600, ...options }, ranOut);
    const before = here.kept();
    expect(await shown(here)).toEqual(all(SAID));
    expect([here.refreshes(), here.faults]).toEqual([1, []]);
    expect(here.kept()?.tokens.refresh_token).not.toBe(before?.tokens.refresh_token);
    expect(Object.keys(filesIn(tokensFolder(here.world.state)))).toHaveLength(1);
    keepsQuiet(here);
  });

  test('is renewed if the server rejects it', async () => {
    const here = await scene();
    here.revoke();
    expect(await shownInCodex(here)).toEqual(SAID);
    expect([here.refreshes(), here.faults]).toEqual([1, []]);
  });

  test('is renewed completely even if the hook runs out of time, because a refresh token works once', async () => {
    const here = await scene({ lasts: 3600, slow: 1500 }, ranOut, { whole: true });
    writeFileSync(join(here.world.state, 'policy.json'), '{ "toolSeconds": 1 }');
    expect(await shownInCodex(here)).toEqual([]);
    expect(here.reasons()).toEqual(['no answer in time']);
    expect(here.refreshes()).toBe(1);
    expect(await shownInCodex(here)).toEqual(SAID);
    expect([here.refreshes(), here.faults]).toEqual([1, []]);
  });

  test('is renewed by only one of several hooks that fire at the same time', async () => {
    const here = await scene({ lasts: 3600, slow: 200 }, ranOut, { whole: true });
    const told = await Promise.all(Array.from({ length: 6 }, () => shownInCodex(here)));
    expect(told).toEqual(told.map(() => SAID));
    expect([here.refreshes(), here.faults]).toEqual([1, []]);
  });
});

describe('without a valid token the hook shows nothing', () => {
  test('if the user has not signed in', async () => {
    const here = await scene({}, () => undefined);
    expect(await shown(here)).toEqual(all([]));
    expect(here.reasons()).toEqual(IDS.map(() => 'not signed in'));
  });

  test('if it has expired and cannot be renewed', async () => {
    const here = await scene({ once: true }, ranOut);
    expect([await shownInCodex(here), here.reasons()]).toEqual([[], ['not signed in']]);
    expect(here.asked).not.toContain('POST /token');
  });

  test('if its renewal is refused, which is not tried again', async () => {
    const here = await scene({ lasts: 3600 }, ranOut);
    here.revoke({ refresh: true });
    expect(await shownInCodex(here)).toEqual([]);
    expect(here.kept()?.tokens).toEqual({});
    expect(await shownInCodex(here)).toEqual([]);
    expect(here.asked.filter((one) => one === 'POST /token')).toHaveLength(1);
    expect(here.reasons()).toEqual(['not signed in', 'not signed in']);
  });

  test('if the token endpoint does not answer, and the stored tokens stay', async () => {
    const here = await scene({}, (kept) => ({
      ...ranOut(kept),
      tokenEndpoint: 'http://127.0.0.1:9/token',
    }));
    expect([await shownInCodex(here), here.reasons()]).toEqual([[], ['not signed in']]);
    expect(here.kept()?.tokens.refresh_token).toEqual(expect.any(String));
  });

  test('a token is not sent to an unencrypted endpoint', async () => {
    const here = await scene({}, (kept) => ({
      ...ranOut(kept),
      tokenEndpoint: 'http://example.com/',
    }));
    expect([await shownInCodex(here), here.reasons()]).toEqual([[], ['not signed in']]);
  });

  test('a token of another server is not sent, whatever the name of its file', async () => {
    const here = await scene({}, (kept) => ({ ...kept, server: 'https://example.com/mcp' }));
    const other = readSignIn(here.world.state, 'https://example.com/mcp');
    expect(other).toBeDefined();
    renameSync(
      tokensFile(here.world.state, 'https://example.com/mcp'),
      tokensFile(here.world.state, here.address),
    );
    expect([await shownInCodex(here), here.reasons()]).toEqual([[], ['not signed in']]);
  });

  test('if the stored file is invalid', async () => {
    const here = await scene();
    const file = tokensFile(here.world.state, here.address);
    for (const text of ['', '{', 'null', '[]', '{"version":1}']) {
      writeFileSync(file, text);
      expect(await shownInCodex(here)).toEqual([]);
    }
  });
});

test('hooks copied for a trial use the same token file, because a refresh token works once', async () => {
  const here = await scene({ lasts: 3600 }, ranOut);
  const home = scratch('home');
  const { folder, state } = here.world;
  const places: Places = { env: {}, home: folder, state, scope: 'user' };
  const none = { runner: new Map(), written: [] };
  copyHooks({ client: codex, driver: {}, label: 'annal', ...none, places, disk }, home);
  const copied = placesIn(home).state;
  const server = here.address;
  const token = await tokenStore().bearer(tokensFile(copied, server), server, {
    until: Date.now() + 5000,
    post: runnerCode('./http.cjs').postForm,
  });
  expect([here.kept()?.tokens.access_token, here.refreshes()]).toEqual([token, 1]);
  rmSync(home, { recursive: true });
  expect(here.kept()?.tokens.access_token).toBe(token);
});

test("an Authorization header of the user's takes precedence over a stored token", async () => {
  const here = await scene({}, (kept) => kept, { headers: { Authorization: 'Bearer mine' } });
  expect([await shownInCodex(here), here.reasons()]).toEqual([[], ['HTTP 401']]);
  expect(here.world.compiled.codex.program.server).not.toHaveProperty('tokens');
});
