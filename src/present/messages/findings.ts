/** The output of `doctor` about its findings: one sentence for all findings that differ only in their client, hook or file. */

import type { CompileMessage } from '../../compile/messages.ts';
import type { Level } from '../../diagnose/doctor/check.ts';
import type { DiagnoseMessage, TrustMessage } from '../../diagnose/messages.ts';
import { type Message, said } from '../../system/errors.ts';
import { count, hooksInWords, listed } from '../../system/plurals.ts';
import { messages } from './output.ts';
import { joinedSentences, librarySentence, sentence } from './sentence.ts';
import { merged, sameIn } from './several.ts';

type FindingMessage = DiagnoseMessage | TrustMessage | CompileMessage;
/** A fact of a sentence that has names in braces. */
type Fact = string | number | readonly string[];
type Of<Code extends FindingMessage['code']> = Extract<FindingMessage, { readonly code: Code }>;

/** The parts of a finding that sentences use. */
export interface Found<M extends Message = Message> {
  readonly level: Level;
  /** A client's name, a label, or mcp-hooks itself. */
  readonly about: string;
  readonly what: M;
  readonly todo?: Message | undefined;
}

export interface Summary {
  readonly what: string;
  /** One entry per line: sentences, or commands to copy. */
  readonly todo: readonly string[];
  /** Whether to name the files of the findings. */
  readonly files?: boolean;
}

interface Summing<M extends Message> {
  /** The part that must be equal in all findings of one sentence. */
  readonly by?: (found: Found<M>) => unknown;
  /** The finding is the same for every label, so it is printed once, with those about the machine. */
  readonly ofAll?: boolean;
  /** The part that must be equal for `say` to make one sentence for several labels. Absent: the sentence itself. */
  readonly alike?: (all: readonly Found<M>[]) => unknown;
  readonly say: (all: readonly Found<M>[]) => Summary;
}

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];

/** The clients that findings are about. */
const abouts = (all: readonly Found[]): string[] => distinct(all.map(({ about }) => about));

/** The clients that findings of a label name. */
const clientsIn = (all: readonly Found<Message & { readonly client: Fact }>[]): string[] =>
  distinct(all.flatMap(({ what }) => [what.client].flat().map(String)));

const has = (clients: readonly string[]): string =>
  `${listed(clients)} ${clients.length > 1 ? 'have' : 'has'}`;

const todosOf = (all: readonly Found[]): string[] =>
  distinct(all.flatMap(({ todo }) => (todo === undefined ? [] : sentence(todo))));

/** The facts of the todos with this code. */
const factsOf = <Code extends FindingMessage['code']>(
  all: readonly Found[],
  code: Code,
): Of<Code>[] => all.flatMap(({ todo }) => (todo?.code === code ? (todo as Of<Code>) : []));

/** A list of names, shortened if there are many. */
const some = (names: readonly string[]): string =>
  names.length > 4 ? listed([...names.slice(0, 3), `${names.length - 3} more`]) : listed(names);

type Entry = Of<'hook-untrusted' | 'hook-changed' | 'hook-disabled' | 'hook-unknown'>;

/** @param say Formats a sentence from the client, its hooks, and "it has" or "they have". */
const ofEntries = <M extends Entry>(
  say: (client: string, hooks: string, have: string) => string,
): Summing<M> => ({
  by: ({ todo }) => todo,
  say: (all) => {
    const events = distinct(all.map(({ what }) => what.native));
    const hooks = `the ${events.length > 1 ? 'hooks' : 'hook'} for ${listed(events)}`;
    const [trusting] = factsOf(all, 'trust-by-hand');
    return {
      what: say(clientsIn(all).join(), hooks, events.length > 1 ? 'they have' : 'it has'),
      todo: trusting?.run === undefined ? todosOf(all) : [trusting.run],
    };
  },
});

/** Merges the same finding for several clients into one sentence. */
const mergedIn = <M extends Message>(all: readonly Found<M>[]): M =>
  merged(all.map(({ what }) => what));

const ofServers = <M extends Message>(
  todo: (all: readonly Found<M>[]) => readonly string[],
): Summing<M> => ({
  by: ({ what }) => sameIn(what),
  say: (all) => ({ what: sentence(mergedIn(all)), todo: todo(all) }),
});

const ofAdministrator = <M extends Message & { readonly label: Fact }>(
  say: (clients: readonly string[], label: Fact) => string,
): Summing<M> => ({
  by: ({ what }) => what.label,
  say: (all) => ({
    what: say(abouts(all), all[0]?.what.label ?? ''),
    todo: todosOf(all),
    files: true,
  }),
});

const summings: { readonly [Code in FindingMessage['code']]?: Summing<Of<Code>> } = {
  // Clients
  'not-on-path': {
    say: (all) => {
      const executables = all.map(({ what }) => String(what.executable));
      const removable = factsOf(all, 'install-or-take-out');
      const used = removable.map(({ id }) => id);
      const [scope = '', ...others] = new Set(removable.map((one) => one.scope));
      const where = others.length > 0 ? ' --scope <scope>' : scope;
      const takenOut = `mcp-hooks uninstall --all --client ${used.length === 1 ? used.join() : '<client>'}${where}`;
      const several =
        used.length === all.length
          ? `Install them, or remove their hooks: ${takenOut}`
          : used.length > 0
            ? `Install those that you use. To remove the hooks of ${listed(used, 'or')}: ${takenOut}`
            : 'Install those that you use.';
      return {
        what: `${listed(executables)} ${all.length > 1 ? 'are' : 'is'} not on the PATH`,
        todo: all.length > 1 ? [several] : todosOf(all),
      };
    },
  },
  'version-unknown': {
    say: (all) => {
      const asked = factsOf(all, 'ask-version').map(({ executable }) => `${executable} --version`);
      const known = all.map(({ about, what }) => `${about} ${what.verified}`);
      return {
        what: `mcp-hooks does not start ${listed(abouts(all), 'or')} to see its version; the hooks are known to fire in ${listed(known)}`,
        todo: all.length > 1 ? [`To see yours: ${listed(asked)}`] : todosOf(all),
      };
    },
  },
  'version-not-verified': {
    say: (all) => {
      const versions = all.map(
        ({ about, what }) => `${about} ${what.verified} (yours is ${what.version})`,
      );
      const ids = factsOf(all, 'verify-live').map(({ id }) => id);
      return {
        what: `the hooks are known to fire in ${listed(versions)}`,
        todo: [`To see whether they fire in yours: mcp-hooks verify --live --client ${ids.join()}`],
      };
    },
  },
  'not-used': {
    say: (all) => {
      const found = all.map(({ what }) => what.found);
      const ids = factsOf(all, 'install-in-client').map(({ id }) => id);
      return {
        what: `found ${listed(found)}, but no hooks are installed for ${listed(abouts(all))}`,
        todo: [`To install hooks there, too: mcp-hooks install <server> --client ${ids.join()}`],
      };
    },
  },
  'entries-unrecorded': {
    by: ({ what, todo }) => [what.label, todo],
    say: (all) => ({
      what: `${has(abouts(all))} entries of ${all[0]?.what.label}, which are not in the record of what is installed`,
      todo: todosOf(all),
      files: true,
    }),
  },
  'copied-here': {
    by: ({ what }) => what.label,
    say: (all) => ({
      what: `${has(abouts(all))} entries of ${all[0]?.what.label} without an install: edited, or copied from elsewhere`,
      todo: todosOf(all),
      files: true,
    }),
  },
  'other-state-folder': {
    by: ({ what }) => what.other,
    say: (all) => ({
      what: `${listed(abouts(all))} ${all.length > 1 ? 'run' : 'runs'} hooks of another state folder than ${all[0]?.what.own}: ${all[0]?.what.other}`,
      todo: todosOf(all),
      files: true,
    }),
  },
  'state-folder-gone': {
    by: ({ what }) => what.state,
    say: (all) => ({
      what: `${has(abouts(all))} hooks whose runner is no longer there: ${all[0]?.what.state}`,
      todo: todosOf(all),
      files: true,
    }),
  },
  'from-administrator': ofAdministrator(
    (clients, label) => `${has(clients)} hooks of ${label} from the administrator of this machine`,
  ),
  'from-administrator-too': ofAdministrator(
    (clients, label) =>
      `${listed(clients)} also ${clients.length > 1 ? 'have' : 'has'} hooks of ${label} from the administrator of this machine; yours take precedence`,
  ),
  'administrator-runner-gone': ofAdministrator(
    (clients, label) =>
      `${has(clients)} hooks of ${label} from the administrator of this machine, but their runner is missing: they do nothing`,
  ),
  'folder-undecided': {
    by: ({ what }) => what.folder,
    say: (all) => {
      const clients = abouts(all);
      return {
        what: `${listed(clients)} ${clients.length > 1 ? 'run' : 'runs'} no hooks here until you trust ${all[0]?.what.folder}`,
        todo: todosOf(all),
      };
    },
  },
  'folder-refused': {
    by: ({ what }) => what.folder,
    say: (all) => ({
      what: `${all[0]?.what.folder} is not trusted in ${listed(abouts(all))}, so no hooks run here`,
      todo: todosOf(all),
    }),
  },

  // Trust
  'hook-untrusted': ofEntries((client, hooks) => `${client} does not trust ${hooks} yet`),
  'hook-changed': ofEntries(
    (client, hooks, have) => `${client} no longer trusts ${hooks}: ${have} changed`,
  ),
  'hook-disabled': ofEntries((client, hooks) => `you switched off ${hooks} in ${client}`),
  'hook-unknown': ofEntries(
    (client, hooks) => `mcp-hooks cannot tell whether ${client} runs ${hooks}`,
  ),

  // What is installed under a label
  'runner-part-missing': {
    say: (all) => ({
      what: `runner damaged (${some(all.map(({ what }) => String(what.file)))} ${all.length > 1 ? 'are' : 'is'} missing): its hooks do nothing`,
      todo: todosOf(all),
    }),
  },
  'runner-altered': {
    say: (all) => ({
      what: `its runner was modified (${some(all.map(({ what }) => String(what.file)))})`,
      todo: todosOf(all),
    }),
  },
  'looks-elsewhere': {
    say: (all) => {
      const then = factsOf(all, 'start-as-then');
      const [first] = then;
      const what = [...new Set(all.map((one) => sentence(one.what)))].join('. ');
      if (!first || clientsIn(all).length === 1) return { what, todo: todosOf(all) };
      const variables = [...new Set(then.flatMap((one) => one.variables))];
      const todo = said<DiagnoseMessage>({ ...first, client: 'them', variables });
      return { what, todo: [sentence(todo)] };
    },
  },
  'tools-not-granted': {
    say: (all) => {
      const hooks = all.flatMap(({ what }) => what.hooks);
      const skipped = `${hooksInWords(hooks)} ${hooks.length > 1 ? 'were' : 'was'} skipped`;
      const [open] = factsOf(all, 'puts-in-when-allowed');
      const [allowed] = factsOf(all, 'puts-in');
      return open
        ? {
            what: `${skipped}: ${listed(open.grants)} is not allowed`,
            todo: [`${open.command} --allow ${open.grants.join()}`],
          }
        : {
            what: `${skipped} at the install, but your policy.json allows it now`,
            todo: allowed ? [String(allowed.command)] : [],
          };
    },
  },
  'unknown-server-named': ofServers((all) => {
    const [add] = factsOf(all, 'add-own-server');
    return [
      add
        ? `${add.command} --with-server`
        : 'Add that server there, or change the name in the declaration.',
    ];
  }),
  'own-server-missing': {
    by: ({ what }) => what.name,
    alike: clientsIn,
    say: (all) => {
      const [add] = factsOf(all, 'add-own-server');
      const names = distinct(all.map(({ what }) => what.name));
      const together: Of<'own-server-missing'> = { ...mergedIn(all), names };
      return {
        what: librarySentence(together),
        todo: add ? [`${add.command} --with-server`] : [],
      };
    },
  },
  'own-server-renamed': ofServers((all) =>
    distinct(factsOf(all, 'takes-name').map(({ command }) => String(command))),
  ),
  'server-not-looked-at': {
    ofAll: true,
    say: (all) => ({
      what: `the ${all.length > 1 ? 'servers' : 'server'} of ${listed(abouts(all))} ${all.length > 1 ? 'were' : 'was'} not started; --servers does that`,
      todo: [],
    }),
  },
  'last-call-failed': {
    by: ({ what, todo }) => [what.hooks, what.why, todo],
    say: (all) => {
      const events = clientsIn(all).map((client) => {
        const own = all.filter(({ what }) => what.client === client);
        return `${client} (${distinct(own.map(({ what }) => what.native)).join(', ')})`;
      });
      const { hooks = [], why = [] } = all[0]?.what ?? {};
      return {
        what: `the last tool call of ${hooksInWords(hooks)} failed in ${listed(events)}: ${joinedSentences(why)}`,
        todo: todosOf(all),
      };
    },
  },
};

const summingOf = ({ what }: Found): Summing<Message> | undefined =>
  // Each finding is passed only to the sentence of its own code; the cast only restores the lost type.
  (summings as Readonly<Record<string, Summing<Message>>>)[what.code];

/** What findings must have in common to be merged into one sentence. Undefined if there is no such sentence. */
export const commonTo = (found: Found): readonly unknown[] | undefined => {
  const summing = summingOf(found);
  return summing && [found.what.code, summing.by?.(found) ?? null];
};

/** Whether the finding is about labels, but printed once for all of them. */
export const isOfAll = (found: Found): boolean => summingOf(found)?.ofAll === true;

/** What findings of several labels must have in common to be one sentence, if this is not the sentence about one label. */
export const alikeInLabels = (all: readonly [Found, ...Found[]]): unknown =>
  summingOf(all[0])?.alike?.(all);

export const summaryOf = (all: readonly [Found, ...Found[]]): Summary | undefined =>
  summingOf(all[0])?.say(all);

export const doctorMessages = {
  machine: 'This machine',
  levels: { ok: 'ok', info: 'note', warning: 'warning', error: 'error' } satisfies Record<
    Level,
    string
  >,
  passed: (passed: number, verbose: boolean) =>
    `${count(passed, 'check')} passed${verbose ? '' : ' (--verbose)'}.`,
  /** @param notFiringIn As in `showFindings`. */
  verdict: (errors: number, warnings: number, notFiringIn: readonly string[] | undefined) => {
    const where = notFiringIn?.length ? ` in ${listed(notFiringIn)}` : '';
    const fires = notFiringIn === undefined ? '.' : `: a hook does not fire${where}.`;
    if (errors > 0) return `${count(errors, 'error')}, ${count(warnings, 'warning')}${fires}`;
    return warnings > 0 ? `No errors, ${count(warnings, 'warning')}.` : 'No problems found.';
  },
  /** @param installs The total number of installed labels. */
  nothing: (installs: number, broken: boolean) => {
    if (broken) return messages.installedUnknown;
    return installs === 0 ? messages.nothingInstalled : 'No matching hooks are installed.';
  },
} as const;
