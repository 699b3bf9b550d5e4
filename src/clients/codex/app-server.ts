// `codex app-server` (0.169.0): line-based JSON-RPC over stdio, without the `jsonrpc` field. The terminal interface and the
// editors use it.
import type { Writable } from 'node:stream';
import type { Executable, ProcessOptions, ProcessResult } from '../../system/child.ts';
import { run } from '../../system/child.ts';
import { getPath, type Json, type JsonObject, list, parse, str } from '../../system/json.ts';
import { inLine } from '../../system/visible.ts';
import type { Unanswered } from '../trust.ts';

/** Milliseconds after which a Codex without an answer is killed. */
export const DEADLINE = 20_000;

/** As a proxy, this keeps Codex off the internet: there is no server on that port of this machine. */
export const DEAD_PROXY_URL = 'http://127.0.0.1:9';

export class Unusable extends Error {
  readonly problem: Unanswered;
  readonly said: string;

  constructor(problem: Unanswered, said = '', message = `: ${problem.code}`) {
    super(`codex app-server${message}`);
    this.problem = problem;
    this.said = said;
  }
}

/** JSON-RPC's codes for a missing method: the standard one, and Codex's own. */
const NO_METHOD = -32601;
const INVALID_REQUEST = -32600;

/** The server's refusal. */
function refusal(error: Json, server: AppServer): Unusable {
  const [code, message] = [getPath(error, 'code'), `: ${JSON.stringify(error)}`];
  const isUnknown =
    code === NO_METHOD || (code === INVALID_REQUEST && message.includes('unknown variant'));
  return isUnknown
    ? server.tooOld(message)
    : new Unusable({ code: 'ask-refused' }, `codex app-server${message}`, message);
}

interface Pending {
  resolve(result: Json | undefined): void;
  reject(error: Error): void;
}

/** One connection, with our requests and the server's notifications. */
export class AppServer {
  readonly #stdin: Writable;
  readonly #requests = new Map<number, Pending>();
  readonly #notified: { method: string; params: Json }[] = [];
  #wake = (): void => {};
  version?: string;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
  }

  tooOld(message?: string): Unusable {
    const version = this.version !== undefined && { version: this.version };
    return new Unusable({ code: 'ask-too-old', ...version }, '', message);
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

  /** Records trust in the current form of hooks, as Codex's own interface does. */
  async trust(hooks: readonly CodexHook[]): Promise<void> {
    const value = Object.fromEntries(
      hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
    );
    await this.ask('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value }],
      reloadUserConfig: true,
    });
  }

  /** Waits for a notification, and drops all others before it. */
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
    const id = getPath(message, 'id');
    const method = getPath(message, 'method');
    if (typeof method === 'string') {
      if (id !== undefined) {
        // A question to the user, for example for approval. There is no user.
        this.#send({ id, error: { code: NO_METHOD, message: 'No user is there to answer' } });
      }
      this.#notified.push({ method, params: getPath(message, 'params') ?? null });
      this.#wake();
      return;
    }
    const request = typeof id === 'number' ? this.#requests.get(id) : undefined;
    const error = getPath(message, 'error');
    if (error === undefined) {
      request?.resolve(getPath(message, 'result'));
    } else {
      request?.reject(refusal(error, this));
    }
  }

  #send(message: JsonObject): void {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/** Runs `use` against an app-server, then ends it by closing its stdin, and waits for its exit. */
export async function withAppServer<T>(
  options: Pick<ProcessOptions, 'cwd' | 'env' | 'deadline'> & {
    launch: Executable;
    args?: string[];
  },
  use: (server: AppServer) => Promise<T>,
): Promise<{ value: T; result: ProcessResult }> {
  const { launch, cwd, env, deadline, args = [] } = options;
  let started: { server: AppServer; stdin: Writable } | undefined;
  const ended = run(launch, ['app-server', ...args], {
    cwd,
    env,
    deadline,
    onStart: (stdin) => {
      started = { server: new AppServer(stdin), stdin };
    },
    onLine: (line) => started?.server.receive(message(line)),
  });
  if (started === undefined) throw new Error('codex app-server was not started');
  const { server, stdin } = started;
  const early = ended.then(({ exitCode, stderr }): never => {
    const message = ` ended early. ${stderr.slice(-2000)}`;
    throw new Unusable({ code: 'ask-ended-early', exitCode }, stderr, message);
  });
  const work = async (): Promise<T> => {
    const clientInfo = { name: 'mcp-hooks', version: '0.0.0' };
    const agent = str(getPath(await server.ask('initialize', { clientInfo }), 'userAgent'));
    const [, version] = /^[^/]*\/(\d+\.\d+\.\S+)/.exec(agent) ?? [];
    if (version !== undefined) server.version = inLine(version, 40);
    server.tell('initialized');
    return use(server);
  };
  let value: T;
  try {
    value = await Promise.race([work(), early]);
  } finally {
    stdin.end();
    // `use` has finished, so an exit is no longer premature.
    early.catch(() => {});
  }
  return { value, result: await ended };
}

function message(line: string): Json {
  try {
    return parse(line);
  } catch {
    throw new Unusable({ code: 'ask-not-json' }, line, ` wrote what is not JSON: ${line}`);
  }
}

export interface CodexHook {
  /** `<source path>:<event>:<group>:<handler>`, the key under which trust is stored. */
  key: string;
  eventName: string;
  command: string;
  currentHash: string;
  trustStatus: string;
  enabled: boolean;
}

/** The hooks that Codex finds in a folder, trusted or not. */
export async function hooksIn(server: AppServer, cwd: string): Promise<CodexHook[]> {
  const result = await server.ask('hooks/list', { cwds: [cwd] });
  return list(getPath(result, 'data'))
    .flatMap((folder) => list(getPath(folder, 'hooks')))
    .map((hook) => ({
      key: str(getPath(hook, 'key')),
      eventName: str(getPath(hook, 'eventName')),
      command: str(getPath(hook, 'command')),
      currentHash: str(getPath(hook, 'currentHash')),
      trustStatus: str(getPath(hook, 'trustStatus')),
      enabled: getPath(hook, 'enabled') === true,
    }));
}
