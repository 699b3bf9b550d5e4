/** A server on loopback that answers each request as the test says, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening, stopped } from './listening.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Identifies the connection. */
  readonly port: number | undefined;
  /** The message in its body, if the body is one. */
  readonly message: Message | undefined;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Addressed {
  readonly url: string;
  readonly sent: Sent[];
  /** Its requests in order: the HTTP method, and the method of the message. */
  readonly asked: () => string[];
  readonly stop: () => Promise<void>;
}

export type Answering = (sent: Sent, response: ServerResponse) => void;

/** Stops after the test. */
export async function serve(answer: Answering, path = '/mcp'): Promise<Addressed> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const isMessage = body.startsWith('{');
    const one = {
      method,
      path: url,
      headers,
      body,
      port: request.socket.remotePort,
      message: isMessage ? JSON.parse(body) : undefined,
    };
    sent.push(one);
    answer(one, response);
  });
  return {
    url: `${await listening(server)}${path}`,
    sent,
    stop: () => stopped(server),
    asked: () => sent.map(({ method, message }) => [method, message?.method].join(' ').trim()),
  };
}

export const json = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

/** A stream of events that stays open until it is ended. */
export const events = (
  response: ServerResponse,
  headers: Record<string, string> = {},
): ((data: unknown, event?: string) => void) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  return (data, event = 'message') => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`event: ${event}\ndata: ${text}\n\n`);
  };
};

/** A server whose tools return a text. */
export const telling =
  (text: string): Answering =>
  ({ message: { id, method } = {} }, response) => {
    if (id === undefined) return void response.writeHead(202).end();
    const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} };
    const result = method === 'initialize' ? hello : { content: [{ type: 'text', text }] };
    json(response, { jsonrpc: '2.0', id, result });
  };

const SESSION = { 'mcp-session-id': 'session-7' };
const refusal = (id: unknown, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
});

/** Streamable HTTP of before 2026, as JSON or as a stream of events. */
export const legacy =
  (capabilities: unknown, { stream = false } = {}): Answering =>
  ({ method, headers, message }, response) => {
    if (method === 'DELETE') return void response.writeHead(200).end();
    if (method === 'GET') return void response.writeHead(405).end();
    if (message?.method === 'initialize') {
      const result = { protocolVersion: '2025-06-18', capabilities, serverInfo: {} };
      const body = { jsonrpc: '2.0', id: message.id, result };
      if (!stream) return json(response, body, 200, SESSION);
      const write = events(response, SESSION);
      write({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      write(body);
      return void response.end();
    }
    if (headers['mcp-session-id'] !== 'session-7') return void response.writeHead(400).end();
    if (message?.method?.startsWith('notifications/')) return void response.writeHead(202).end();
    if (message?.method === undefined) return void response.writeHead(202).end();
    return json(response, refusal(message.id, -32601, 'Method not found'));
  };

/** Only Streamable HTTP of 2026-07-28, as strict with headers as the specification. */
export const modern =
  (capabilities: unknown): Answering =>
  ({ method, headers, message }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end();
    const meta = message?.params?._meta;
    const version =
      typeof meta === 'object' && meta !== null
        ? Reflect.get(meta, 'io.modelcontextprotocol/protocolVersion')
        : undefined;
    if (version !== '2026-07-28') {
      const data = { supported: ['2026-07-28'] };
      return json(response, refusal(message?.id, -32022, 'Unsupported version', data), 400);
    }
    if (headers['mcp-protocol-version'] !== version || headers['mcp-method'] !== message?.method)
      return json(response, refusal(message?.id, -32020, 'Header mismatch'), 400);
    if (message?.method !== 'server/discover')
      return json(response, refusal(message?.id, -32601, 'Method not found'), 404);
    const result = { resultType: 'complete', supportedVersions: [version], capabilities };
    return json(response, { jsonrpc: '2.0', id: message.id, result });
  };

/** HTTP+SSE of 2024-11-05: answers to a POST come in the stream. */
export function withEvents(capabilities: unknown, { hangs = false } = {}): Answering {
  let write: ReturnType<typeof events> | undefined;
  return ({ method, path, message }, response) => {
    if (method === 'GET' && path === '/mcp') {
      write = events(response);
      return write('/messages?session=3', 'endpoint');
    }
    if (path !== '/messages?session=3') return void response.writeHead(404).end('<html>');
    response.writeHead(202).end('Accepted');
    if (message?.method !== 'initialize' || hangs) return;
    const result = { protocolVersion: '2024-11-05', capabilities, serverInfo: {} };
    return write?.({ jsonrpc: '2.0', id: message.id, result });
  };
}
