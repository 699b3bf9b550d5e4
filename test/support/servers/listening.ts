/** Servers on loopback, which end with the test. */
import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * Starts a server at a free port, and returns its origin.
 *
 * @param finished The `onTestFinished` of the test that it serves, if tests run at the same time.
 */
export async function listening(
  server: Server,
  { host = '127.0.0.1', finished = onTestFinished as (action: () => Promise<void>) => void } = {},
): Promise<string> {
  await new Promise<void>((done) => server.listen(0, host, done));
  finished(() => stopped(server));
  const address = server.address();
  return `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
}

export const stopped = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
