/** `install --trust`, and the question that stands for it: clients are told that the user trusts what was just installed. */

import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { handlersIn } from '../../clients/entries.ts';
import { hasNot } from '../../clients/gaps.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { TRUSTING, trustIn, trustOf } from '../../clients/registry.ts';
import type { HookTrust, Trust, TrustQuestion } from '../../clients/trust.ts';
import { equal } from '../../edit/value.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import type { Executable } from '../../system/child.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/codes.ts';
import { sentence } from '../messages/sentence.ts';
import { hookInWords } from '../messages/words.ts';
import type { Shown } from '../render/plan.ts';
import { troubleSentences, trustMessages } from '../trust-messages.ts';
import type { Done } from './carry-out.ts';
import { type Context, OK, patiently, TROUBLE } from './context.ts';

export interface TrustOptions {
  /** Seconds until a client that does not answer is ended. */
  readonly timeout: number;
  readonly json?: boolean;
  /** Asks the user; without it the user has said `--trust`. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** The hooks are written. Whatever happens here leaves them so. */
export async function trust(
  context: Context,
  { plan }: Shown,
  options: TrustOptions,
): Promise<Done> {
  const { terminal } = context;
  const outcomes: Outcome[] = [];
  for (const own of plan.clients) {
    const trust = trustOf(own.client);
    if (trust) outcomes.push(await trustOne(context, { own, plan, trust }, options));
  }
  if (outcomes.length > 0) return done(outcomes);
  const problem = trustMessages.notChosen(TRUSTING.map(({ client }) => client));
  if (!options.json) terminal.out(`${problem}\n`);
  return done([{ problem }]);
}

/** One client, and what is said of it. */
interface Asking {
  readonly client: Client;
  readonly trust: Trust;
  readonly hooks: readonly ConfiguredHook[];
  readonly question: TrustQuestion;
  readonly say: (sentence: string) => void;
}

async function trustOne(
  context: Context,
  { own, plan, trust }: { own: ClientPlan; plan: Shown['plan']; trust: Trust },
  { json, ask, timeout }: TrustOptions,
): Promise<Outcome> {
  const { terminal, cwd } = context;
  const { places, label } = plan;
  const { client, compiled } = own;
  const say = (sentence: string) => {
    if (!json) terminal.out(`${client.name}: ${sentence}\n`);
  };
  const version = compiled?.version;
  if (!trustIn(client, version)) {
    const problem = trustMessages.asksForNoTrust(version ?? '');
    say(problem);
    return { problem };
  }
  const hooks = installed(own, label, places).filter(
    ({ native }) => !hasNot(client, version, native),
  );
  // Clients leave files of their own wherever they start, so their own record is read until the user agrees.
  const question = { places, read: disk.read, cwd };
  const one = { client, trust, hooks, question, say };
  const found = which(client.executable, places);
  if (found === undefined) {
    const { hooks: after } = await trust.read(hooks, question);
    const problem = ask ? trust.byHand : trustMessages.notThere(client, trust);
    if (!ask) say(problem);
    return { after, problem };
  }
  if (ask && !(await agreed(one, ask))) return {};
  return grant(context, one, { ...question, launch: [found], deadline: timeout * 1000 });
}

/**
 * Whether the user agrees.
 *
 * @throws Interrupted on ctrl-C, with what is written already.
 */
async function agreed(
  { client, trust, hooks, question, say }: Asking,
  ask: (question: string) => Promise<boolean>,
): Promise<boolean> {
  const { hooks: now } = await trust.read(hooks, question);
  const waiting = now.filter(isWaiting);
  if (waiting.length === 0) return false;
  say(trustMessages.waiting(client, inWords(waiting, question.places)));
  try {
    return await ask(trustMessages.question(client));
  } catch (error) {
    if (error instanceof Interrupted)
      throw new Interrupted<CliMessage>({ code: 'only-trust-missing', todo: trust.byHand });
    throw error;
  }
}

async function grant(
  { terminal }: Context,
  { client, trust, hooks, say }: Asking,
  question: TrustQuestion & { readonly launch: Executable },
): Promise<Outcome> {
  const { places } = question;
  const result = await patiently(terminal, trustMessages.asking(client), () =>
    trust.grant(hooks, question),
  );
  if ('trouble' in result) {
    const said = troubleSentences(result.trouble);
    const lines = [...said, trustMessages.onlyTrustMissing(trust.byHand)];
    terminal.err(`${lines.map((line) => inLine(line, 10_000)).join('\n')}\n`);
    return { code: TROUBLE, problem: said.join(' ') };
  }
  const { granted, after } = result;
  if (granted.length > 0) say(trustMessages.trusts(client, inWords(granted, places)));
  else if (after.every((one) => one.trust === 'trusted')) say(trustMessages.trustsAlready(client));
  const off = after.filter((one) => one.trust === 'disabled');
  if (off.length > 0) say(trustMessages.switchedOff(client, trust, inWords(off, places)));
  const [unseen] = after.filter(
    (one) => one.trust === 'unknown' && one.why?.code !== 'lacks-event',
  );
  if (!unseen) return { granted, after };
  const problem = `${unseen.why ? sentence(unseen.why) : ''}.`;
  terminal.err(`${client.name}: ${trustMessages.onlyTrustMissing(problem)}\n`);
  return { code: TROUBLE, granted, after, problem };
}

/** What came of one client. */
interface Outcome {
  readonly code?: number;
  readonly granted?: readonly HookTrust[];
  readonly after?: readonly HookTrust[];
  readonly problem?: string;
}

const done = (outcomes: readonly Outcome[]): Done => {
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  return {
    code: Math.max(...outcomes.map(({ code = OK }) => code)),
    json: {
      trust: {
        granted: outcomes.flatMap(({ granted = [] }) => granted.map(asJson)),
        hooks: outcomes.flatMap(({ after = [] }) => after.map(asJson)),
        problem: problems.length > 0 ? problems.join(' ') : null,
      },
    },
  };
};

/** Those entries of the label that say exactly what was planned: nothing else is agreed to. */
function installed(
  { client, path, compiled }: ClientPlan,
  label: string,
  places: Places,
): readonly ConfiguredHook[] {
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

const isWaiting = (one: HookTrust): boolean => ['untrusted', 'changed'].includes(one.trust);

/** Events and their tools, and the file: they are all in one. */
function inWords(hooks: readonly HookTrust[], { home }: Places): string {
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
