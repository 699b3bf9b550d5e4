// `codex app-server` (0.169.0): JSON-RPC by lines over stdio, without the `jsonrpc` field. It is
// what the terminal interface and the editors speak to.
import type { Writable } from 'node:stream';
import { installed } from './client.ts';
import { at, type Json, type JsonObject, list, parse, str } from './json.ts';
import { type ProcessOptions, type ProcessResult, runNode } from './process.ts';

export const CODEX = installed('@openai/codex/bin/codex.js');

interface Pending {
  resolve(result: Json | undefined): void;
  reject(error: Error): void;
}

/** One connection: requests of ours, and waiting for the server's notifications. */
export class AppServer {
  readonly #stdin: Writable;
  readonly #requests = new Map<number, Pending>();
  readonly #notified: { method: string; params: Json }[] = [];
  #wake = (): void => {};

  constructor(stdin: Writable) {
    this.#stdin = stdin;
  }

  ask(method: string, params: JsonObject): Promise<Json | undefined> {
    const id = this.#requests.size + 1;
    return new Promise((resolve, reject) => {
      this.#requests.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  tell(method: string): void {
    this.#send({ method });
  }

  /** Waits for a notification; all that come before it are dropped. */
  async notification(method: string, accept: (params: Json) => boolean): Promise<void> {
    for (;;) {
      const next = this.#notified.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (next.method === method && accept(next.params)) {
        return;
      }
    }
  }

  receive(message: Json): void {
    const id = at(message, 'id');
    const method = at(message, 'method');
    if (typeof method === 'string') {
      if (id !== undefined) {
        // A question to the user, for example for approval: nobody is there.
        this.#send({ id, error: { code: -32601, message: 'The tests answer no questions' } });
      }
      this.#notified.push({ method, params: at(message, 'params') ?? null });
      this.#wake();
      return;
    }
    const request = typeof id === 'number' ? this.#requests.get(id) : undefined;
    const error = at(message, 'error');
    if (error === undefined) {
      request?.resolve(at(message, 'result'));
    } else {
      request?.reject(new Error(`codex app-server: ${JSON.stringify(error)}`));
    }
  }

  #send(message: JsonObject): void {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/** Runs `use` against an app-server, which is ended (end of stdin) and waited for afterwards. */
export async function withAppServer<T>(
  options: Pick<ProcessOptions, 'cwd' | 'env' | 'deadline'> & { args?: string[] },
  use: (server: AppServer) => Promise<T>,
): Promise<{ value: T; result: ProcessResult }> {
  const { cwd, env, deadline, args = [] } = options;
  let started: { server: AppServer; stdin: Writable } | undefined;
  const ended = runNode(CODEX, ['app-server', ...args], {
    cwd,
    env,
    deadline,
    onStart: (stdin) => {
      started = { server: new AppServer(stdin), stdin };
    },
    onLine: (line) => started?.server.receive(parse(line)),
  });
  if (started === undefined) {
    throw new Error('codex app-server was not started');
  }
  const { server, stdin } = started;
  const early = ended.then(({ stderr }): never => {
    throw new Error(`codex app-server ended early. ${stderr.slice(-2000)}`);
  });
  const work = async (): Promise<T> => {
    await server.ask('initialize', { clientInfo: { name: 'mcp-hooks-tests', version: '0.0.0' } });
    server.tell('initialized');
    return use(server);
  };
  let value: T;
  try {
    value = await Promise.race([work(), early]);
  } finally {
    stdin.end();
    // The race is over; the normal end is no longer early.
    early.catch(() => {});
  }
  return { value, result: await ended };
}

export interface CodexHook {
  /** `<source path>:<event>:<group>:<handler>`, the name under which trust is stored. */
  key: string;
  eventName: string;
  command: string;
  currentHash: string;
  trustStatus: string;
  enabled: boolean;
}

/** The hooks that Codex sees in the project, trusted or not. */
export async function listHooks(home: string, project: string): Promise<CodexHook[]> {
  const { value } = await withAppServer(quietly(home, project), (server) => hooks(server, project));
  return value;
}

/**
 * Trusts every hook that Codex sees in the project, by the requests that its terminal interface
 * makes for "Trust all and continue". 0.169.0 has no subcommand for it, and skips an untrusted
 * hook without a word.
 */
export async function trustHooks(
  home: string,
  project: string,
): Promise<{ before: CodexHook[]; after: CodexHook[] }> {
  const { value } = await withAppServer(quietly(home, project), (server) => trust(server, project));
  return value;
}

/** The same in a Codex that runs already. */
export async function trust(
  server: AppServer,
  project: string,
): Promise<{ before: CodexHook[]; after: CodexHook[] }> {
  const before = await hooks(server, project);
  const grants = before.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
  const value = Object.fromEntries(grants) as JsonObject;
  await server.ask('config/batchWrite', {
    edits: [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value }],
    reloadUserConfig: true,
  });
  return { before, after: await hooks(server, project) };
}

async function hooks(server: AppServer, project: string): Promise<CodexHook[]> {
  const result = await server.ask('hooks/list', { cwds: [project] });
  return list(at(result, 'data'))
    .flatMap((folder) => list(at(folder, 'hooks')))
    .map((hook) => ({
      key: str(at(hook, 'key')),
      eventName: str(at(hook, 'eventName')),
      command: str(at(hook, 'command')),
      currentHash: str(at(hook, 'currentHash')),
      trustStatus: str(at(hook, 'trustStatus')),
      enabled: at(hook, 'enabled') === true,
    }));
}

/** What Codex makes of its files at this moment: it reads them anew for every request. */
export interface Reading {
  /** As `hooks/list` gives them; without their order on the screen, which every new hook changes. */
  hooks: JsonObject[];
  /** Its warnings and errors about hooks and about the files that they are in. */
  said: Json[];
  /** The values of the user's config.toml, also those that mean nothing to it; absent if it refuses the file. */
  config?: Json;
}

export async function reading(server: AppServer, project: string): Promise<Reading> {
  const folders = list(at(await server.ask('hooks/list', { cwds: [project] }), 'data'));
  const all = (key: string) => folders.flatMap((folder) => list(at(folder, key)));
  const hooks = all('hooks').map((hook) => {
    const { displayOrder: _, ...rest } = hook as JsonObject;
    return rest;
  });
  const said = [...all('warnings'), ...all('errors')];
  if (all('errors').length > 0) return { hooks, said };
  const layers = await server.ask('config/read', { cwd: project, includeLayers: true });
  const user = list(at(layers, 'layers')).find((layer) => at(layer, 'name', 'type') === 'user');
  return { hooks, said, config: at(user, 'config') ?? null };
}

/** What a server said about files below `folder` without being asked, which it does at its start. */
export function warnings({ stdout, stderr }: ProcessResult, folder: string): string[] {
  const notified = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parse)
    .filter((message) => at(message, 'method') === 'configWarning')
    .map((message) => JSON.stringify(at(message, 'params')));
  const logged = stderr
    .split('\n')
    // A home below the system's folder for temporary files is no matter of what is in it.
    .filter((line) => !/temporary dir/.test(line))
    // From the path on: in front of it is the time.
    .map((line) => line.slice(Math.max(0, line.indexOf(folder))));
  return [...notified, ...logged].filter((text) => text.includes(folder));
}

/** No model is asked; a proxy that is not there keeps Codex from the internet. */
export function quietly(home: string, project: string): Pick<ProcessOptions, 'cwd' | 'env'> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' };
  return { cwd: project, env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:9' } };
}
