// A bare JSON client: it sends the messages of a test, and returns the answers on the wire.
import { createInterface } from 'node:readline';
import { execa } from 'execa';

export type Message = Readonly<Record<string, unknown>>;

/** Sends requests and notifications in turn, and returns the last result. */
export type Exchange = (messages: readonly Message[]) => Promise<unknown>;

/** A server on stdio. Each exchange has a process of its own, which is killed afterwards. */
export const overStdio =
  (args: readonly string[]): Exchange =>
  async (messages) => {
    const server = execa(process.execPath, args, { reject: false, buffer: false });
    try {
      const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
      let reply: unknown;
      for (const message of messages) {
        server.stdin.write(`${JSON.stringify(message)}\n`);
        while (message.id !== undefined) {
          const { value, done } = await lines.next();
          if (done) throw new Error(`it ended before it answered ${JSON.stringify(message)}`);
          const said = parse(value);
          if (said?.id !== message.id) continue; // a log, a notification
          reply = result(said);
          break;
        }
      }
      return reply;
    } finally {
      server.kill('SIGKILL');
      await server;
    }
  };

/** A server at an address, which answers in JSON or in a stream of one event. A session that it opens is kept. */
export const overHttp =
  (url: string): Exchange =>
  async (messages) => {
    let reply: unknown;
    let session: Record<string, string> = {};
    for (const message of messages) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headersOf(message),
          ...session,
        },
        body: JSON.stringify(message),
      });
      const id = response.headers.get('mcp-session-id');
      if (id) session = { 'mcp-session-id': id };
      const text = await response.text();
      if (message.id === undefined) continue;
      const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
      const said = parse(data);
      if (!said) throw new Error(`HTTP ${response.status}: ${text}`);
      reply = result(said);
    }
    return reply;
  };

/** The modern era repeats parts of the body in headers. */
function headersOf({ method, params }: Message): Record<string, string> {
  const { _meta, name } = (params ?? {}) as { _meta?: Record<string, string>; name?: string };
  const version = _meta?.['io.modelcontextprotocol/protocolVersion'];
  if (version === undefined) return {};
  return {
    'mcp-protocol-version': version,
    'mcp-method': String(method),
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

function parse(text: string): { id?: unknown; result?: unknown; error?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function result(said: { result?: unknown; error?: unknown }): unknown {
  if (said.error !== undefined) throw new Error(JSON.stringify(said.error));
  return said.result;
}
