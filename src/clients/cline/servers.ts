// https://docs.cline.bot/mcp/configuring-mcp-servers, and its program (3.0.65).
import { join } from 'node:path';
import type { Client } from '../contract.ts';
import { jsonFile, ofClient, type ServerClient } from '../servers/servers.ts';
import { cline as client } from './client.ts';

/** The folder of all its settings. */
export const dataFolder: Client['userFolder'] = (env, home, platform) =>
  env.CLINE_DATA_DIR || join(client.userFolder(env, home, platform), 'data');

export const cline: ServerClient = {
  ...ofClient(client),
  files: ({ env, home, platform }) => {
    const data = dataFolder(env, home, platform);
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
