/** The warnings of `verify`: a hook fires, but refers to a server that the client has not configured. */

import { selectClients } from '../../clients/detect.ts';
import type { Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { reinstallCommand, updateCommand } from '../../diagnose/doctor/origin.ts';
import { adviceOn } from '../../diagnose/doctor/servers.ts';
import type { Installed } from '../../diagnose/fire/installed.ts';
import { unknownServersNamed } from '../../install/known-servers.ts';
import {
  alikeInLabels,
  commonTo,
  type Found,
  type Summary,
  summaryOf,
} from '../../present/messages/findings.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { forAnyLabel, forLabels, grouped } from '../../present/messages/several.ts';
import { wrapMessage } from '../../present/render/lines.ts';
import { listed } from '../../system/plurals.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Context, Flags } from './command.ts';
import { approvalIn, installedAs } from './prepare.ts';

export interface ServerWarning {
  readonly label: string;
  readonly client: string;
  readonly message: string;
  readonly code: string;
  readonly found: Found;
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
  const install = installedAs(places, label);
  const command = install && (isScratch ? reinstallCommand(install) : updateCommand(install));
  const about = {
    hooks: approvalIn(places, label)?.hooks ?? [],
    install: install ?? { label },
    programs: installed.flatMap(({ events }) => events.flatMap(({ program }) => program ?? [])),
  };
  const clients = installed.flatMap(({ client }) => (here.includes(client) ? client : []));
  const said = await unknownServersNamed(about, clients, there, cwd);
  return said.map((one) => {
    const { client, message, hook, mention } = one;
    const todo = command === undefined ? undefined : adviceOn(one, command);
    return {
      label,
      client: client.id,
      message: inLine(sentence(message)),
      code: message.code,
      found: { level: 'warning', about: label, what: message, todo },
      ...{ server: mention?.server, near: mention?.near, text: mention?.text, hook },
    };
  });
}

export const warningJson = ({ server, hook, near, text, found, ...one }: ServerWarning) => ({
  ...one,
  todo: found.todo ? inLine(sentence(found.todo)) : null,
});

/** @param tried The clients that were tried, label by label. */
export function showServerWarnings(
  terminal: Terminal,
  warnings: readonly ServerWarning[],
  tried: readonly Tried[],
): string[] {
  const head = `${paint(terminal, 'yellow', 'warning')}: `;
  const said = summed(warnings, tried).flatMap(({ what, todo }, index, all) => {
    // What is to be done about several warnings in a row is printed once, below the last.
    const isLast = all[index + 1]?.todo.join() !== todo.join();
    return [
      wrap(inLine(what, 1000), terminal.columns, '    ', head),
      ...(isLast ? todo : []).map((one) =>
        wrapMessage(inLine(one, 1000), terminal.columns, '      ', '    '),
      ),
    ];
  });
  return said.length > 0 ? [`${said.join('\n')}\n`] : [];
}

type Tried = Pick<Installed, 'label' | 'client'>;

/**
 * A warning for each missing server, and for each name that the server has in clients, as in `doctor`. Labels for which it is the
 * same share one.
 */
function summed(
  warnings: readonly ServerWarning[],
  tried: readonly Tried[],
): Pick<Summary, 'what' | 'todo'>[] {
  const keyOf = (one: ServerWarning) => {
    const about = isMissing(one) ? one.server : (commonTo(one.found) ?? one.message);
    return JSON.stringify([one.label, about]);
  };
  const all = grouped(warnings, keyOf).map((group) => ofLabel(group, tried));
  return grouped(all, ({ alike }) => JSON.stringify(alike)).map((group) => {
    const [{ label, todo, found, say }, ...others] = group;
    const labels = [...new Set(group.map((one) => one.label))];
    const more = others.flatMap((one): readonly Found[] => one.found);
    return {
      what: say(labels, [...found, ...more]),
      todo: todo.map((one) => forLabels(one, label, labels.join(' '))),
    };
  });
}

const isMissing = ({ server, near }: ServerWarning) => server !== undefined && near === undefined;

interface OfLabel extends Pick<Summary, 'todo'> {
  readonly label: string;
  readonly found: readonly [Found, ...Found[]];
  /** What is equal in the warnings that labels share. */
  readonly alike: readonly unknown[];
  readonly say: (labels: readonly string[], all: readonly [Found, ...Found[]]) => string;
}

function ofLabel(
  group: readonly [ServerWarning, ...ServerWarning[]],
  tried: readonly Tried[],
): OfLabel {
  const [first, ...others] = group;
  const { label, message } = first;
  const found: OfLabel['found'] = [first.found, ...others.map((one) => one.found)];
  const summary = summaryOf(found);
  const todo = summary?.todo ?? (first.found.todo ? [sentence(first.found.todo)] : []);
  const todoForAll = todo.map((one) => forAnyLabel(one, label));
  const about = { label, found, todo };
  if (!isMissing(first)) {
    const what = alikeInLabels(found) ?? summary?.what ?? message;
    return {
      ...about,
      alike: [what, todoForAll],
      say: (labels, all) => `${listed(labels)}: ${summaryOf(all)?.what ?? message}`,
    };
  }
  const own = tried.filter((one) => one.label === label);
  const names = own.flatMap(({ client }) =>
    group.some((one) => one.client === client.id) ? client.name : [],
  );
  const hooks = [...new Set(group.flatMap(({ hook }) => hook ?? []))].sort((a, b) => a - b);
  const texts = [...new Set(group.flatMap(({ text }) => text ?? []))];
  return {
    ...about,
    alike: [names, hooks, texts, todoForAll],
    say: (labels) => messages.noSuchServer(listed(labels), names, hooks, texts),
  };
}
