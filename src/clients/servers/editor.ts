/** What Cursor has from VS Code: how variables are written, and what a server is given. */

import type { GivenToServers } from '../contract.ts';

/** All of the editor's environment; a variable that is not set is empty. */
export const givenByEditors: GivenToServers = {
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
