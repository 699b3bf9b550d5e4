/** The result of firing an event: as text for people, as JSON for scripts. */

import type { RunnerMessage } from '../../compile/runner-messages.ts';
import type { Condition } from '../../compile/second-stage.ts';
import type { FiredClient, Firing, Obstacle } from '../../diagnose/fire/fire-client.ts';
import type { Reason } from '../../diagnose/fire/predict.ts';
import type { FiredHook, HookRun, Trouble } from '../../diagnose/fire/run-hook.ts';
import { hadNoText } from '../../diagnose/log.ts';
import { listed } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { droppedBy } from '../messages/runner.ts';
import { joinedSentences, sentence, sentenceOrText } from '../messages/sentence.ts';
import { grouped } from '../messages/several.ts';

const quote = (text: string): string => `"${inLine(text, 300)}"`;

/** Why a hook shows nothing: the end of "hook 1: ...". */
const REASONS: Readonly<
  Record<Exclude<Reason['code'], 'matcher' | 'conditions' | 'dropped'>, (what: string) => string>
> = {
  'no-request': () => 'the user did not write this prompt',
  elsewhere: () => 'it is for sessions in another folder',
  muted: () => 'it is muted',
  undecided: (what) => `the runner cannot decide: ${what}`,
  continued: () => 'a hook started this turn, so it does not ask for another',
  marked: () => 'it is shown later in the session',
  'tool-off': () => 'policy.json does not allow its tool to be called (contextTool)',
  'not-marked': () => 'it waits for an earlier event of the same session',
  'once-per-turn': () => 'it is shown once per turn, and was shown in this one',
  once: () => 'it is shown once per session, and was shown in this one',
  'not-allowed': () => 'policy.json does not allow what it does (block, command)',
  ended: () => 'an earlier hook blocked the event',
  command: (what) => `its program returned no text: ${what}`,
  'hooks-per-event': () => 'policy.json allows fewer hooks on one event (hooksPerEvent)',
  'hooks-per-server': () => 'policy.json allows fewer hooks of one server (hooksPerServer)',
  'same-moment': () => 'it was already shown at this moment',
  cooldown: () => 'it was shown in this session a short while ago (cooldown)',
  'in-history': () => 'it was shown at the start of the session and is still in the history',
  twin: () => 'the same hook is declared twice, and one of them is shown',
  'no-room': () => 'there was no room left for it',
  blank: () => 'its text is blank',
  tool: (what) => what,
  'nothing-shown': () => 'its runner showed nothing',
  trouble: () => 'its command failed',
};

/** Conditions of a hook that were not met. */
const CONDITIONS: Readonly<Record<Condition, string>> = {
  failed: 'its matcher does not fit how the call ended (failed)',
  waits_for: 'the client waits for something else (waits_for)',
  exclude: 'its matcher leaves this call out (exclude)',
  branch: 'it is for another branch (branch)',
  project: 'it is for another project (project)',
  output_contains: 'its text is not in the output (output_contains)',
  input_matches: 'its pattern does not match the input (input_matches)',
  output_matches: 'its pattern does not match the output (output_matches)',
  repeat: 'it has not been repeated often enough in this session (repeat)',
  budget: 'the session has not used that many tokens (budget)',
};

function whatOf(reason: Reason): string {
  if (!('why' in reason)) return 'what' in reason ? reason.what : '';
  const why = joinedSentences(reason.why);
  return reason.code === 'tool' ? `${toolOf(reason)}: ${why}` : why;
}

const toolOf = ({ tool, server }: Extract<Reason, { code: 'tool' }>): string =>
  `${tool} of ${server}`;

const reasonJson = (reason: Reason) => ({
  ...reason,
  what: whatOf(reason) || undefined,
  message: reasonInWords(reason),
});

export function reasonInWords(reason: Reason): string {
  if (reason.code === 'matcher')
    return messages.unmatched[reason.field === 'input_contains' ? 'part' : 'whole'](
      `${reason.field} ${quote(reason.wanted)}`,
      quote(reason.got),
    );
  if (reason.code === 'conditions') return CONDITIONS[reason.field];
  if (reason.code === 'dropped') return droppedBy(reason.by);
  if (reason.code === 'tool' && hadNoText(reason.why))
    return inLine(`${toolOf(reason)} returned no text`, 1000);
  const what = inLine(whatOf(reason), 1000);
  if (
    'why' in reason &&
    reason.why.length > 0 &&
    reason.why.every(({ code }) => UNCALLED.has(code))
  )
    return `its ${reason.code === 'tool' ? 'tool was not called' : 'program was not run'}: ${what}`;
  return REASONS[reason.code](what);
}

/** Reasons that occur before a call. */
const UNCALLED: ReadonlySet<string> = new Set<RunnerMessage['code']>([
  'address-unusable',
  'client-fills-in',
  'command-changed',
  'entry-changed',
  'entry-gone',
  'entry-unread',
  'env-file-unread',
  'manifest-unread',
  'node-missing',
  'not-signed-in',
  'passing-changed',
  'tool-missing',
  'type-unknown',
  'variable-changed',
  'variable-unset',
]);

const TROUBLE: Readonly<Record<Trouble['code'], (what: string) => string>> = {
  matcher: (what) =>
    `comparing the matcher of its entry takes more than a second in each call: ${quote(what)}`,
  timeout: (what) => `its command took longer than the client waits (ended after ${what})`,
  shell: (what) => `the shell that the client runs its command with could not be started: ${what}`,
  exit: (what) => `its command ended with ${what}; it must be 0`,
  stderr: (what) => `its command wrote on stderr: ${what}`,
  breach: (what) => `what its command printed ${what}`,
};

export const troubleInWords = ({ code, what }: Trouble): string => TROUBLE[code](inLine(what, 500));

const OBSTACLES: Readonly<Record<Obstacle['code'], (what: string) => string>> = {
  'file-refused': (what) => `the client does not read ${what}`,
  'not-run': (what) => what,
  link: (what) => what,
  'entry-missing': (what) => `it has no entry in ${what}`,
  'program-unread': (what) => `the runner's program ${what} is missing or cannot be read`,
  'no-hook': (what) => `no hook is installed for ${what}`,
  'no-failures': (what) =>
    `${what} does not report failed calls here, so a call that succeeded was fired`,
  'other-payload': (what) =>
    `the payload is of ${what}, which this event does not use in this client`,
};

export function obstacleInWords(obstacle: Obstacle): string {
  const words = OBSTACLES[obstacle.code](inLine(sentenceOrText(obstacle.what), 1000));
  const why = 'why' in obstacle ? obstacle.why : undefined;
  return why === undefined ? words : `${words}: ${inLine(sentence(why), 1000)}`;
}

export const notStarted = ({ matcher = '', value }: Pick<HookRun, 'matcher' | 'value'>): string =>
  value === undefined
    ? 'the client would not start it: the payload does not say what its matcher is about'
    : `the client would not start it: the matcher of its entry, ${quote(matcher)}, does not fit ${quote(value)}`;

const hookNumbers = (hooks: readonly FiredHook[]): string =>
  `hook${hooks.length > 1 ? 's' : ''} ${hooks.map(({ number }) => number).join(', ')}`;

/** A client, and what it would really do. */
export interface FiredView {
  readonly fired: FiredClient;
  /** Whether something prevents a hook from firing when the client itself runs. */
  readonly isBlocked: (hook: FiredHook) => boolean;
}

/** All clients. A text that several clients read is shown once, before them, and so is a result that several share. */
export function showFired(
  terminal: Terminal,
  views: readonly FiredView[],
  isAsked: (hook: FiredHook) => boolean,
): string[] {
  const readers = new Map<string, Set<FiredView>>();
  for (const view of views)
    for (const { text } of view.fired.moments)
      if (text !== undefined) readers.set(text, (readers.get(text) ?? new Set()).add(view));
  const shared = [...readers].filter(([, { size }]) => size > 1);
  const texts = shared.map(([text, readers]) => {
    const isBlocked = ({ fired: { moments }, isBlocked }: FiredView) =>
      moments.filter((one) => one.text === text).every(({ hooks }) => !isRead(hooks, isBlocked));
    const namesOf = (some: readonly FiredView[]) => some.map(({ fired }) => fired.client.name);
    const all = [...readers];
    const head = messages.readBy(
      namesOf(all.filter((one) => !isBlocked(one))),
      namesOf(all.filter(isBlocked)),
    );
    return `${wrap(head, terminal.columns, '')}\n${quotedText(terminal, text)}\n`;
  });
  const isShared = (text: string) => shared.some(([one]) => one === text);
  const show = (alike: readonly [FiredView, ...FiredView[]], isTimed: boolean) =>
    showClients(terminal, alike, isAsked, isShared, isTimed);
  const clients = grouped(views, (view) => show([view], false)).map((alike) => {
    const names = listed(alike.map(({ fired }) => fired.client.name));
    const head = paint(terminal, 'bold', wrap(names, terminal.columns, ''));
    return `${head}\n${show(alike, true)}`;
  });
  return texts.length > 0 ? [...texts, clients.join('')] : clients;
}

const quotedText = (terminal: Terminal, text: string): string =>
  wrapQuoted(visible(text, 20_000), terminal.columns, '    | ');

/** Whether the text of these hooks arrives when the client itself runs. */
function isRead(hooks: readonly FiredHook[], isBlocked: FiredView['isBlocked']): boolean {
  const shown = hooks.filter((hook) => hook.shown);
  return shown.length === 0 || shown.some((hook) => !isBlocked(hook));
}

/**
 * For clients with the same result: each native event with what the model would read and, on request, why hooks showed nothing.
 *
 * @param isTimed Whether to show how long the hooks took.
 */
function showClients(
  terminal: Terminal,
  [
    {
      fired: { moments, obstacles, drift },
      isBlocked,
    },
    ...others
  ]: readonly [FiredView, ...FiredView[]],
  isAsked: (hook: FiredHook) => boolean,
  isShared: (text: string) => boolean,
  isTimed: boolean,
): string {
  const lines: string[] = [];
  const shown = new Map<string, string>();
  const isNumbered = moments.some(({ time }) => time > 1);
  const parts = moments.map((moment, index): Part => {
    const { native, value } = moment;
    const where = `${native}${value === undefined ? '' : ` of ${inLine(value, 200)}`}`;
    const said = `${where}: ${momentInWords(terminal, moment, isBlocked)}`;
    return {
      said,
      details: showDetails(terminal, moment, isAsked, isShared).join('\n'),
      all: [moment, ...others.flatMap(({ fired }) => fired.moments[index] ?? [])],
    };
  });
  for (const { said, details, all } of isNumbered ? alikeTogether(parts) : parts) {
    const [{ native, time }] = all;
    const number = isNumbered ? `${numberOf(all)}. ` : '';
    const times = isTimed ? paint(terminal, 'dim', timesTaken(all)) : '';
    lines.push(`  ${number}${said}${times}`);
    const before = shown.get(details);
    if (before !== undefined) lines.push(`    (the same as with ${before})`);
    else if (details !== '') {
      lines.push(details);
      shown.set(details, isNumbered ? `${time}. ${native}` : native);
    }
  }
  for (const obstacle of obstacles) {
    const native = obstacle.native === undefined ? '' : `${obstacle.native}: `;
    lines.push(wrap(`${native}${obstacleInWords(obstacle)}`, terminal.columns, '  '));
  }
  const isUnshown = ({ reason }: FiredHook) => reason?.code === 'nothing-shown';
  const isMissing = obstacles.length > 0 || moments.some(({ hooks }) => hooks.some(isUnshown));
  if (drift !== undefined && isMissing)
    lines.push(wrap(inLine(sentence(drift)), terminal.columns, '  '));
  return `${lines.join('\n')}\n`;
}

/** The result of one firing, or of several consecutive ones. */
interface Part {
  readonly said: string;
  readonly details: string;
  readonly all: readonly [Firing, ...Firing[]];
}

function alikeTogether(parts: readonly Part[]): Part[] {
  const together: Part[] = [];
  for (const part of parts) {
    const before = together.at(-1);
    const isAlike = before?.said === part.said && before.details === part.details;
    if (before && isAlike) together.splice(-1, 1, { ...before, all: [...before.all, ...part.all] });
    else together.push(part);
  }
  return together;
}

function numberOf([first, ...others]: Part['all']): string {
  const last = others.at(-1);
  return last && last.time > first.time ? `${first.time} to ${last.time}` : `${first.time}`;
}

function timesTaken(all: Part['all']): string {
  const taken = all.flatMap(({ milliseconds: one }) => (one === undefined ? [] : Math.round(one)));
  if (taken.length === 0) return '';
  const [least, most] = [Math.min(...taken), Math.max(...taken)];
  return `  in ${least === most ? '' : `${least} to `}${most} ms`;
}

/** Results in addition to a text. */
const DECIDED = {
  blocked: ', and it was blocked',
  changed: ', and something was changed',
} as const;

const WOULD = { blocked: 'block it', changed: 'change something' } as const;

function momentInWords(terminal: Terminal, run: HookRun, isBlocked: FiredView['isBlocked']) {
  const { text, asks, hooks, trouble, decided } = run;
  const shown = hooks.filter((hook) => hook.shown);
  // The lines below explain why the text does not arrive. Showing it as read would contradict them.
  if (shown.length > 0 && !isRead(hooks, isBlocked)) {
    const would = decided ? WOULD[decided] : text === undefined ? 'run' : 'be shown';
    return paint(terminal, 'yellow', `${hookNumbers(shown)} would ${would}`);
  }
  if (decided === 'changed' && text === undefined && shown.length > 0)
    return paint(terminal, 'green', `${hookNumbers(shown)} changed something`);
  const [style, words]: [Style, string] =
    text !== undefined
      ? ['green', `${shown.length > 0 ? hookNumbers(shown) : 'something'} shown`]
      : shown.length > 0 && shown.every(({ background }) => background)
        ? ['green', `${hookNumbers(shown)} started in the background, to the end of this run`]
        : shown.length > 0
          ? ['green', `the tool of ${hookNumbers(shown)} was called; no model reads its reply`]
          : [trouble ? 'red' : 'yellow', 'nothing shown'];
  const also = `${asks ? ', which asks for one more turn' : ''}${decided ? DECIDED[decided] : ''}`;
  return paint(terminal, style, words + also);
}

function showDetails(
  terminal: Terminal,
  moment: HookRun,
  isAsked: (hook: FiredHook) => boolean,
  isShared: (text: string) => boolean,
) {
  const { text, reason, trouble, started, hooks, why: whole = [] } = moment;
  const missing = hooks.filter((hook) => isAsked(hook) && hook.reason);
  const isWhole = ({ reason }: FiredHook) =>
    reason !== undefined && 'why' in reason && reason.why.some((one) => whole.includes(one));
  const why = missing.flatMap((hook) => {
    const { number, event, reason } = hook;
    const isSaid = reason && reason.code !== 'trouble' && !isWhole(hook);
    return isSaid ? [`hook ${number} (${event}): ${reasonInWords(reason)}`] : [];
  });
  const unshown = missing.filter(isWhole);
  const about =
    unshown.length > 0 ? `${hookNumbers(unshown)} showed nothing` : 'something went wrong';
  const weaker = hooks.filter(({ shown, demoted }) => shown && demoted);
  const said = [
    ...(started || trouble?.code === 'matcher' ? [] : [notStarted(moment)]),
    ...(trouble ? [troubleInWords(trouble)] : []),
    ...why,
    ...(whole.length > 0 ? [`${about}: ${joinedSentences(whole)}`] : []),
    ...hooks.flatMap(({ number, failed }) => (failed ? [messages.failed[failed](number)] : [])),
    ...weaker.map(({ number }) => `hook ${number}: ${DEMOTED}`),
  ];
  return [
    ...[...new Set([text, reason])].flatMap((one) =>
      one === undefined || isShared(one) ? [] : [quotedText(terminal, one)],
    ),
    ...said.map((one) => wrap(one, terminal.columns, '    ')),
  ];
}

const DEMOTED =
  '"required" counts as "important", because policy.json does not name this server as trusted';

/** The same for scripts. Keys are only ever added. */
export const clientJson = ({ client, moments, obstacles, drift }: FiredClient) => ({
  id: client.id,
  installed: true,
  firings: moments.map((moment) => ({
    event: moment.native,
    time: moment.time,
    started: moment.started,
    matcher: moment.matcher ?? null,
    value: moment.value ?? null,
    payload: moment.payload,
    text: moment.text ?? null,
    extraTurn: moment.asks ?? false,
    ...(moment.decided && { decided: moment.decided, reason: moment.reason }),
    milliseconds: moment.milliseconds === undefined ? null : Math.round(moment.milliseconds),
    trouble: moment.trouble ? { ...moment.trouble, message: troubleInWords(moment.trouble) } : null,
    message: moment.started || moment.trouble ? undefined : notStarted(moment),
    why: moment.why?.map((one) => ({ ...one, message: sentence(one) })),
    hooks: moment.hooks.map(
      ({ number, event, act, shown, reason, demoted, failed, background }) => ({
        hook: number,
        event,
        act: act === 'tell' ? 'show' : act,
        shown,
        required: demoted ? false : undefined,
        background,
        reason: reason && reasonJson(reason),
        failed,
      }),
    ),
  })),
  obstacles: obstacles.map((one) => {
    const { code, native, what } = one;
    return { code, native, what: sentenceOrText(what), message: obstacleInWords(one) };
  }),
  drift: drift ? sentence(drift) : null,
});
