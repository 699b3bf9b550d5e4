/** Editors, which run no hooks of ours, but whose servers are found. */
import type { Servers } from './expectations.ts';

export const EDITORS: Readonly<Record<'vs-code', Servers>> = {
  'vs-code': {
    home: '.config/Code/User/mcp.json',
    project: '.vscode/mcp.json',
    key: 'servers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_PORT'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_PORT: '8080',
    },
    last: '',
    absolute: true,
    offers: true,
  },
};
