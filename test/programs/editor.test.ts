// What an author sees while editing a manifest: runs VS Code's own JSON language server, through its protocol.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MANIFEST_SCHEMA } from '../../src/system/package-files.ts';
import { test } from '../support/world.ts';

const PROGRAM = createRequire(import.meta.url).resolve(
  'vscode-langservers-extracted/bin/vscode-json-language-server',
);

interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly Diagnostic[] };
  readonly result?: unknown;
}

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** A language server, and the requests of an editor. */
class Editor {
  readonly #server: ChildProcess;
  readonly #waiting: ((message: Incoming) => boolean)[] = [];
  #id = 0;

  constructor(folder: string) {
    this.#server = spawn(process.execPath, [PROGRAM, '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let rest = Buffer.alloc(0);
    this.#server.stdout?.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = rest.indexOf('\r\n\r\n');
        const [, length] =
          /Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(head, 0)).toString()) ?? [];
        const end = head + 4 + Number(length);
        if (head < 0 || length === undefined || rest.length < end) return;
        this.#receive(JSON.parse(rest.subarray(head + 4, end).toString()));
        rest = rest.subarray(end);
      }
    });
  }

  #receive(message: Incoming): void {
    if (message.id !== undefined && message.method !== undefined)
      this.#send({ id: message.id, result: null }); // this editor has none of the settings that it asks for
    const index = this.#waiting.findIndex((isMeant) => isMeant(message));
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #when(isMeant: (message: Incoming) => boolean): Promise<Incoming> {
    return new Promise((resolve) => {
      this.#waiting.push((message) => {
        if (!isMeant(message)) return false;
        resolve(message);
        return true;
      });
    });
  }

  tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  async ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    const answer = this.#when((message) => message.id === id && message.method === undefined);
    this.#send({ id, method, params });
    return (await answer).result;
  }

  /** Opens a text, with `|` at the cursor. Returns the first diagnostics and the position. */
  async open(uri: string, marked: string) {
    const text = marked.replace('|', '');
    const before = marked.slice(0, Math.max(0, marked.indexOf('|'))).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const told = this.#when(
      ({ method, params }) => method === 'textDocument/publishDiagnostics' && params?.uri === uri,
    );
    this.tell('textDocument/didOpen', {
      textDocument: { uri, languageId: 'json', version: 1, text },
    });
    const { params } = await told;
    return { diagnostics: params?.diagnostics ?? [], at: { textDocument: { uri }, position } };
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    await this.ask('shutdown', {});
    this.tell('exit', {});
    await ended;
  }
}

test('an editor completes, explains and checks a manifest that names the schema', async ({
  world,
  expect,
}) => {
  const folder = join(world.work, 'my notes');
  const schema = join(folder, 'node_modules', 'mcp-hooks', 'schema', 'manifest.json');
  mkdirSync(join(schema, '..'), { recursive: true });
  cpSync(MANIFEST_SCHEMA, schema);
  writeFileSync(join(folder, 'package.json'), '{}');
  const root = pathToFileURL(folder).href;
  const named = '{\n"$schema": "./node_modules/mcp-hooks/schema/manifest.json",\n';

  const editor = new Editor(folder);
  await editor.ask('initialize', {
    processId: process.pid,
    rootUri: root,
    workspaceFolders: [{ uri: root, name: 'notes' }],
    capabilities: {
      textDocument: {
        completion: { completionItem: { documentationFormat: ['markdown', 'plaintext'] } },
        hover: { contentFormat: ['plaintext'] },
      },
    },
    initializationOptions: { provideFormatter: false, handledSchemaProtocols: ['file'] },
  });
  editor.tell('initialized', {});

  const offered = async (name: string, text: string) => {
    const { at } = await editor.open(`${root}/${name}`, text);
    const { items } = Object(await editor.ask('textDocument/completion', at));
    return (items as { label: string; documentation?: unknown }[]).map(
      ({ label, documentation }) => ({
        label,
        says: typeof documentation === 'string' ? documentation : Object(documentation).value,
      }),
    );
  };
  const events = await offered('a.json', `${named}"hooks": { "declarations": [{ "event": | }] } }`);
  expect(events.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['"session_start"', '"post_tool_use"', '"post_request"']),
  );
  expect(events.map(({ label }) => label)).not.toContain('"pre_compact"');
  expect(events.find(({ label }) => label === '"post_tool_use"')?.says).toBe('After a tool call.');

  const later = await offered(
    'b.json',
    `${named}"version": 2, "hooks": { "declarations": [{ "event": | }] } }`,
  );
  expect(later.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['"session_start"', '"pre_compact"', '"PreCompact"']),
  );
  const keys = await offered(
    'c.json',
    `${named}"hooks": { "declarations": [{ "event": "post_tool_use", | }] } }`,
  );
  expect(keys.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['matcher', 'context', 'context_tool', 'priority']),
  );
  expect(keys.map(({ label }) => label)).not.toContain('block');
  expect(keys.find(({ label }) => label === 'context')?.says).toMatch(/^The text for the model\./);

  const { at } = await editor.open(
    `${root}/d.json`,
    `${named}"hooks": { "declarations": [{ "event": "session_start", "context": "x", "prio|rity": "suggestion" }] } }`,
  );
  const hover = JSON.stringify(await editor.ask('textDocument/hover', at));
  expect(hover).toContain('How much the text matters');

  const said = async (name: string, hook: string, more = '') => {
    const text = `${named}${more}"hooks": { "declarations": [\n${hook}\n] } }`;
    return (await editor.open(`${root}/${name}`, text)).diagnostics.map(
      ({ message, range: { start } }) => `${start.line + 1}:${start.character + 1} ${message}`,
    );
  };
  const right = '{ "event": "session_start", "context": "x", "priority": "suggestion" }';
  expect(await said('e.json', right)).toEqual([]);
  expect(await said('f.json', right.replace('session_start', 'sesion_start'))).toEqual([
    expect.stringMatching(/^4:12 Value is not accepted. Valid values: "session_start"/),
  ]);
  expect(await said('g.json', right.replace('context', 'contxt'))).toEqual(
    expect.arrayContaining([expect.stringContaining('Property contxt is not allowed.')]),
  );
  expect(await said('h.json', right.replace('}', ', "block": "no" }'))).toEqual([
    '4:72 Property block is not allowed.',
  ]);
  expect(
    await said('i.json', '{ "event": "pre_compact", "block": "no" }', '"version": 2, '),
  ).toEqual([]);
  await editor.close();
});
