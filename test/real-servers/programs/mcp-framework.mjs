// mcp-framework has no option for capabilities of one's own, but a field that it passes on.
import { MCPServer } from 'mcp-framework';
import { capabilities } from './capabilities.mjs';

const server = new MCPServer({ name: 'mcp-framework', version: '1.0.0' });
Object.assign(server.capabilities, capabilities);
await server.start();
