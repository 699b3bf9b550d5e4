/** The contract of a file that follows another convention for hooks, and how these become ours. */

import type { CommandFolder } from '../../declaration/command.ts';
import { LABEL } from '../../declaration/declaration.ts';
import {
  error,
  type KeyPath,
  type Problem,
  type ServerHooks,
  type ServerLaunch,
  type Source,
} from '../../declaration/declared.ts';
import type { Document } from '../../declaration/document.ts';
import { beyondLimits } from '../../declaration/limits.ts';
import { type Doubts, readDeclarations } from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import type { SourceMessage } from '../messages.ts';

export interface Convention {
  readonly is: (value: unknown) => boolean;
  readonly read: (value: unknown) => Translation;
}

export interface Translation {
  readonly entries: readonly Translated[];
  readonly problems: readonly Problem[];
  /** How the servers of the tools are started, if the file says so. */
  readonly servers?: Readonly<Record<string, ServerLaunch>>;
}

export interface Translated {
  /** A hook as in a manifest of version 2. */
  readonly hook: Readonly<Record<string, unknown>>;
  /** Its place in the document. */
  readonly path: KeyPath;
  /** The server whose tool it calls. */
  readonly server?: string;
}

/** What was read, and what must still be found or chosen. */
export interface ByConvention {
  readonly declared: ServerHooks;
  /** The configured server whose tools are called, if the file does not say how it is started. */
  readonly named?: string;
  /** Servers, if the user must choose one of them by its name. */
  readonly several?: readonly string[];
}

export interface Around {
  readonly source: Source;
  readonly name?: string | undefined;
  /** The label if the user gives none and no server's tools are called. */
  readonly label: string;
  readonly commandsFrom?: CommandFolder | undefined;
  readonly doubts: Doubts;
}

export function readByConvention(
  document: Document,
  convention: Convention,
  around: Around,
): ByConvention {
  const { entries, problems: wrong, servers = {} } = convention.read(document.value);
  const known = [...new Set(entries.flatMap(({ server }) => server ?? []))];
  const several = known.length > 1 && !known.includes(around.name ?? '') ? known : undefined;
  // A label belongs to one server, so of several servers only the one with its name counts.
  const chosen = known.length > 1 && !several ? around.name : undefined;
  const own = chosen === undefined ? entries : entries.filter(({ server }) => server === chosen);
  const server = chosen ?? (known.length === 1 ? known[0] : undefined);
  const label = around.name ?? server ?? around.label;

  const problems: Problem[] = [...document.problems, ...wrong];
  if (!LABEL.test(label))
    problems.push(error<DeclarationMessage>({ code: 'bad-label', label }, []));
  const hooks = { declarations: own.map(({ hook }) => hook) };
  /** Maps a place in the hooks that we made to the place that they came from. */
  const back = (one: Problem): Problem => {
    const entry = own[Number(one.path[1])];
    return { ...one, path: entry?.path ?? [] };
  };
  const beyond = beyondLimits(hooks, []);
  const read =
    beyond.length > 0
      ? { declarations: [], problems: [], unsupported: [] }
      : readDeclarations(hooks, [], around.doubts, [], {
          version: 2,
          commandsFrom: around.commandsFrom,
        });
  const { declarations, problems: found, unsupported: _, ...bound } = read;
  problems.push(...[...beyond, ...found].map(back));
  const launch = server === undefined ? undefined : servers[server];
  const others = known.filter((one) => one !== server);
  const note: SourceMessage | undefined =
    chosen === undefined ? undefined : { code: 'of-one-server', name: chosen, others };
  return {
    declared: {
      label,
      hooks: declarations,
      ...(launch && { server: launch }),
      source: around.source,
      problems: document.place(problems),
      unsupported: [],
      ...(note && { notes: [note] }),
      ...bound,
    },
    ...(server !== undefined && !launch && { named: server }),
    ...(several && { several }),
  };
}
