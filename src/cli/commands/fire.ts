/** `mcp-hooks fire`: runs a label's hooks as written in the clients' settings, and shows what the models would read. */

import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Client } from '../../clients/contract.ts';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places, tilde } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { ALL_EVENTS } from '../../declaration/declaration.ts';
import { locate, readDocument } from '../../declaration/document.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { calls } from '../../diagnose/doctor/servers.ts';
import {
  type ClientStatus,
  type LeftOutHook,
  statusAt,
  statusOf,
} from '../../diagnose/doctor/status.ts';
import {
  chainsFor,
  type EventSelector,
  type FiredClient,
  fireClient,
  isAbout,
  nativeEvents,
  selectorOf,
  sessionFolder,
} from '../../diagnose/fire/fire-client.ts';
import { type Everything, type Installed, readInstalled } from '../../diagnose/fire/installed.ts';
import { type Facts, unusedFlags } from '../../diagnose/fire/payload.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { labelAt, scopeOf, siteInWords, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { clientJson, type FiredView, showFired } from '../../present/render/fired.ts';
import { inLines } from '../../present/render/lines.ts';
import {
  isNotFiring,
  narrowed,
  showBlocked,
  skippedIn,
  skippedInWords,
  statusJson,
} from '../../present/render/status.ts';
import { disk } from '../../system/disk.ts';
import { type Message, reasonOf, type SystemReason, said, UserError } from '../../system/errors.ts';
import { nearest } from '../../system/nearest.ts';
import { paint, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  allowOption,
  type Command,
  type Context,
  clientOption,
  collect,
  type Flags,
  launchedNameOption,
  OK,
  OTHER_ID,
  option,
  scopeOption,
} from './command.ts';
import { doctorContext, fromElsewhere } from './doctor-context.ts';
import { downloadServers } from './download.ts';
import { withProgressAfter } from './progress.ts';
import { asInstalled, TRIED } from './scratch-install.ts';

/** The limit of `--times`. */
const MOST_TIMES = 50;

/** The name of `post_tool_use` in the first client. */
const NATIVE = CLIENTS[0]?.lowering.post_tool_use?.text.on[0]?.native;

export const fire: Command = {
  name: 'fire',
  group: 'Debug',
  summary: 'run a hook, and show what the model would read',
  operands: '<label> [event]',
  operandsBeforeLaunch: '[event]',
  usage: ['[options] <label> <event>', '--name <label> [options] <event> -- <command> [args...]'],
  options: [
    clientOption(),
    scopeOption(),
    allowOption(),
    launchedNameOption(),
    option('--tool <name>', 'the tool that was called, as a declaration names it').argParser(
      collect,
    ),
    option('--input <json>', 'its input (default: what a model might send)').argParser(collect),
    option('--failed', 'the call has failed'),
    option(
      '--times <number>',
      `how many times, in one session; several --tool or --input take turns (at most ${MOST_TIMES})`,
    ).argParser(times),
    option('--prompt <text>', 'the prompt'),
    option('--payload <file>', "more of the payload, in the client's shape; it overrides the rest"),
  ],
  about: `<event> is a declared event (post_tool_use) or a client's (${NATIVE}).
Each run uses a new session and deletes its state. To keep the state, put a "session_id" into --payload. Hooks run in the current folder, or in your home folder if they call a tool and the client does not trust the current one; {project_name} is the name of that folder. With --times the event happens that often in one session, for hooks with "repeat", "once" or "cooldown". Each time is another call; several --tool or --input take turns.

${TRIED}`,
  examples: [
    `fire annal post_tool_use --input '{"command":"git commit -m x"}'`,
    `fire ./annal.json session_start --client ${OTHER_ID}`,
    'fire ./guard.json post_tool_use --tool Bash --failed --times 3',
    'fire ./guard.json post_tool_use --tool Read --tool Edit --times 6',
  ],
  run: (context, ...given) => {
    // The server after `--` replaces the label.
    const [label, event, flags] = context.launch ? [undefined, ...given] : given;
    return asInstalled(context, label, flags, (at, tried, own) => fireIn(at, tried, event, own));
  },
};

function times(value: string): number {
  const number = Number(value);
  if (!/^\d{1,3}$/.test(value) || number < 1 || number > MOST_TIMES)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_TIMES}.`);
  return number;
}

async function fireIn(
  context: Context,
  label: string,
  event: string | undefined,
  flags: Flags,
): Promise<number> {
  const { terminal, env, cwd, runHook } = context;
  const target = event === undefined ? undefined : selectorOf(event);
  if (event !== undefined && !target) {
    const native = nativeEvents();
    const near = nearest(event, [...ALL_EVENTS, ...native]);
    const facts = { event, declared: ALL_EVENTS, native, near };
    throw new UserError<CliMessage>({ code: 'unknown-event', ...facts });
  }
  const places = findPlaces(env, cwd, flags.scope);
  const rounds = roundsIn(flags, cwd, places);
  const everything = readInstalled(places, disk);
  if (everything.broken)
    terminal.err(inLines([messages.ledgerUnread(tilde(everything.broken, places.home))]));
  const known = requireLabel(label, everything, places, context);
  if (event === undefined || !target) {
    const all = CLIENTS.flatMap((client) => known(client)?.events ?? []);
    const hooks = all.flatMap(({ program }) => program?.hooks ?? []);
    const events = ALL_EVENTS.filter((one) => hooks.some((hook) => hook.event === one));
    throw new UserError<CliMessage>({ code: 'event-missing', label, events });
  }

  const chosen = flags.client
    ? selectClients(flags.client, places).clients
    : CLIENTS.filter((client) => known(client));
  const installed = chosen.flatMap((client) => known(client) ?? []);
  refuseForeign(installed, target, rounds[0], event);
  await downloadServers(context, installed, places, { always: false });
  const ran: FiredClient[] = [];
  for (const one of installed.filter(({ client }) => isIn(client, target))) {
    const range = { places, disk, cwd: sessionFolder(one, places, cwd), runHook };
    const work = () => fireClient(one, target, rounds, range);
    ran.push(await withProgressAfter(context, messages.firing(label, one.client.name), work));
  }

  const found = everything.broken ? [] : await statusOf(doctorContext(context));
  const statuses = context.isScratch ? [] : found;
  const site = siteOf(places);
  const statusIn = (client: Client) => statusAt(statuses, { label, client, site });
  const isMeant = (hook: LeftOutHook) => isAbout(target, hook.event);
  const fired = ran.map((one) => {
    const { hooksLeftOut = [] } = statusAt(found, { label, client: one.client, site }) ?? {};
    const why = hooksLeftOut.filter(isMeant).find(({ reason }) => reason)?.reason;
    return why ? withReason(one, why) : one;
  });
  if (flags.json) {
    const clients = chosen.map((client) => {
      const one = fired.find((some) => some.client === client);
      const status = statusIn(client);
      return one
        ? { ...clientJson(one), ...(status && { status: statusJson(status) }) }
        : { id: client.id, installed: known(client) !== undefined };
    });
    terminal.out(toJson({ label, event, scope: places.scope, clients }));
    return OK;
  }
  const besides = fired.flatMap(({ client }) => {
    const status = statusIn(client);
    return status ? [beside(status, target)] : [];
  });
  const views = fired.map((one): FiredView => {
    const status = besides.find(({ client }) => client === one.client);
    return {
      fired: one,
      isBlocked: ({ number }) => status !== undefined && isNotFiring(status, number),
    };
  });
  const shown = showFired(terminal, views, (hook) => isAbout(target, hook.event));
  const blocked = showBlocked(terminal, besides)
    .map((line) => `${line}\n`)
    .join('');
  const without = (clients: readonly Client[], why: string) =>
    clients.map(({ name }) => `${paint(terminal, 'bold', name)}\n  ${why}\n`);
  const where = whereOf(places);
  const nowhere = sentence(said<CliMessage>({ code: 'not-installed-there', label, where }));
  const absent = chosen.filter((client) => !known(client));
  const lacking = chosen.filter((client) => known(client) && !isIn(client, target));
  const others = [...without(absent, nowhere), ...without(lacking, messages.noSuchNative(event))];
  const skipped = chosen.flatMap((client) => {
    const status = statusAt(found, { label, client, site });
    return status ? skippedIn(status, context.isScratch, isMeant) : [];
  });
  const left = skippedInWords(skipped).map((one) => `${wrap(one, terminal.columns, '')}\n`);
  const more = flags.times === undefined ? againWith(fired, target, flags) : undefined;
  const hint =
    more === undefined ? [] : [`${wrap(messages.fireAgain(more), terminal.columns, '')}\n`];
  const notices = blocked === '' ? [] : [blocked];
  terminal.out([...shown, ...others, ...notices, ...left, ...hint].join('\n'));
  return OK;
}

/** A client that cannot do the event, with the reason that the plan gives. */
const withReason = (fired: FiredClient, why: Message): FiredClient => ({
  ...fired,
  obstacles: fired.obstacles.map((one) => (one.code === 'no-hook' ? { ...one, why } : one)),
});

/** The flags that would satisfy a hook that waits for repetitions. Undefined if none does. */
function againWith(
  fired: readonly FiredClient[],
  target: EventSelector,
  { failed }: Flags,
): string | undefined {
  const waiting = fired.flatMap(({ moments }) =>
    moments.flatMap(({ hooks }) =>
      hooks.flatMap(({ event, reason }) => {
        const isWaiting = reason?.code === 'conditions' && isAbout(target, event);
        return isWaiting && reason.repeat ? [reason.repeat] : [];
      }),
    ),
  );
  const [first] = waiting;
  if (!first) return undefined;
  const { times, same } = first;
  if (same.startsWith('alternating')) return `--times ${2 * times} --tool <one> --tool <other>`;
  const fails = failed || ('event' in target && target.event === 'tool_error');
  return `${same === 'error' && !fails ? '--failed ' : ''}--times ${times}`;
}

/** The status without what firing already shows: it has just called the event's tools. */
const beside = (status: ClientStatus, target: EventSelector): ClientStatus =>
  narrowed(
    status,
    ({ event }) => isAbout(target, event),
    ({ check }) => check !== calls.name,
  );

const isIn = ({ nativeEvents }: Client, target: EventSelector): boolean =>
  'event' in target || Object.hasOwn(nativeEvents, target.native);

export const whereOf = (places: Places): string => inLine(siteInWords(siteOf(places), places.home));

export function requireLabel(
  label: string,
  { labels, elsewhere, of }: Everything,
  places: Places,
  context: Context,
) {
  if (!labels.includes(label)) {
    const { cwd } = context;
    const there = elsewhere.find((one) => one.label === label && [null, cwd].includes(one.project));
    const near = elsewhere.some((one) => one.label === label) ? [] : nearest(label, labels);
    const all = [...labels, ...elsewhere.map((one) => labelAt(one, places.home))];
    const where = whereOf(places);
    throw new UserError<CliMessage | DiagnoseMessage>(
      { code: 'unknown-label-in', label, where, near, all, there: there && scopeOf(there) },
      fromElsewhere(context, label),
    );
  }
  const found = new Map(CLIENTS.map((client) => [client.id, of(label, client)]));
  return ({ id }: Client) => found.get(id);
}

/** The facts of each firing. Several tools or inputs are used in turn. */
function roundsIn(flags: Flags, cwd: string, places: Places): readonly [Facts, ...Facts[]] {
  const { tool: tools = [], prompt, payload, failed } = flags;
  const path = payload === undefined ? undefined : resolve(cwd, payload);
  const given =
    path === undefined ? undefined : objectIn(readPayload(path), tilde(path, places.home));
  const inputs = (flags.input ?? []).map((one) => objectIn(one, '--input'));
  const round = (index: number): Facts => {
    const tool = tools[index % tools.length];
    const input = inputs[index % inputs.length];
    return {
      ...(tool !== undefined && { tool }),
      ...(input !== undefined && { input }),
      ...(prompt !== undefined && { prompt }),
      ...(failed && { failed }),
      ...(given && { payload: given }),
    };
  };
  const needed = Math.max(1, tools.length, inputs.length);
  const { times = needed } = flags;
  if (times < needed) throw new UserError<CliMessage>({ code: 'too-few-times', times, needed });
  return [round(0), ...Array.from({ length: times - 1 }, (_, index) => round(index + 1))];
}

function readPayload(path: string): string {
  let why = said<SystemReason>({ code: 'system-reason', errno: 'ENOENT', text: 'ENOENT' });
  try {
    const bytes = disk.read(path);
    if (bytes) return bytes.toString();
  } catch (error) {
    if (error instanceof UserError) throw error; // the error names the file and the reason
    why = reasonOf(error);
  }
  throw new UserError<CliMessage>({ code: 'payload-unread', path, why });
}

function objectIn(text: string, where: string): JsonObject {
  const { problems, value } = readDocument(text, {
    tooDeep: said<CliMessage>({ code: 'payload-too-deep' }),
    empty: said<CliMessage>({ code: 'payload-empty' }),
  });
  if (problems.length === 0 && isJson(value) && isObject(value)) return value;
  const noObject = said<CliMessage>({ code: 'payload-no-object' });
  const whole = { level: 'error', message: noObject, path: [], line: 1, column: 1 } as const;
  throw new UserError<CliMessage | DeclarationMessage>(
    { code: 'not-json', what: where },
    locate(where, problems.length > 0 ? problems : [whole]),
  );
}

/** Anything parsed from JSON is a JsonValue. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

/** Refuses a flag that no client uses for this event. */
function refuseForeign(
  installed: readonly Installed[],
  target: EventSelector,
  facts: Facts,
  event: string,
): void {
  const [first, ...others] = installed.flatMap((one) =>
    chainsFor(one, target)
      .flatMap(({ events }) => events)
      .map(({ native }) => unusedFlags(one.client, native, facts)),
  );
  const always = first?.filter((flag) => others.every((flags) => flags.includes(flag))) ?? [];
  if (always.length > 0)
    throw new UserError<CliMessage>({ code: 'foreign-facts', flags: always, event });
}
