// A handler of web requests behind node's http; its address is printed when it listens.
import { createServer } from 'node:http';

export function listen(handle) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks = await incoming.toArray();
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method,
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
