/**
 * What an administrator lays out on many machines, so that everybody on them has the hooks: a file for each client, the
 * runner that these start, and an Ansible role that puts all of it in its place and takes it away again. Pure.
 */

import { posix } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { type Managed, managedFileOf, managedPath, type System } from '../../clients/managed.ts';
import { managedOf } from '../../clients/registry.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import type { Rules } from '../../declaration/policy.ts';
import { splice } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { sha256 } from '../../system/fingerprint.ts';
import { type Compiled, type CompileOptions, compile } from '../compile.ts';
import { type RunnerFile, type RunnerHost, shippedFiles } from '../runner-files.ts';

export interface FleetOptions extends Pick<CompileOptions, 'actNow' | 'extraTurns'> {
  /** Absolute path of the folder in which the runner has its own; see `isFleetFolder`. */
  readonly folder: string;
  /** What holds for the label, with what is granted to it. */
  readonly rules: Rules;
  /** The mark of the declaration. */
  readonly declaration: string;
  /** The declaration itself, as a runner keeps it. */
  readonly approval: Buffer;
  readonly template: RunnerHost['template'];
}

export interface Fleet {
  readonly compiled: readonly Compiled[];
  /** By their paths below the folder that they are written to, with slashes. */
  readonly files: readonly RunnerFile[];
}

/** Where runners are by default; each label has a folder in it. */
export const FLEET_FOLDER = '/usr/local/lib/mcp-hooks';

/** Whether runners can be there: an absolute path without anything that a shell or a template would read as more than text. */
export const isFleetFolder = (folder: string): boolean =>
  /^(?:\/[\w@+-][\w .@+-]*)+$/.test(folder) && posix.normalize(folder) === folder;

/** Systems on which Ansible runs the role, by the names that it has for them. */
const SYSTEMS = { Linux: 'linux', Darwin: 'darwin' } as const satisfies Record<string, System>;

/** One file of a client, as the role lays it out. */
type LaidOut = {
  readonly client: string;
  readonly kind: Managed['kind'];
  /** Below the role's files. */
  readonly src: string;
  readonly dest: string;
  /** Of its bytes, where it is all there is. */
  readonly sha256?: string;
  /** Regular expression: what a file that gets a block must not have. */
  readonly clash?: string;
};

interface ManagedFile {
  readonly client: Client;
  readonly managed: Managed;
  readonly src: string;
  readonly text: string;
  readonly events: readonly string[];
}

export function fleet(
  declared: ServerHooks,
  clients: readonly Client[],
  options: FleetOptions,
): Fleet {
  const { label } = declared;
  const place = { path: posix.join(options.folder, label) };
  const compiled = clients.map((client) => {
    const { entry = client.entry } = managedOf(client) ?? {};
    const { actNow, extraTurns, rules } = options;
    return compile(
      declared,
      { ...client, entry },
      {
        ...(actNow !== undefined && { actNow }),
        ...(extraTurns !== undefined && { extraTurns }),
        runner: place,
        state: '',
        defaults: rules,
      },
    );
  });
  const managed = compiled.flatMap((one) => managedFile(one, label) ?? []);
  const programs = compiled.map(({ program }) => program);
  const runner = shippedFiles(options.template, place, programs, options.approval);
  const role = `roles/${roleName(label)}`;
  const file = (name: string, text: string): RunnerFile => ({
    name,
    bytes: Buffer.from(text),
    mode: 0o644,
  });
  const tasks = ['main.yml', 'present.yml', 'absent.yml'].map((name) =>
    file(`${role}/tasks/${name}`, options.template(`fleet/${name}`)),
  );
  const files = [
    file('playbook.yml', playbook(label)),
    file(`${role}/README.md`, readme(label, place.path, managed, options)),
    file(`${role}/defaults/main.yml`, defaults(managed)),
    file(`${role}/meta/main.yml`, meta(label)),
    file(`${role}/vars/main.yml`, vars(label, place.path, managed, runner, options)),
    ...tasks,
    ...managed.map(({ src, text }) => file(`${role}/files/${src}`, text)),
    ...runner.map(({ name, bytes, mode }) => ({
      name: `${role}/files/runner/${name}`,
      bytes,
      mode,
    })),
  ];
  return { compiled, files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Undefined where nothing of the declaration can happen in the client. */
function managedFile({ client, groups }: Compiled, label: string): ManagedFile | undefined {
  const managed = managedOf(client);
  if (!managed || groups.length === 0) return undefined;
  const { kind, format, start = '' } = managed;
  const text = splice(start, FORMATS[format].insert(start, groups));
  const name = kind === 'folder' ? managedFileOf(label) : baseOf(managed.at.linux);
  return {
    client,
    managed,
    src: `${client.id}/${name}`,
    text: text.endsWith('\n') ? text : `${text}\n`,
    events: groups.map(({ event }) => event),
  };
}

const baseOf = (path: string): string => posix.basename(path);

/** What Ansible takes for the name of a role. */
export const roleName = (label: string): string =>
  `mcp_hooks_${label.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;

const MADE =
  '# Made by mcp-hooks from the declaration of the server. Build it again instead of editing it.\n---\n';

const playbook = (
  label: string,
): string => `${MADE}- name: Hooks of ${label} for everybody on these machines
  hosts: all
  become: true
  roles:
    - role: ${roleName(label)}
`;

const defaults = (managed: readonly ManagedFile[]): string => `${MADE}# present or absent
mcp_hooks_state: present
# The clients that get the hooks. Those that are taken out of the list later keep what they have; absent takes it from all.
mcp_hooks_clients:
${managed.map(({ client }) => `  - ${client.id}\n`).join('')}# A folder below which everything is laid out, for an image of a machine; empty for the machine itself.
mcp_hooks_root: ''
# Whom the files belong to. One of the clients only reads those of root.
mcp_hooks_owner: root
`;

const meta = (label: string): string => `${MADE}galaxy_info:
  role_name: ${roleName(label)}
  author: mcp-hooks
  description: Hooks of the MCP server ${label} for everybody on a machine
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
  runner: string,
  managed: readonly ManagedFile[],
  files: readonly RunnerFile[],
  { declaration }: FleetOptions,
): string {
  const systems = Object.entries(SYSTEMS).map(([name, system]): [string, LaidOut[]] => [
    name,
    managed.map(({ client, managed, src, text, events }) => ({
      client: client.id,
      kind: managed.kind,
      src,
      dest: managedPath(managed, label, system),
      ...(managed.kind === 'whole' && { sha256: sha256(text) }),
      ...(managed.kind === 'block' && { clash: clashing(events) }),
    })),
  ]);
  return [
    MADE,
    yaml({
      mcp_hooks_label: label,
      mcp_hooks_declaration: declaration,
      mcp_hooks_runner: runner,
      mcp_hooks_known: managed.map(({ client }) => client.id),
      mcp_hooks_systems: Object.fromEntries(systems),
      mcp_hooks_files: files.map(({ name }) => name).sort(),
    }),
  ].join('');
}

/** Hooks in one value, behind which TOML allows no table of them: above the first table, or an event anywhere. */
const clashing = (events: readonly string[]): string =>
  `(?m)\\A(?:[ \\t]*(?:[^\\[\\s][^\\n]*)?\\n)*[ \\t]*["']?hooks["']?[ \\t]*[=.]|^[ \\t]*["']?(?:${events.join('|')})["']?[ \\t]*=`;

type YamlObject = { readonly [key: string]: Yaml };
type Yaml = string | readonly Yaml[] | YamlObject;

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value);

/** Strings of JSON are strings of YAML. */
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
  runner: string,
  managed: readonly ManagedFile[],
  { declaration, rules }: FleetOptions,
): string {
  const granted = [
    rules.trusted && 'they may call their notes required',
    rules.contextTool && "the server's tools are called",
    rules.block && 'they may block what is about to happen',
    rules.modify && 'they may change what a tool is given or returns',
  ].filter((one) => one !== false);
  const rows = managed.map(({ client, managed, src }) => {
    const [linux, darwin, windows] = (['linux', 'darwin', 'win32'] as const).map((system) =>
      managedPath(managed, label, system),
    );
    return `| ${client.name} | \`files/${src}\` | \`${linux}\` | \`${darwin}\` | \`${windows}\` |`;
  });
  return `# Hooks of ${label} for everybody on a machine

Lays out a file for each client, and the runner that these start in \`${runner}\`. Nothing is written to anybody's home;
a runner remembers what it has said in \`~/.mcp-hooks\` of whoever runs the client. Where a user has installed hooks of the
label \`${label}\` as well, only that user's are heard.

Declaration: \`${declaration}\`. ${granted.length === 0 ? 'Its hooks can only have text told to the model.' : `Its hooks have text told to the model; besides, ${granted.join(', and ')}.`}

    ansible-playbook -i <inventory> playbook.yml
    ansible-playbook -i <inventory> playbook.yml -e mcp_hooks_state=absent

| client | file | Linux | macOS | Windows |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The role runs on Linux and macOS. Only Linux was tried; the other places are those of the clients' documentation.
On Windows nothing here is of use yet: the runner needs a POSIX shell.

| variable | |
| --- | --- |
| \`mcp_hooks_state\` | \`present\` (default) or \`absent\` |
| \`mcp_hooks_clients\` | the clients that get the hooks; all of the table by default |
| \`mcp_hooks_root\` | a folder below which everything is laid out, for an image of a machine |
| \`mcp_hooks_owner\` | whom the files belong to; \`root\` by default |
`;
}
