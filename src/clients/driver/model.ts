// A scripted model on loopback that implements a client's API. A real client can run against it without a network, and a test
// can read the exact bytes that its model would have read.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type Json, parse } from '../../system/json.ts';
import { stringsIn } from '../../system/strings.ts';
import type { Call, ModelApi, ModelRequest, NativeCall, Passage, Reply } from './apis/model-api.ts';
import { HookProcesses } from './hook-processes.ts';
import { type Answers, callsOf, END_OF_SCRIPT, type Script, type Step } from './script.ts';

/** The number of tokens in a request, unless the script says otherwise. */
const TOKENS = 10;

export interface TextOccurrence extends Passage {
  request: number;
  /** The passage's position in its request, to compare with that of the prompt or the tool result. */
  index: number;
}

/** The requests of one conversation, and the two queries that tests need. */
export class Conversation {
  readonly requests: ModelRequest[] = [];
  /** The names under which the client offered the tools that were called by their descriptions. */
  readonly names = new Map<string, string>();

  /** The numbers of the requests whose body contains the needle. */
  requestsWith(needle: string): number[] {
    return this.requests
      .filter(({ body }) => stringsIn(body).some((value) => value.includes(needle)))
      .map(({ number }) => number);
  }

  first(needle: string): TextOccurrence | undefined {
    return this.find(needle)[0];
  }

  /** All passages with the needle, in all requests or in one. */
  find(needle: string, request?: number): TextOccurrence[] {
    return this.requests
      .filter(({ number }) => request === undefined || number === request)
      .flatMap(({ number, passages }) =>
        passages.map((passage, index) => ({ ...passage, index, request: number })),
      )
      .filter(({ text }) => text.includes(needle));
  }
}

const offeredAs = (api: ModelApi, described: string, body: Json): string | undefined =>
  api.offered(body).find(({ description }) => description.includes(described))?.name;

export class Model {
  readonly conversation = new Conversation();
  /** Titles, routing, summaries, token counts: we answer them, but not from the script. */
  readonly side: { path: string; body: Json }[] = [];
  /** Hosts that a client wanted to reach and that we refused. Only known if it uses `proxy` for https. */
  readonly refused: string[] = [];
  readonly #server: Server;
  readonly #api: ModelApi | undefined;
  readonly #aside: string;
  /** Undefined: the client itself waits for its hooks. */
  readonly hookProcesses: HookProcesses | undefined;
  readonly #searched = new Set<string>();
  /** The remaining steps of the script, and of the subagents' scripts. */
  readonly #scripts: { task: string | undefined; left: Script[number][] }[];

  private constructor(
    api: ModelApi | undefined,
    { steps, subagents = [], aside, unawaited = false }: Answers,
  ) {
    this.#api = api;
    this.hookProcesses = unawaited ? new HookProcesses() : undefined;
    this.#aside = aside ?? '{"title":"scripted"}';
    this.#scripts = subagents.map(({ task, steps }) => ({ task, left: [...steps] }));
    this.#scripts.push({ task: undefined, left: [...steps] });
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: String(error) } }));
      });
    });
    this.#server.on('connect', (request, socket) => {
      this.refused.push(request.url ?? '');
      // The client may have exited by then.
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
  }

  /** @param api The API to implement; undefined: every request just gets some answer. */
  static async start(api: ModelApi | undefined, answers: Answers): Promise<Model> {
    const model = new Model(api, answers);
    await new Promise<void>((resolve, reject) => {
      model.#server.once('error', reject);
      model.#server.listen(0, '127.0.0.1', resolve);
    });
    return model;
  }

  /** `http://127.0.0.1:<port>`, without a path. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get stepsLeft(): number {
    return this.#scripts.reduce((sum, { left }) => sum + left.length, 0);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const raw = await readText(request);
    const api = this.#api;
    if (!api || request.method !== 'POST' || !api.matches(path)) {
      this.side.push({ path: `${request.method} ${path}`, body: raw });
      // Sufficient for count_tokens and countTokens. The clients can do without other answers.
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: 10, totalTokens: 10 }));
      return;
    }
    const body = parse(raw);
    const reply = api.isConversation(body)
      ? await this.#nextReply(api, path, body)
      : this.#sideReply(path, body);
    const answer = api.answer(reply, path, body);
    response.writeHead(200, { 'content-type': answer.contentType });
    response.end(answer.body);
  }

  async #nextReply(api: ModelApi, path: string, body: Json): Promise<Reply> {
    const { requests } = this.conversation;
    const passages = api.passages(body);
    const asked = passages.filter(({ role, kind }) => role === 'user' && kind === 'text');
    const script = this.#scripts.find(({ task }) => {
      return task === undefined || asked.some(({ text }) => text.includes(task));
    });
    const number = requests.length + 1;
    const request: ModelRequest = { number, path, body, passages, task: script?.task };
    requests.push(request);
    const { step, calls } = this.#nextStep(api, script?.left ?? [], request);
    await step.after?.();
    const said = 'text' in step ? step.text : undefined;
    if (said !== undefined) await this.hookProcesses?.ended();
    this.hookProcesses?.begin();
    const ids = calls.map((call, index) => ({ ...call, id: `call_${number}_${index + 1}` }));
    return { id: `reply_${number}`, text: said, calls: ids, tokens: step.tokens ?? TOKENS };
  }

  /** The next step for which the client offers the tools, or the search for one of them. */
  #nextStep(api: ModelApi, left: Script[number][], request: ModelRequest) {
    for (;;) {
      const next = left.shift() ?? END_OF_SCRIPT;
      const step = typeof next === 'function' ? next(request) : next;
      const search = this.#searchFor(api, step, request.body);
      if (search) {
        left.unshift(step);
        return { step, calls: [search] };
      }
      const calls = callsOf(step).flatMap((call) => this.#native(api, call, request.body) ?? []);
      if ('text' in step || calls.length > 0) return { step, calls };
    }
  }

  /** The call with which a model searches for a tool that this step needs and that is not offered yet; one for each tool. */
  #searchFor(api: ModelApi, step: Step, body: Json): NativeCall | undefined {
    for (const call of callsOf(step)) {
      if (!('described' in call) || !api.search || this.#searched.has(call.described)) continue;
      if (offeredAs(api, call.described, body) !== undefined) continue;
      this.#searched.add(call.described);
      return api.search(call.described);
    }
    return undefined;
  }

  /** Undefined if the tool is not offered. */
  #native(api: ModelApi, call: Call, body: Json): NativeCall | undefined {
    if ('call' in call) return call.call;
    if ('shell' in call) return api.shell(call.shell, body);
    const { described, input } = call;
    const name = offeredAs(api, described, body);
    if (name === undefined) return undefined;
    this.conversation.names.set(described, name);
    return { name, input };
  }

  #sideReply(path: string, body: Json): Reply {
    this.side.push({ path, body });
    return { id: `side_${this.side.length}`, text: this.#aside, calls: [], tokens: TOKENS };
  }
}
