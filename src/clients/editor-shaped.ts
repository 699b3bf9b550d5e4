/** How editors based on VS Code read their configured servers. From their documentation, not measured. */

import type { EntryFields, ServerEnvironment } from '../declaration/configured-server.ts';

/** The editor's whole environment. Cursor inherits this from VS Code. An unset variable is empty. */
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
    // The editor prompts for these, or queries an extension.
    unknown: '\\$\\{(?:input|command|config):[^{}$]*\\}',
  },
};

export const fields: EntryFields = {
  url: ['url'],
  headers: 'headers',
  envFile: 'envFile',
  cwd: 'cwd',
};
