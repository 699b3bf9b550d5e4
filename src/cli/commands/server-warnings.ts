/** The warnings of `verify`: a hook fires, but refers to a server that the client has not configured. */

import { selectClients } from '../../clients/detect.ts';
import type { Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import type { Installed } from '../../diagnose/fire/installed.ts';
import { unknownServersNamed } from '../../install/known-servers.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Context, Flags } from './command.ts';
import { approvalIn, installedAs } from './prepare.ts';

export interface ServerWarning {
  readonly label: string;
  readonly client: string;
  readonly message: string;
  readonly code: string;
  readonly server: string | undefined;
  readonly near: string | undefined;
  /** The hook's own text for a tool of the server. */
  readonly text: string | undefined;
  readonly hook: number | undefined;
}

/**
 * Finds servers that the hooks refer to but the clients have not configured. A scratch home has no servers, so this reads the
 * settings of the user's own clients: those on this machine, or those that were named.
 */
export async function serverWarnings(
  label: string,
  installed: readonly Installed[],
  places: Places,
  { cwd, isScratch, outside }: Context,
  { client: named }: Pick<Flags, 'client'>,
): Promise<ServerWarning[]> {
  const there = isScratch ? outside : places;
  if (!there) return [];
  const here = isScratch ? selectClients(named, there).clients : CLIENTS;
  const about = {
    hooks: approvalIn(places, label)?.hooks ?? [],
    install: installedAs(places, label) ?? { label },
    programs: installed.flatMap(({ events }) => events.flatMap(({ program }) => program ?? [])),
  };
  const clients = installed.flatMap(({ client }) => (here.includes(client) ? client : []));
  const said = await unknownServersNamed(about, clients, there, cwd);
  return said.map(({ client, message, hook, mention }) => ({
    label,
    client: client.id,
    message: inLine(sentence(message)),
    code: message.code,
    ...{ server: mention?.server, near: mention?.near, text: mention?.text, hook },
  }));
}

export const warningJson = ({ server, hook, near, text, ...one }: ServerWarning) => one;

/** @param tried The clients that were tried, label by label. */
export function showServerWarnings(
  terminal: Terminal,
  warnings: readonly ServerWarning[],
  tried: readonly Tried[],
): string[] {
  const head = `${paint(terminal, 'yellow', 'warning')}: `;
  const said = grouped(warnings, tried).map((words) =>
    wrap(inLine(words, 1000), terminal.columns, '    ', head),
  );
  return said.length > 0 ? [`${said.join('\n')}\n`] : [];
}

type Tried = Pick<Installed, 'label' | 'client'>;

/** A line for each missing server. A server whose name resembles another one has its own line. */
function grouped(warnings: readonly ServerWarning[], tried: readonly Tried[]): string[] {
  const groups = new Map<string, ServerWarning[]>();
  for (const one of warnings) {
    const isOne = one.near !== undefined || one.server === undefined;
    const key = JSON.stringify([one.label, isOne ? one.message : one.server]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { label, message, server, near } = first;
    if (near !== undefined || server === undefined) return `${label}: ${message}`;
    const own = tried.filter((one) => one.label === label);
    const names = own.flatMap(({ client }) =>
      group.some((one) => one.client === client.id) ? client.name : [],
    );
    const hooks = [...new Set(group.flatMap(({ hook }) => hook ?? []))].sort((a, b) => a - b);
    const texts = [...new Set(group.flatMap(({ text }) => text ?? []))];
    return messages.noSuchServer(label, names, hooks, texts);
  });
}
