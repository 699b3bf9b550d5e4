/** `install --trust`, and the question that stands for it: Codex is told that the user trusts what was just installed. */

import { codex } from '../../clients/codex/client.ts';
import {
  type At,
  findCodex,
  grantTrust,
  type HookTrust,
  readTrust,
} from '../../clients/codex/trust.ts';
import { hasNot, lacks } from '../../clients/gaps.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { equal } from '../../edit/value.ts';
import { readWritten, type WrittenHook } from '../../install/configured-hooks.ts';
import type { ClientPlan } from '../../install/planned-file.ts';
import type { Launch } from '../../system/child.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted, UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages.ts';
import { hookInWords, type Shown } from '../render/plan.ts';
import type { Done } from './carry-out.ts';
import { type Context, OK, patiently, TROUBLE } from './context.ts';

export interface TrustOptions {
  /** Seconds until a Codex that does not answer is ended. */
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
  const { terminal, cwd } = context;
  const { json, ask, timeout } = options;
  const { places } = plan;
  const mine = plan.clients.find(({ client }) => client.id === codex.id);
  if (!mine) {
    if (!json) terminal.out(`${messages.codexNotChosen}\n`);
    return done(OK, { problem: messages.codexNotChosen });
  }
  const say = (sentence: string) => {
    if (!json) terminal.out(`${codex.name}: ${sentence}\n`);
  };
  const version = mine.compiled?.version;
  if (lacks(codex, 'trust', version)) {
    const problem = messages.asksForNoTrust(version ?? '');
    say(problem);
    return done(OK, { problem });
  }
  const hooks = installed(mine, plan.label, places).filter(
    ({ native }) => !hasNot(codex, version, native),
  );
  const found = findCodex({ places, cwd });
  if (!found) {
    const { hooks: after } = await readTrust(hooks, { places, cwd, codex: null });
    const problem = ask ? HAND : messages.codexNotThere(HAND);
    if (!ask) say(problem);
    return done(OK, { after, problem });
  }
  const at = { places, cwd, codex: found, deadline: timeout * 1000 };
  if (ask && !(await agreed(say, ask, hooks, at))) return done(OK, {});
  return grant(context, say, hooks, at);
}

const HAND = codex.afterInstall ?? '';
const ASKING = 'Asking Codex which hooks it runs ...';

/** Whether the user agrees. Codex leaves files of its own wherever it starts, so its own record is read until then. */
async function agreed(
  say: (sentence: string) => void,
  ask: (question: string) => Promise<boolean>,
  hooks: readonly WrittenHook[],
  { places, cwd }: At,
): Promise<boolean> {
  const { hooks: now } = await readTrust(hooks, { places, cwd, codex: null });
  const waiting = now.filter(isWaiting);
  if (waiting.length === 0) return false;
  say(messages.codexAsked(inWords(waiting, places)));
  return asked(ask);
}

/** @throws Interrupted on ctrl-C, with what is written already. */
async function asked(ask: (question: string) => Promise<boolean>): Promise<boolean> {
  try {
    return await ask(messages.codexQuestion);
  } catch (error) {
    if (error instanceof Interrupted) throw new Interrupted(messages.trustFailed(HAND));
    throw error;
  }
}

async function grant(
  { terminal }: Context,
  say: (sentence: string) => void,
  hooks: readonly WrittenHook[],
  at: At & { readonly codex: Launch },
): Promise<Done> {
  const { places } = at;
  try {
    const { granted, after } = await patiently(terminal, ASKING, () => grantTrust(hooks, at));
    if (granted.length > 0) say(messages.codexTrusts(inWords(granted, places)));
    else if (after.every((one) => one.trust === 'trusted')) say(messages.codexTrustsAlready);
    const off = after.filter((one) => one.trust === 'disabled');
    if (off.length > 0)
      say(`${messages.codexSwitchedOff(inWords(off, places))} ${messages.codexSwitchOn}`);
    const [unseen] = after.filter((one) => one.trust === 'unknown' && !one.gap);
    if (!unseen) return done(OK, { granted, after });
    const problem = `${unseen.why ?? ''}.`;
    terminal.err(`${codex.name}: ${messages.trustFailed(problem)}\n`);
    return done(TROUBLE, { granted, after, problem });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const said = [error.message, ...error.details];
    const lines = [...said, messages.trustFailed(HAND)];
    terminal.err(`${lines.map((line) => inLine(line, 10_000)).join('\n')}\n`);
    return done(TROUBLE, { problem: said.join(' ') });
  }
}

interface Outcome {
  readonly granted?: readonly HookTrust[];
  readonly after?: readonly HookTrust[];
  readonly problem?: string;
}

const done = (code: number, { granted = [], after = [], problem }: Outcome): Done => ({
  code,
  json: {
    trust: {
      granted: granted.map(asJson),
      hooks: after.map(asJson),
      problem: problem ?? null,
    },
  },
});

/** Those entries of the label that say exactly what was planned: nothing else is agreed to. */
function installed(
  { path, compiled }: ClientPlan,
  label: string,
  places: Places,
): readonly WrittenHook[] {
  const planned = compiled?.groups ?? [];
  return readWritten(codex, places, disk).hooks.filter(
    (hook) =>
      hook.path === path &&
      hook.label === label &&
      planned.some(
        ({ event, group }) =>
          event === hook.native &&
          equal(group.matcher, hook.matcher) &&
          equal(group.hooks, [hook.handler]),
      ),
  );
}

const isWaiting = (one: HookTrust): boolean => ['untrusted', 'changed'].includes(one.trust);

/** `PostToolUse of Bash, Stop in ~/.codex/config.toml`: they are all in one file. */
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
  ...(why && { why }),
});
