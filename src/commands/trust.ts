/** `install --trust`, and the question that stands for it: Codex is told that the user trusts what was just installed. */

import { apply } from '../apply.ts';
import { codex } from '../clients/codex.ts';
import { findCodex, grantTrust, type HookTrust, readTrust } from '../codex/trust.ts';
import { equal } from '../edit/value.ts';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { type Places, tilde } from '../places.ts';
import type { ClientPlan } from '../plan.ts';
import { hookInWords, type Shown } from '../show.ts';
import { inLine, visible } from '../visible.ts';
import { readWritten, type WrittenHook } from '../written.ts';
import { type Context, disk, OK, patiently, TROUBLE } from './context.ts';
import type { Done } from './install.ts';

export interface TrustOptions {
  /** Seconds until a Codex that does not answer is ended. */
  readonly timeout: number;
  readonly json?: boolean;
  /** Asks the user; without it the user has said `--trust`. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** Plans the install anew. */
  readonly again: () => Shown;
}

/** The hooks are written. Whatever happens here leaves them so. */
export async function trust(
  { terminal, cwd }: Context,
  { plan }: Shown,
  { timeout, json, ask, again }: TrustOptions,
): Promise<Done> {
  const { places } = plan;
  const mine = plan.clients.find(({ client }) => client.id === codex.id);
  const say = (sentence: string) => {
    if (!json) terminal.out(`${codex.name}: ${sentence}\n`);
  };
  const done = (
    code: number,
    hooks: readonly HookTrust[],
    granted: readonly HookTrust[],
    problem: string | null = null,
  ): Done => ({
    code,
    json: { trust: { granted: granted.map(asJson), hooks: hooks.map(asJson), problem } },
  });
  if (!mine) {
    if (!json) terminal.out(`${messages.codexNotChosen}\n`);
    return done(OK, [], [], messages.codexNotChosen);
  }

  const hand = codex.afterInstall ?? '';
  const hooks = installed(mine, plan.label, places);
  const found = findCodex({ places, cwd });
  if (!found) {
    const problem = ask ? hand : messages.codexNotThere(hand);
    say(problem);
    return done(OK, [], [], problem);
  }
  const at = { places, cwd, codex: found, deadline: timeout * 1000 };
  const asking = 'Asking Codex which hooks it runs ...';
  if (ask) {
    const now = await patiently(terminal, asking, () => readTrust(hooks, at));
    const waiting = now.hooks.filter(isWaiting);
    if (now.from === 'file' || waiting.length === 0) {
      if (now.hooks.some((one) => one.trust !== 'trusted')) say(hand);
      return done(OK, now.hooks, []);
    }
    say(messages.codexAsked(inWords(waiting, places)));
    if (!(await ask(messages.codexQuestion))) {
      say(hand);
      return done(OK, now.hooks, []);
    }
  }
  try {
    const { granted, after } = await patiently(terminal, asking, () => grantTrust(hooks, at));
    if (granted.length > 0) {
      say(messages.codexTrusts(inWords(granted, places)));
      await remember(again);
    } else if (after.every((one) => one.trust === 'trusted')) say(messages.codexTrustsAlready);
    const off = after.filter((one) => one.trust === 'disabled');
    if (off.length > 0)
      say(`${messages.codexSwitchedOff(inWords(off, places))} ${messages.codexSwitchOn}`);
    const [unseen] = after.filter((one) => one.trust === 'unknown');
    if (!unseen) return done(OK, after, granted);
    const problem = `${unseen.why ?? ''}.`;
    terminal.err(`${codex.name}: ${messages.trustFailed(problem)}\n`);
    return done(TROUBLE, after, granted, problem);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const lines = [error.message, ...error.details, messages.trustFailed(hand)];
    terminal.err(`${lines.map((line) => visible(line)).join('\n')}\n`);
    return done(TROUBLE, [], [], [error.message, ...error.details].join(' '));
  }
}

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

/** Codex has written into its file, which is no reason for `list` to say that somebody has. */
async function remember(again: () => Shown): Promise<void> {
  const plan = () => {
    const { plan } = again();
    // Whatever else has come between is for the next install to show.
    if (plan.clients.some(({ change, refusal }) => change || refusal))
      throw new UserError(messages.changedWhileAsked);
    return plan;
  };
  try {
    await apply(plan(), plan);
  } catch (error) {
    if (!(error instanceof UserError)) throw error; // the hooks and the trust are there all the same
  }
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
