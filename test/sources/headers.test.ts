// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what is typed
// `--header`: a value with variables is stored as it was typed, any other is not stored; none is ever printed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Source } from '../../src/declaration/declared.ts';
import { parseHeader, withHeaders } from '../../src/sources/headers.ts';
import type { Request, ResolvedServer } from '../../src/sources/resolved-server.ts';
import { reasonsIn } from '../support/reasons.ts';
import { all, eachAsync, IDS, MOMENTS, recorded } from '../support/runner/clients.ts';
import { textIn } from '../support/runner/shape.ts';
import { bodies, filesIn, install } from '../support/runner/world.ts';
import { serve, telling } from '../support/servers/addressed.ts';
import { test } from '../support/world.ts';

const url = 'https://example.com/mcp';
const TARGET: ResolvedServer = {
  label: 'shy',
  source: { kind: 'url', url },
  server: { url },
  launch: () => ({ url, headers: {} }),
};
const env = { TOKEN: 'hunter2', EMPTY: '' };

/** The stored headers, and the ones that are sent now. */
function given(lines: readonly string[], known: Request['knownHeaders'] = {}) {
  const headers = lines.flatMap((line) => {
    const parsed = parseHeader(line);
    if ('code' in parsed) throw new Error(parsed.code);
    return parsed;
  });
  const { source, launch } = withHeaders(TARGET, { headers, knownHeaders: known, env });
  return {
    kept: source.kind === 'url' ? source.headers : undefined,
    sent: () => {
      const now = launch?.();
      return now && 'url' in now ? now.headers : undefined;
    },
  };
}

describe('stored headers', () => {
  test.for([
    ['Authorization: Bearer ${TOKEN}', 'Bearer ${TOKEN}', 'Bearer hunter2'],
    ['X-Key: ${TOKEN}', '${TOKEN}', 'hunter2'],
    ['X-Key:${TOKEN}', '${TOKEN}', 'hunter2'],
    ['X-Key: key=${TOKEN}', 'key=${TOKEN}', 'hunter2'],
    ['X-Key: s3cret', null, 's3cret'],
    // A literal value next to a variable may still be a secret.
    ['Cookie: session=s3cret; t=${TOKEN}', null, 'session=s3cret; t=${TOKEN}'],
    ['Authorization: Bearer s3cret', null, 'Bearer s3cret'],
  ] as const)('%s', ([line, kept, sent]) => {
    const [name = ''] = line.split(':');
    const found = given([line]);
    expect(found.kept).toEqual({ [name]: kept });
    expect(found.sent()?.[name]).toContain(sent);
  });

  test('are used again, unless the header is given again', () => {
    const known = { 'X-Key': '${TOKEN}', Accept2: 'a${TOKEN}' };
    expect(given([], known).sent()).toEqual({ 'X-Key': 'hunter2', Accept2: 'ahunter2' });
    const again = given(['x-key: other'], known);
    expect(again.kept).toEqual({ Accept2: 'a${TOKEN}', 'x-key': null });
    expect(again.sent()).toEqual({ Accept2: 'ahunter2', 'x-key': 'other' });
  });

  test('do not include a literal value, which has to be given again', () => {
    expect(() => given([], { 'X-Key': null })).toThrow('header-again');
    expect(given(['X-Key: ${TOKEN}'], { 'X-Key': null }).kept).toEqual({ 'X-Key': '${TOKEN}' });
  });

  test('report a variable that is not set when it is needed', () => {
    for (const name of ['EMPTY', 'NONE'])
      expect(given([`X-Key: \${${name}}`]).sent).toThrow('header-unset');
  });

  test('do not quote the value of a variable that cannot be in a header', () => {
    for (const TOKEN of ['hunter2\r\nX-Other: 1', 'hünter2']) {
      const { launch } = withHeaders(TARGET, {
        headers: [{ name: 'X-Key', value: '${TOKEN}' }],
        env: { TOKEN },
      });
      const problem = { code: 'header-unfit', name: 'X-Key', variable: 'TOKEN' };
      expect(launch).toThrow(expect.objectContaining({ problem }));
    }
  });
});

describe('a header is refused', () => {
  test.for([
    'no colon',
    ': no name',
    'X-Key:',
    'X-Key: ',
    'X Key: hunter2',
    'X-Key: hunter2\nX-Other: hunter2',
    'X-Key: hünter2',
    'Content-Type: hunter2',
    'Mcp-Session-Id: hunter2',
    'host: hunter2',
  ])('%j', async (line, { world }) => {
    const words = ['diff', 'annal.json', '--client', 'claude', '--header', line];
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await world.run([...words, ...more]);
      expect([code, `${out}${err}`]).toEqual([2, expect.stringMatching(/header/)]);
      expect(out + err).not.toMatch(/h[uü]nter2/);
    }
  });

  test('for a server that is not at an address', async ({ world }) => {
    const hooks = [{ event: 'pre_request', context: 'Hello.', priority: 'important' }];
    await world.write('annal.json', JSON.stringify({ declarations: hooks }));
    const header = ['--header', 'X-Key: hunter2', '--client', 'claude'];
    for (const words of [
      ['diff', 'annal.json', ...header],
      ['install', '--yes', 'annal.json', ...header],
      ['diff', '--name', 'annal', ...header, '--', 'true'],
    ]) {
      const { code, out, err } = await world.run(words);
      expect([code, out, err]).toEqual([
        2,
        '',
        expect.stringContaining('--header is for a server at'),
      ]);
      expect(err).not.toContain('hunter2');
    }
  });
});

describe('a hook that calls a tool', () => {
  const world = (address: string, headers: Extract<Source, { kind: 'url' }>['headers'] = {}) =>
    install({
      hooks: [{ event: 'pre_request', context_tool: 'recall' }],
      server: { url: address },
      source: { kind: 'url', url: address, headers },
    });

  const told = async (here: ReturnType<typeof world>, TOKEN?: string) =>
    eachAsync(async (id) => {
      const { event, file } = MOMENTS.prompt[id];
      const payload = recorded(id, file, { cwd: here.cwd });
      const env = { PATH: process.env.PATH ?? '', HOME: here.folder, ...(TOKEN && { TOKEN }) };
      return bodies(textIn(id, event, await here.fire(id, event, payload, { env })));
    });

  test('sends the current values of variables', async () => {
    const { url: address, sent } = await serve(telling('Recalled.'));
    const here = world(address, { Authorization: 'Bearer ${TOKEN}' });
    expect(await told(here, 'hunter2')).toEqual(all(['Recalled.']));
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer hunter2']),
    );
    expect(JSON.stringify(filesIn(here.folder))).not.toContain('hunter2');
    // With a header for authorization, the program has no token file.
    expect(here.compiled.codex.program.server).not.toHaveProperty('tokens');
  });

  test('shows nothing and asks no server if a variable is not set', async () => {
    const { url: address, sent } = await serve(telling('Recalled.'));
    const here = world(address, { Authorization: 'Bearer ${TOKEN}' });
    expect([await told(here), sent]).toEqual([all([]), []]);
    const log = readFileSync(join(here.state, 'log/annal.jsonl'), 'utf8');
    expect(reasonsIn(log)).toEqual(IDS.map(() => 'TOKEN is not set'));
  });

  test('asks no server if a value was not stored, and the plan says so', async () => {
    const { url: address, sent } = await serve(telling('Recalled.'));
    const here = world(address, { 'X-Key': null });
    expect([await told(here), sent]).toEqual([all([]), []]);
    for (const { hooks } of Object.values(here.compiled))
      expect(hooks[0]?.notes).toContainEqual({ code: 'tools-not-called', names: ['X-Key'] });
  });
});
