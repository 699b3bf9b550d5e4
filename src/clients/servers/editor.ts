/** What Cursor has from VS Code: how variables are written, and what a server is given. */

import type { ServerEnvironment } from '../../declaration/configured-server.ts';

/** All of the editor's environment; a variable that is not set is empty. */
export const givenByEditors: ServerEnvironment = {
  variables: [],
  expansion: {
    pattern: '\\$\\{env:([^}]+)()\\}',
    except: '^(?!)',
    places: {
      '${workspaceFolder}': '{cwd}',
      '${workspaceFolderBasename}': '{folder}',
      '${userHome}': '{home}',
      '${pathSeparator}': '{separator}',
      '${/}': '{separator}',
    },
    // The editor asks for these, or asks an extension.
    unknown: '\\$\\{(?:input|command|config):[^}]*\\}',
  },
};
