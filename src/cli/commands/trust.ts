/**
 * `mcp-hooks trust`, `install --trust` and the question that replaces it: record in clients that the user trusts the installed
 * hooks.
 */

import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { handlersIn } from '../../clients/entries.ts';
import { findPlaces, type Places, tilde } from '../../clients/places.ts';
import { TRUSTING } from '../../clients/registry.ts';
import type { HookTrust, Trust } from '../../clients/trust.ts';
import { readInstalled } from '../../diagnose/fire/installed.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { equal } from '../../edit/value.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { lookAt, runnerDrift } from '../../install/drift.ts';
import { readLedger } from '../../install/ledger.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import { siteOf, trustLine } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { sentence, troubleSentences } from '../../present/messages/sentence.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { hookInWords } from '../../present/messages/words.ts';
import { inLines } from '../../present/render/lines.ts';
import type { Shown } from '../../present/render/plan.ts';
import type { Executable } from '../../system/child.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted, said, UserError } from '../../system/errors.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { Done } from './carry-out.ts';
import {
  ASKED,
  type Command,
  type Context,
  type Flags,
  isQuiet,
  OK,
  scopeOption,
  TROUBLE,
  timeoutOption,
} from './command.ts';
import { notInstalled } from './nothing-installed.ts';
import { installedAs } from './prepare.ts';
import { withProgressAfter } from './progress.ts';
import { eachOf } from './several.ts';

export const trust: Command = {
  name: 'trust',
  group: 'Manage',
  summary: trustMessages.commandHelp(ASKED),
  operands: '<labels...>',
  options: [scopeOption(), timeoutOption(trustMessages.ownTimeoutHelp(ASKED), 20)],
  examples: ['trust annal'],
  run,
};

/**
 * Hooks of one or several labels in one request. They are already written, and stay whatever happens here. `ask` is absent if
 * the user passed `--trust`.
 */
export async function trustPlanned(
  context: Context,
  all: readonly [Shown, ...Shown[]],
  flags: Flags,
  ask?: Ask,
): Promise<Done> {
  const [{ plan: first }] = all;
  const meant = TRUSTING.flatMap(({ client, trust }): HooksToTrust[] => {
    const planned = all.flatMap(({ plan: { label, clients } }) =>
      clients.flatMap((one) => (one.client === client && one.compiled ? { label, one } : [])),
    );
    if (planned.length === 0) return [];
    const hooks = planned.flatMap(({ label, one }) => plannedEntries(one, label, first.places));
    const labels = planned.map(({ label }) => label);
    const hasHooks = planned.some(({ one }) => (one.compiled?.groups.length ?? 0) > 0);
    return [{ client, trust, labels, hooks, hasHooks }];
  });
  return trustEach(context, first.places, meant, flags, ask);
}

async function run(context: Context, labels: readonly string[], flags: Flags): Promise<number> {
  const all = [...new Set(labels)].map((name) => ({ name }));
  const [only, ...others] = all;
  if (only && others.length === 0) return trustInstalled(context, only.name, flags);
  return eachOf(context, all, flags, (at, { name }) => trustInstalled(at, name, flags));
}

/**
 * Trusts only entries that are as they were installed, with an unmodified runner.
 *
 * @throws UserError for a label that is not installed.
 */
async function trustInstalled(context: Context, label: string, flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const known = installedAs(places, label);
  if (!known)
    throw notInstalled(context, label, places, readLedger(places.state, disk.read).ledger);
  const { ledger } = readLedger(places.state, disk.read);
  const runner = runnerDrift(known, places, disk.read);
  const everything = readInstalled(places, disk);
  const meant: HooksToTrust[] = [];
  const altered: (DiagnoseMessage | CliMessage)[] = [];
  for (const { client, trust } of TRUSTING.filter(({ client }) =>
    known.clients.includes(client.id),
  )) {
    const events = everything.of(label, client)?.events ?? [];
    const { state, drift } = lookAt(client.id, known, places, ledger, { runner, read: disk.read });
    // Other entries before ours do not matter: ours have the same effect.
    if (drift.some(({ code }) => code !== 'entry-moved'))
      altered.push({ code: 'altered-in', client: client.name, state });
    // Drift does not cover entries that are missing from the ledger.
    else altered.push(...events.flatMap(({ notRun }) => notRun));
    const hooks = events.flatMap(({ entries }) => entries);
    meant.push({ client, trust, labels: [label], hooks, hasHooks: hooks.length > 0 });
  }
  if (altered.length > 0)
    throw new UserError<CliMessage | DiagnoseMessage>({ code: 'not-as-installed', label }, altered);
  const { code, json } = await trustEach(context, places, meant, flags);
  if (flags.json) terminal.out(toJson({ label, ...json }));
  return code;
}

async function trustEach(
  context: Context,
  places: Places,
  meant: readonly HooksToTrust[],
  flags: Flags,
  ask?: Ask,
): Promise<Done> {
  const { terminal } = context;
  const outcomes: Outcome[] = [];
  const at = { ...context, places, flags, ask };
  for (const one of meant.filter(({ hasHooks }) => hasHooks)) {
    const warn = (sentence: string) => {
      if (!flags.json) terminal.out(`${wrap(inLine(sentence), terminal.columns, '  ', '')}\n`);
    };
    const say = isQuiet(flags) ? () => {} : warn;
    outcomes.push(await trustOne({ ...at, ...one, say, warn }));
  }
  if (outcomes.length > 0) return trustResult(outcomes);
  const [without] = meant;
  const problem = without
    ? trustMessages.hasNone(without.client, without.labels)
    : trustMessages.notChosen(ASKED);
  if (!flags.json) terminal.out(`${wrap(problem, terminal.columns, '')}\n`);
  return trustResult([{ problem }]);
}

type Ask = (question: string) => Promise<boolean>;

/** A client, and the hooks that it should trust. */
interface HooksToTrust {
  readonly client: Client;
  readonly trust: Trust;
  readonly labels: readonly string[];
  readonly hooks: readonly ConfiguredHook[];
  /** Whether any of the labels has hooks in this client. */
  readonly hasHooks: boolean;
}

interface Asking extends Omit<Context, 'version'>, HooksToTrust {
  readonly places: Places;
  readonly flags: Flags;
  readonly say: (sentence: string) => void;
  /** Prints even if only problems are wanted. */
  readonly warn: (sentence: string) => void;
  readonly ask: Ask | undefined;
}

async function trustOne(asking: Asking): Promise<Outcome> {
  const { cwd, places, client, trust, hooks, say, warn, ask, flags } = asking;
  // Clients write files of their own wherever they start, so until the user agrees we only read their record.
  const question = { places, read: disk.read, cwd };
  const found = which(client.executable, places);
  if (found === undefined) {
    const { hooks: after } = await trust.read(hooks, question);
    const problem = ask ? trust.byHand : trustMessages.notThere(client);
    if (!ask) warn(problem);
    // With `install --trust`, the install itself has succeeded.
    return { after, problem, ...(!ask && !flags.trust && { code: TROUBLE }) };
  }
  if (ask) {
    const waiting = (await trust.read(hooks, question)).hooks.filter(isWaiting);
    if (waiting.length === 0) return {};
    say(trustMessages.waiting(client, hooksInFile(waiting, places)));
    if (!(await agreed(asking, ask))) return {};
  }
  const launch: Executable = [found];
  const result = await withProgressAfter(asking, trustMessages.asking(client), () =>
    trust.grant(hooks, { ...question, launch, deadline: flags.timeout * 1000 }),
  );
  return outcomeOf(result, asking);
}

/** @throws Interrupted on ctrl-C, with a message about what is already written. */
async function agreed({ client, labels, places }: Asking, ask: Ask): Promise<boolean> {
  try {
    return await ask(trustMessages.question(client));
  } catch (error) {
    if (error instanceof Interrupted)
      throw new Interrupted<CliMessage>({
        code: 'only-trust-missing',
        todo: trustMessages.giveLater(trustLine(labels, siteOf(places))),
      });
    throw error;
  }
}

function outcomeOf(result: Awaited<ReturnType<Trust['grant']>>, asking: Asking): Outcome {
  const { terminal, places, client, trust, say, warn } = asking;
  if ('trouble' in result) {
    const words = troubleSentences(result.trouble);
    terminal.err(inLines([...words, onlyTrustMissing(trust.byHand)]));
    return { code: TROUBLE, problem: words.join(' ') };
  }
  const { granted, after } = result;
  const labels = labelsOf(granted);
  if (labels.length > 1) say(trustMessages.trustsAllOf(client, labels));
  else if (granted.length > 0) say(trustMessages.trusts(client, hooksInFile(granted, places)));
  else if (after.every((one) => one.trust === 'trusted'))
    say(trustMessages.trustsAlready(client, labelsOf(after)));
  const off = after.filter((one) => one.trust === 'disabled');
  if (off.length > 0) warn(trustMessages.switchedOff(client, trust, hooksInFile(off, places)));
  const unseen = after.find((one) => one.trust === 'unknown');
  if (!unseen) return { granted, after };
  const problem = unseen.why ? `${sentence(unseen.why)}.` : trust.byHand;
  terminal.err(inLines([onlyTrustMissing(problem)]));
  return { code: TROUBLE, granted, after, problem };
}

const onlyTrustMissing = (todo: string): string =>
  sentence(said<CliMessage>({ code: 'only-trust-missing', todo }));

interface Outcome {
  readonly code?: number;
  readonly granted?: readonly HookTrust[];
  readonly after?: readonly HookTrust[];
  readonly problem?: string;
}

const trustResult = (outcomes: readonly Outcome[]): Done => {
  const problem = outcomes.flatMap((one) => one.problem ?? []).join(' ') || null;
  const granted = outcomes.flatMap((one) => one.granted?.map(asJson) ?? []);
  const hooks = outcomes.flatMap(({ after = [] }) => after.map(asJson));
  const code = Math.max(...outcomes.map((one) => one.code ?? OK));
  return { code, json: { trust: { granted, hooks, problem } } };
};

/** The label's entries that are exactly as planned. The user does not agree to any others. */
function plannedEntries({ client, path, compiled }: ClientPlan, label: string, places: Places) {
  const planned = compiled?.groups ?? [];
  return readWritten(client, places, disk).hooks.filter(
    (hook) =>
      hook.path === path &&
      hook.label === label &&
      planned.some(
        ({ event, group }) =>
          event === hook.native &&
          handlersIn(client, group).some(
            ({ handler, matcher }) => matcher === hook.matcher && equal(handler, hook.handler),
          ),
      ),
  );
}

const labelsOf = (hooks: readonly HookTrust[]): string[] => [
  ...new Set(hooks.flatMap(({ hook }) => hook.label ?? [])),
];

const isWaiting = (one: HookTrust): boolean => ['untrusted', 'changed'].includes(one.trust);

function hooksInFile(hooks: readonly HookTrust[], { home }: Places): string {
  const names = hooks.map(({ hook }) => hookInWords(hook.native, hook.matcher)).join(', ');
  const [first] = hooks;
  return first ? `${names} in ${inLine(tilde(first.hook.path, home))}` : names;
}

const asJson = ({ hook, trust, why }: HookTrust): object => ({
  event: hook.native,
  ...(hook.matcher !== undefined && { matcher: hook.matcher }),
  file: hook.path,
  trust,
  ...(why && { why: sentence(why), code: why.code }),
});
