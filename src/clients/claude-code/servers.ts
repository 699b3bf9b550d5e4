// https://code.claude.com/docs/en/mcp
// Measured with 2.1.329 (`claude mcp get`, `claude mcp list`): it looks for .mcp.json in the folder and all its parents, and
// for local servers and approvals under the top of the repository. A project's server without approval is skipped. An unset
// variable is not replaced. Once the folder is trusted, it would also accept committed approvals; we do not.
import { join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { foldersUpFrom, mainOf, repositoryOf } from '../../system/git/folders.ts';
import { isCommitted } from '../../system/git/state.ts';
import type { SearchPlace, ServerClient, ServerLook } from '../servers/servers.ts';
import { includes, jsonFile, ofClient, optionEach, userFolderOf } from '../servers/servers.ts';
import { claudeCode as client } from './client.ts';
import { isTrustedIn, recordsFile } from './health.ts';

/** The project's key in Claude Code's own records: the repository, even for one of its worktrees. */
function projectOf({ cwd }: SearchPlace): string {
  const top = repositoryOf(cwd);
  return top === undefined ? cwd : mainOf(top);
}

const projectsIn = (look: ServerLook): JsonValue | undefined =>
  look.document(recordsFile(look), 'json').projects;

/** Claude Code's own record of the project. */
function recordOf(look: ServerLook): JsonObject {
  const projects = projectsIn(look);
  const project = projectOf(look);
  const known = isObject(projects) && Object.hasOwn(projects, project) && projects[project];
  return isObject(known) ? known : {};
}

/** Only the project itself or this folder counts, not their parents. */
const trusts = (look: ServerLook): boolean =>
  [projectOf(look), look.cwd].some((folder) => isTrustedIn(projectsIn(look), folder));

const userSettings = (look: ServerLook): JsonObject =>
  look.document(join(userFolderOf(client, look), 'settings.json'), 'json');

/**
 * The user's own settings for the project, which store the answers to Claude Code's question, each with the top of its
 * repository.
 */
const localSettings = (look: ServerLook): { file: string; top: string }[] => {
  const top = repositoryOf(look.cwd) ?? look.cwd;
  const main = mainOf(top);
  const tops = new Map([
    [look.cwd, top],
    [top, top],
    [main, main],
  ]);
  return [...tops].map(([folder, top]) => ({
    file: join(folder, '.claude/settings.local.json'),
    top,
  }));
};

/** All settings that can switch off a server, including those of the folder. */
const settingsOf = (look: ServerLook): JsonObject[] => [
  recordOf(look),
  userSettings(look),
  look.document(join(look.cwd, '.claude/settings.json'), 'json'),
  ...localSettings(look).map(({ file }) => look.document(file, 'json')),
];

const isNamedIn = (list: JsonValue | undefined, name: string): boolean =>
  Array.isArray(list) && list.some((one: JsonValue) => isObject(one) && one.serverName === name);

export const claudeCode: ServerClient = {
  ...ofClient(client),
  files: (at) => [
    jsonFile('local', recordsFile(at), ['projects', projectOf(at), 'mcpServers']),
    ...foldersUpFrom(at.cwd).map((folder) => ({
      ...jsonFile('project', join(folder, '.mcp.json')),
      onlyApproved: true as const,
    })),
    jsonFile('user', recordsFile(at)),
  ],
  fields: { url: ['url'], headers: 'headers' },
  helper: 'headersHelper',
  switchedOff: (_entry, name, { scope }, look) => {
    const all = settingsOf(look);
    const isOff =
      includes(recordOf(look).disabledMcpServers, name) ||
      (scope === 'project' && all.some((one) => includes(one.disabledMcpjsonServers, name)));
    if (isOff) return 'it is switched off in this project';
    return all.some(({ deniedMcpServers }) => isNamedIn(deniedMcpServers, name))
      ? 'it is in "deniedMcpServers"'
      : undefined;
  },
  approved: (name, _file, look) => {
    // Claude Code does not ask for trust in the home folder.
    if (!trusts(look) && projectOf(look) !== look.home) return false;
    const says = ({ enabledMcpjsonServers, enableAllProjectMcpServers }: JsonObject) =>
      enableAllProjectMcpServers === true || includes(enabledMcpjsonServers, name);
    return (
      [recordOf(look), userSettings(look)].some(says) ||
      localSettings(look).some(
        ({ file, top }) => says(look.document(file, 'json')) && !isCommitted(file, top),
      )
    );
  },
  trusted: trusts,
  written: {
    scopes: ['user', 'project', 'local'],
    reference: ['${', '}'],
    entry: (server) => ('url' in server ? { type: 'http', ...server } : { ...server }),
  },
  // https://code.claude.com/docs/en/mcp: after "--", no part of the server's command is taken for an option.
  add: (server) => [
    ...['claude', 'mcp', 'add', '--scope', 'user'],
    ...('url' in server
      ? [
          ...['--transport', 'http', server.name, server.url],
          ...optionEach('--header', server.headers, ': '),
        ]
      : [
          server.name,
          ...optionEach('--env', server.variables, '='),
          ...['--', server.command, ...server.args],
        ]),
  ],
};
