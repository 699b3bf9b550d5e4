/** What the folder of a client exports. The parts are described where their types are. */

import type { Client } from './contract.ts';
import type { ClientDriver } from './driver/driver.ts';
import type { Health } from './health/health.ts';
import type { ServerClient } from './servers/servers.ts';

export interface ClientFolder {
  /** What the compiler, the planner and the runner know of it. */
  readonly client: Client;
  /** Where it keeps its MCP servers. */
  readonly servers: ServerClient;
  /** What `doctor` looks at, and what makes the client drop hooks. */
  readonly health: Health;
  /** Runs it headless against a scripted model. Loaded when it is needed, which is rarely. */
  readonly driver: () => Promise<ClientDriver>;
}
