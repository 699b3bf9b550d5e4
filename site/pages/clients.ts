/** A page for each client: its data, and its column of the tables in docs/clients.md, which tests make. */

import type { Client, ConfigFile, Scope } from '../../src/clients/contract.ts';
import { isRun, measuredIn } from '../../src/clients/version.ts';
import { sectionsOf, table, tablesOf } from './markdown.ts';

/** The tables that a client's page shows a column of, and what is above it. */
const TABLES: readonly { readonly name: string; readonly title: string; readonly intro: string }[] =
  [
    {
      name: 'clients',
      title: 'Events',
      intro: 'The events of the client that each declared event uses, and the grade.',
    },
    {
      name: 'lifecycle',
      title: 'Further events',
      intro: 'They need [version 2](declaration.md#version-2) of a manifest.',
    },
    {
      name: 'decisions',
      title: 'Decisions',
      intro: 'What a hook may decide if you [allow it](security.md#grants-and-labels).',
    },
    {
      name: 'delivery',
      title: 'What its model received',
      intro: 'From the tests with the real client: the event, the grade, and when the text came.',
    },
    {
      name: 'situations',
      title: 'Texts about a call',
      intro: 'Whether the model reads a text about such a call, or the client drops it.',
    },
    {
      name: 'sessions',
      title: 'How often a text is read',
      intro: 'How many texts the model read from [five programs](clients.md#what-the-tests-see).',
    },
    {
      name: 'names',
      title: 'Names of MCP tools',
      intro: 'The names that hooks got for the tools of a server.',
    },
  ];

const SCOPE_IN_WORDS: Readonly<Record<Scope, string>> = {
  user: 'you, in all projects',
  project: 'a project (`--scope project`)',
  local: 'you, in one project (`--scope local`)',
};

/** Where a client's hooks are written, by scope. */
function places({ placement, userFolder, projectFolder }: Client): string[][] {
  const written = (scope: Scope, files: readonly ConfigFile[]) => {
    const folder = scope === 'user' ? userFolder({}, '~', 'linux') : `<project>/${projectFolder}`;
    const names =
      placement.kind === 'own-file'
        ? [`${placement.folder.name}/${placement.folder.fileOf('<label>')}`]
        : files.map(({ name }) => name);
    return names.map((name) => `\`${folder}/${name}\``).join(', or ');
  };
  return (['user', 'project', 'local'] as const).flatMap((scope) => {
    const files = placement.files[scope];
    return files ? [[SCOPE_IN_WORDS[scope], written(scope, files)]] : [];
  });
}

const isChosen = ({ placement: { kind, files } }: Client): boolean =>
  kind === 'shared-file' && files.user.length > 1;

const READ: Readonly<Record<NonNullable<Client['readsHooks']>, string>> = {
  'at start': 'when a session starts, so restart a running one after an install',
  'when changed': 'again when they change, also in a running session',
};

const evidenceOf = (client: Client): string =>
  'measured' in client.evidence
    ? `Everything on this page was measured with ${client.name} ${client.evidence.measured} on Linux.`
    : `**mcp-hooks was not run in ${client.name}.** This page follows [its documentation](${client.evidence.documented}).`;

/** Where a client's MCP servers are configured; undefined: mcp-hooks does not look for them. */
const serversOf = ({ id }: Client, sources: string): string | undefined =>
  tablesOf(sources)
    .find(({ name }) => name === 'configurations')
    ?.rows.find(([, from]) => from === `\`${id}\``)?.[2];

/**
 * A client's page, as if it were in docs.
 * @param all The text of docs/clients.md.
 * @param sources The text of docs/sources.md.
 */
export function clientPage(client: Client, all: string, sources: string): string {
  const tables = new Map(tablesOf(all).map((one) => [one.name, one]));
  const columns = TABLES.flatMap(({ name, title, intro }) => {
    const { head, rows } = tables.get(name) ?? { head: [], rows: [] };
    const column = head.findIndex(
      (cell) => cell === client.name || cell.startsWith(`${client.name} `),
    );
    if (column < 0) return [];
    const cells = rows.map((row) => [row[0] ?? '', row[column] ?? '']);
    return [`## ${title}`, intro, table([[head[0] ?? '', client.shortName], ...cells]).trim()];
  });
  const reasons = sectionsOf(all, 2).find(({ title }) => title === 'Reasons')?.body ?? '';
  const about = reasons
    .split(/^\* /m)
    .filter((reason) => reason.includes(`**${client.name}**`))
    .map((reason) => reason.split('\n\n')[0]?.trim() ?? '');
  const servers = serversOf(client, sources);
  const facts = [
    `\`--client\`: ${[client.id, ...client.aliases].map((one) => `\`${one}\``).join(', ')}`,
    ...(client.npmPackage === null ? [] : [`npm package: \`${client.npmPackage}\``]),
    ...(isRun(client)
      ? [`oldest version: ${client.minimum}`, `newest version that was run: ${measuredIn(client)}`]
      : []),
    ...(client.readsHooks ? [`reads its hooks ${READ[client.readsHooks]}`] : []),
  ];
  return `${[
    `# ${client.name}`,
    evidenceOf(client),
    facts.map((fact) => `* ${fact}`).join('\n'),
    '## Where its hooks are',
    table([['hooks of', 'file'], ...places(client)]).trim(),
    `${isChosen(client) ? 'Of several files, mcp-hooks takes the one that already has hooks, or else the first. ' : ''}[How your files are edited](files.md) says what mcp-hooks guarantees.`,
    ...(servers === undefined
      ? []
      : [
          `[Its MCP servers](sources.md#servers-that-your-clients-have-configured) are in ${servers}.`,
        ]),
    ...(about.length > 0 ? ['## What is special', ...about] : []),
    ...columns,
    '[What each client can do](clients.md) compares all clients, and gives the [reasons](clients.md#reasons) for the grades.',
  ].join('\n\n')}\n`;
}
