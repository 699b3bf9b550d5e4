/** How editors that come from VS Code read their configured servers. From their pages, not measured. */

import type { EntryFields, ServerEnvironment } from '../declaration/configured-server.ts';

/** All of the editor's environment. Cursor inherits this from VS Code. A variable that is not set is empty. */
export const given: ServerEnvironment = {
  variables: [],
  expansion: {
    pattern: '\\$\\{env:([^{}$]+)()\\}',
    except: '(?!)',
    places: {
      '${workspaceFolder}': '{cwd}',
      '${workspaceFolderBasename}': '{folder}',
      '${userHome}': '{home}',
      '${pathSeparator}': '{separator}',
      '${/}': '{separator}',
    },
    // The editor asks for these, or asks an extension.
    unknown: '\\$\\{(?:input|command|config):[^{}$]*\\}',
  },
};

export const fields: EntryFields = {
  url: ['url'],
  headers: 'headers',
  envFile: 'envFile',
  cwd: 'cwd',
};
