/**
 * Files with which an administrator gives the hooks to all users of many machines: one for each client, the runner that these
 * start, and an Ansible role that installs and removes everything. Pure.
 */

import { posix } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { managedOf } from '../../clients/registry.ts';
import { type Managed, managedFileOf, managedPath, type System } from '../../clients/shipping.ts';
import { RULE } from '../../declaration/grants.ts';
import { splice } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { elementsOf, underOf } from '../../edit/value.ts';
import { sha256 } from '../../system/fingerprint.ts';
import { type Compiled, type CompileOptions, compile } from '../compile.ts';
import type { LoweredHook } from '../report.ts';
import { type RunnerFile, type RunnerHost, shippedFiles } from '../runner-files.ts';
import { type BuiltFile, RULES_OF_PACKAGE, shipped } from './bundle.ts';
import { declarationFile, type Shipment } from './shipment.ts';

interface FleetOptions extends Pick<CompileOptions, 'actNow' | 'extraTurns'> {
  /** Absolute path of the folder that contains the runner's folder; see `isFleetFolder`. */
  readonly folder: string;
  readonly template: RunnerHost['template'];
}

export interface Fleet {
  /** The clients that can run at least part of the declaration. */
  readonly clients: readonly FleetClient[];
  readonly files: readonly BuiltFile[];
}

interface FleetClient {
  readonly client: Client;
  readonly hooks: readonly LoweredHook[];
  /** The path on Linux to which the role copies the client's file; absent: none is known. */
  readonly place?: string;
}

/** The name of this build target, and of the folder with its files. */
export const FLEET = 'fleet';

/** The default folder for runners; each label has a folder in it. */
export const FLEET_FOLDER = '/usr/local/lib/mcp-hooks';

/** Whether a folder can hold runners: an absolute path with nothing that a shell or a template would interpret. */
export const isFleetFolder = (folder: string): boolean =>
  /^(?:\/[\w@+-][\w .@+-]*)+$/.test(folder) && posix.normalize(folder) === folder;

/** Systems on which Ansible runs the role, by Ansible's names for them. */
const SYSTEMS = { Linux: 'linux', Darwin: 'darwin' } as const satisfies Record<string, System>;

/** One file of a client that the role installs. */
type LaidOut = {
  readonly client: string;
  readonly kind: Managed['kind'];
  /** Relative to the role's files. */
  readonly src: string;
  readonly dest: string;
  /** The checksum of the file, if it is entirely ours. */
  readonly sha256?: string;
  /** Regular expression for text that must not be in a file that gets our block. */
  readonly clash?: string;
};

interface ManagedFile {
  readonly client: Client;
  readonly managed: Managed;
  readonly src: string;
  readonly text: string;
  readonly events: readonly string[];
}

export function fleetFor(
  clients: readonly Client[],
  shipment: Shipment,
  { folder, template, ...turns }: FleetOptions,
): Fleet {
  const { label, declared, declaration, leftOut } = shipment;
  const place = { path: posix.join(folder, label) };
  const options = { ...turns, runner: place, state: '', rules: RULES_OF_PACKAGE };
  const compiled = clients.map((client) => {
    const managed = managedOf(client);
    const entry = managed?.entry ?? client.entry;
    return { managed, ...compile(declared, { ...client, entry }, options) };
  });
  const managed = compiled.flatMap((one) => managedFile(one, label) ?? []);
  const programs = compiled.flatMap(({ managed, program }) => (managed ? program : []));
  const runner = shippedFiles(template, place, programs, declarationFile(shipment));
  const role = `roles/${roleName(label)}`;
  const files: readonly (readonly [path: string, contents: string | Buffer])[] = [
    ['playbook.yml', playbook(label)],
    [`${role}/README.md`, readme(label, declaration, place.path, managed)],
    [`${role}/defaults/main.yml`, defaults(managed)],
    [`${role}/meta/main.yml`, meta(label)],
    [`${role}/vars/main.yml`, vars(label, declaration, place.path, managed, runner)],
    ...['main.yml', 'present.yml', 'absent.yml'].map(
      (name) => [`${role}/tasks/${name}`, template(`${FLEET}/${name}`)] as const,
    ),
    ...managed.map(({ src, text }) => [`${role}/files/${src}`, text] as const),
    ...runner.map(({ name, bytes }) => [`${role}/files/runner/${name}`, bytes] as const),
  ];
  return {
    clients: compiled.map(({ client, hooks, managed }) => ({
      client,
      hooks: hooks.map((hook, index) => shipped(hook, leftOut.get(index))),
      ...(managed && { place: managedPath(managed, label, 'linux') }),
    })),
    files: files.map(([path, contents]) => ({
      path: `${FLEET}/${path}`,
      bytes: Buffer.from(contents),
    })),
  };
}

/** Undefined: the client cannot run any part of the declaration, or there is no place for its file. */
function managedFile(
  { client, groups, managed }: Compiled & { readonly managed: Managed | undefined },
  label: string,
): ManagedFile | undefined {
  if (!managed || groups.length === 0) return undefined;
  const { kind, format, layout, start = '' } = managed;
  const added = FORMATS[format].insert(start, elementsOf(groups, layout), underOf(layout));
  const text = splice(start, added);
  const name = kind === 'folder' ? managedFileOf(label) : posix.basename(managed.at.linux);
  return {
    client,
    managed,
    src: `${client.id}/${name}`,
    text: text.endsWith('\n') ? text : `${text}\n`,
    events: groups.map(({ event }) => event),
  };
}

/** A name that Ansible accepts for a role. */
export const roleName = (label: string): string =>
  `mcp_hooks_${label.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;

const MADE =
  '# Made by mcp-hooks from the declaration of the server. Build it again instead of editing it.\n---\n';

const playbook = (
  label: string,
): string => `${MADE}- name: Hooks of ${label} for all users of these machines
  hosts: all
  become: true
  roles:
    - role: ${roleName(label)}
`;

const defaults = (managed: readonly ManagedFile[]): string => `${MADE}# present or absent
mcp_hooks_state: present
# The clients that get the hooks. Those that are taken out of the list later keep what they have; absent takes it from all.
mcp_hooks_clients:
${managed.map(({ client }) => `  - ${client.id}\n`).join('')}# What hooks may do besides adding text: required, context-tool, block, modify. Leave it empty to let each user's policy.json
# decide.
mcp_hooks_allow: []
# A folder below which everything is laid out, for an image of a machine; empty for the machine itself.
mcp_hooks_root: ''
# Whom the files belong to. One of the clients only reads those of root.
mcp_hooks_owner: root
`;

const meta = (label: string): string => `${MADE}galaxy_info:
  role_name: ${roleName(label)}
  author: mcp-hooks
  description: Hooks of the MCP server ${label} for all users of a machine
  license: MIT
  min_ansible_version: '2.14'
  platforms:
    - name: GenericLinux
      versions: [all]
    - name: MacOSX
      versions: [all]
dependencies: []
`;

function vars(
  label: string,
  declaration: string,
  runner: string,
  managed: readonly ManagedFile[],
  files: readonly RunnerFile[],
): string {
  const systems = Object.entries(SYSTEMS).map(([name, system]): [string, LaidOut[]] => [
    name,
    managed.map(({ client, managed, src, text, events }) => ({
      client: client.id,
      kind: managed.kind,
      src,
      dest: managedPath(managed, label, system),
      ...(managed.kind === 'whole' && { sha256: sha256(text) }),
      ...(managed.kind === 'block' && { clash: clashing(events, managed) }),
    })),
  ]);
  return [
    MADE,
    yaml({
      mcp_hooks_label: label,
      mcp_hooks_declaration: declaration,
      mcp_hooks_runner: runner,
      mcp_hooks_rules: RULES_BY_GRANT,
      mcp_hooks_known: managed.map(({ client }) => client.id),
      mcp_hooks_systems: Object.fromEntries(systems),
      mcp_hooks_files: files.map(({ name }) => name).sort(),
    }),
  ].join('');
}

/** What can be allowed to all users: the words of `--allow`, with their rules. Programs are not shipped. */
const { command: _, 'project-code': _code, ...RULES_BY_GRANT } = RULE;

/**
 * Matches hooks that are written as one value: above the first table, or an event anywhere. TOML then allows no table of hooks.
 */
const clashing = (events: readonly string[], { layout }: Managed): string =>
  `(?m)\\A(?:[ \\t]*(?:[^\\[\\s][^\\n]*)?\\n)*[ \\t]*["']?${underOf(layout)}["']?[ \\t]*[=.]|^[ \\t]*["']?(?:${events.join('|')})["']?[ \\t]*=`;

type YamlObject = { readonly [key: string]: Yaml };
type Yaml = string | readonly Yaml[] | YamlObject;

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value);

/** JSON strings are valid YAML. */
function yaml(value: YamlObject, indent = ''): string {
  const item = (one: Yaml): string => {
    if (typeof one === 'string') return ` ${JSON.stringify(one)}\n`;
    return isList(one) ? `\n${listed(one, indent)}` : `\n${yaml(one, `${indent}  `)}`;
  };
  return Object.entries(value)
    .map(([key, one]) => `${indent}${key}:${item(one)}`)
    .join('');
}

const listed = (items: readonly Yaml[], indent: string): string =>
  items
    .map((one) => {
      if (typeof one === 'string') return `${indent}  - ${JSON.stringify(one)}\n`;
      const text = isList(one) ? listed(one, `${indent}    `) : yaml(one, `${indent}    `);
      return `${indent}  - ${text.slice(indent.length + 4)}`;
    })
    .join('');

function readme(
  label: string,
  declaration: string,
  runner: string,
  managed: readonly ManagedFile[],
): string {
  const rows = managed.map(({ client, managed, src }) => {
    const places = (['linux', 'darwin', 'win32'] as const).map(
      (system) => `\`${managedPath(managed, label, system)}\``,
    );
    return `| ${[client.name, `\`files/${src}\``, ...places].join(' | ')} |`;
  });
  return `# Hooks of ${label} for all users of a machine

This role lays out a file for each client, and the runner that these files start, in \`${runner}\`. It writes
nothing to a user's home. When a hook fires, the runner records what it has shown in \`~/.mcp-hooks\` of the user who runs the
client. If a user has also installed hooks of the label \`${label}\`, only the user's own are shown.

    ansible-playbook -i <inventory> playbook.yml
    ansible-playbook -i <inventory> playbook.yml -e mcp_hooks_state=absent

| client | file | Linux | macOS | Windows |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The role runs on Linux and macOS. It was tried on Linux; the other places are those of the clients' documentation. It does
nothing on Windows.

| variable | |
| --- | --- |
| \`mcp_hooks_state\` | \`present\` (default) or \`absent\` |
| \`mcp_hooks_clients\` | the clients that get the hooks; all of the table by default |
| \`mcp_hooks_allow\` | what the hooks may do besides telling the model a text: some of ${Object.keys(RULES_BY_GRANT).join(', ')}; nothing by default |
| \`mcp_hooks_root\` | a folder below which everything is laid out, for an image of a machine |
| \`mcp_hooks_owner\` | whom the files belong to; \`root\` by default |

Declaration (SHA-256): \`${declaration}\`
`;
}
