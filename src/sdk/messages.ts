/** What authors of servers read. It is apart from src/cli/messages, which is larger than all that a server has to load. */

export const messages = {
  refused: (errors: readonly string[]) =>
    `declareHooks: these hooks cannot be declared.\n${errors.map((error) => `  ${error}`).join('\n')}`,
  noArray: (found: string) => `declareHooks: the declarations must be an array, not ${found}.`,
  noServer: (found: string) =>
    `declareHooks: this is ${found}, and no McpServer or Server of an MCP SDK. For a framework that makes its servers itself, give it Server.prototype of the SDK that the framework uses.`,
  connected:
    'declareHooks: this server is connected already, and may have said what it can. Declare its hooks before.',
  twice: 'declareHooks: this server declares hooks already. Give all of them in one call.',
} as const;
