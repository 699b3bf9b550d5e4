// A mistake in a declaration, on SDK 2.x over stdio. Argument: where it is declared, around the factory or inside it.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { declareHooks } from '../../../dist/server.js';

const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'high' }];
const make = () => new McpServer({ name: 'wrong', version: '1.0.0' });

if (process.argv[2] === 'around') serveStdio(declareHooks(make, declarations));
else
  serveStdio(() => {
    const server = make();
    declareHooks(server, declarations);
    return server;
  });
