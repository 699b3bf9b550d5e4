// https://docs.cline.bot/mcp/configuring-mcp-servers, and its program (3.0.65).
import { join } from 'node:path';
import { jsonFile, ofClient, type ServerClient } from '../servers/servers.ts';
import { cline as client } from './client.ts';

export const cline: ServerClient = {
  ...ofClient(client),
  files: ({ env, home, platform }) => {
    const data = env.CLINE_DATA_DIR || join(client.userFolder(env, home, platform), 'data');
    const file = join(data, 'settings', 'cline_mcp_settings.json');
    return [jsonFile('user', env.CLINE_MCP_SETTINGS_PATH || file)];
  },
  fields: { url: ['url'], headers: 'headers', cwd: 'cwd' },
  switchedOff: ({ disabled }) => (disabled === true ? 'it is disabled' : undefined),
  trusted: () => true,
  written: {
    scopes: ['user'],
    entry: (server) => ('url' in server ? { type: 'streamableHttp', ...server } : { ...server }),
  },
};
