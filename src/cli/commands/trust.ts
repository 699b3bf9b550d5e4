/** `install --trust`, and the question that stands for it: clients are told that the user trusts what was just installed. */

import type { Client } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { handlersIn } from '../../clients/entries.ts';
import { hasNot } from '../../clients/gaps.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { TRUSTING, trustIn, trustOf } from '../../clients/registry.ts';
import type { HookTrust, Trust } from '../../clients/trust.ts';
import { equal } from '../../edit/value.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import type { Plan } from '../../install/plan.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import type { Executable } from '../../system/child.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { sentence, troubleSentences } from '../messages/sentence.ts';
import { trustMessages } from '../messages/trust.ts';
import { hookInWords } from '../messages/words.ts';
import { inLines } from '../render/lines.ts';
import type { Shown } from '../render/plan.ts';
import type { Done } from './carry-out.ts';
import { type Context, type Flags, OK, patiently, TROUBLE } from './context.ts';

/** The hooks are written, and stay so whatever happens here. Without `ask` the user has said `--trust`. */
export async function trust(
  context: Context,
  { plan }: Shown,
  flags: Flags,
  ask?: Ask,
): Promise<Done> {
  const { terminal } = context;
  const outcomes: Outcome[] = [];
  const { places, label } = plan;
  const at = { ...context, places, label, timeout: flags.timeout, ask };
  for (const one of plan.clients) {
    const say = (sentence: string) => {
      if (!flags.json) terminal.out(`${one.client.name}: ${sentence}\n`);
    };
    const trust = trustOf(one.client);
    if (trust) outcomes.push(await trustOne({ ...at, one, trust, say }));
  }
  if (outcomes.length > 0) return done(outcomes);
  const problem = trustMessages.notChosen(TRUSTING.map(({ client }) => client));
  if (!flags.json) terminal.out(`${problem}\n`);
  return done([{ problem }]);
}

type Ask = (question: string) => Promise<boolean>;

interface Asking extends Context, Pick<Plan, 'places' | 'label'>, Pick<Flags, 'timeout'> {
  readonly one: ClientPlan;
  readonly trust: Trust;
  readonly say: (sentence: string) => void;
  readonly ask: Ask | undefined;
}

async function trustOne(asking: Asking): Promise<Outcome> {
  const { terminal, cwd, places, label, one, trust, say, ask, timeout } = asking;
  const { client, compiled } = one;
  const version = compiled?.version;
  if (!trustIn(client, version)) {
    const problem = trustMessages.asksForNoTrust(version ?? '');
    say(problem);
    return { problem };
  }
  const hooks = installed(one, label, places).filter(
    ({ native }) => !hasNot(client, version, native),
  );
  // Clients leave files of their own wherever they start, so their own record is read until the user agrees.
  const question = { places, read: disk.read, cwd };
  const found = which(client.executable, places);
  if (found === undefined) {
    const { hooks: after } = await trust.read(hooks, question);
    const problem = ask ? trust.byHand : trustMessages.notThere(client, trust);
    if (!ask) say(problem);
    return { after, problem };
  }
  if (ask) {
    const waiting = (await trust.read(hooks, question)).hooks.filter(isWaiting);
    if (waiting.length === 0) return {};
    say(trustMessages.waiting(client, inWords(waiting, places)));
    if (!(await agreed(client, trust, ask))) return {};
  }
  const launch: Executable = [found];
  const result = await patiently(terminal, trustMessages.asking(client), () =>
    trust.grant(hooks, { ...question, launch, deadline: timeout * 1000 }),
  );
  return outcomeOf(result, asking);
}

/** @throws Interrupted on ctrl-C, with what is written already. */
async function agreed(client: Client, { byHand }: Trust, ask: Ask): Promise<boolean> {
  try {
    return await ask(trustMessages.question(client));
  } catch (error) {
    if (error instanceof Interrupted)
      throw new Interrupted<CliMessage>({ code: 'only-trust-missing', todo: byHand });
    throw error;
  }
}

function outcomeOf(result: Awaited<ReturnType<Trust['grant']>>, asking: Asking): Outcome {
  const { terminal, places, one, trust, say } = asking;
  const { client } = one;
  if ('trouble' in result) {
    const said = troubleSentences(result.trouble);
    terminal.err(inLines([...said, trustMessages.onlyTrustMissing(trust.byHand)]));
    return { code: TROUBLE, problem: said.join(' ') };
  }
  const { granted, after } = result;
  if (granted.length > 0) say(trustMessages.trusts(client, inWords(granted, places)));
  else if (after.every((one) => one.trust === 'trusted')) say(trustMessages.trustsAlready(client));
  const off = after.filter((one) => one.trust === 'disabled');
  if (off.length > 0) say(trustMessages.switchedOff(client, trust, inWords(off, places)));
  const unseen = after.find((one) => one.trust === 'unknown' && one.why?.code !== 'lacks-event');
  if (!unseen) return { granted, after };
  const problem = `${unseen.why ? sentence(unseen.why) : ''}.`;
  terminal.err(`${client.name}: ${trustMessages.onlyTrustMissing(problem)}\n`);
  return { code: TROUBLE, granted, after, problem };
}

interface Outcome {
  readonly code?: number;
  readonly granted?: readonly HookTrust[];
  readonly after?: readonly HookTrust[];
  readonly problem?: string;
}

const done = (outcomes: readonly Outcome[]): Done => {
  const problem = outcomes.flatMap((one) => one.problem ?? []).join(' ') || null;
  const granted = outcomes.flatMap((one) => one.granted?.map(asJson) ?? []);
  const hooks = outcomes.flatMap(({ after = [] }) => after.map(asJson));
  const code = Math.max(...outcomes.map((one) => one.code ?? OK));
  return { code, json: { trust: { granted, hooks, problem } } };
};

/** Those entries of the label that say exactly what was planned: nothing else is agreed to. */
function installed({ client, path, compiled }: ClientPlan, label: string, places: Places) {
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
