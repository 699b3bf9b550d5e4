// Every file call of a run fails once, and the process is killed once before each call that changes a file.
import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect } from 'vitest';
import { test, World } from '../support/world.ts';
import {
  again,
  halfDone,
  SCENARIOS,
  type Scenario,
  type Scenarios,
  STATE,
  takenOut,
  torn,
  undisturbed,
} from './scene.ts';
import { anonymous, type Call, disturb, ERRORS, record, SAMPLE, STRACE, wasHit } from './trace.ts';
import { capture, keyOf, restore } from './tree.ts';

/** The fraction of injections that must hit their target. */
const ENOUGH = 0.95;

/** A world with a home of its own, always at the same path, because the written bytes depend on the path. */
interface Lane {
  readonly world: World;
  readonly scenarios: Scenarios;
}

interface Case {
  readonly call: Call;
  /** In strace's syntax. */
  readonly what: string;
}

type Name = (typeof SCENARIOS)[number];

const KILL = 'signal=KILL';

/** Whether a call is about files of ours that other calls, or another scenario, write in the same way. */
const isAlike = ({ paths }: Call, name: Name): boolean =>
  paths.some((path) => path.includes(name === 'move' ? `/${STATE}` : '/servers/'));

const lanes: Lane[] = [];

beforeAll(async () => {
  if (!STRACE) return;
  for (let left = Math.max(2, availableParallelism()); left > 0; left--) {
    const world = await World.make();
    lanes.push({ world, scenarios: await undisturbed(world) });
  }
  return async () => {
    for (const { world } of lanes) await world.remove();
  };
});

function casesOf(calls: readonly Call[], name: Name): Case[] {
  const last = calls.at(-1);
  // Each of these files is written with about eight calls, so the calls left out vary.
  const alike = calls.filter((call) => call.changes && isAlike(call, name));
  const left = new Set(alike.filter((_, index) => index % Math.max(1, SAMPLE - 1) !== 0));
  const chosen = calls.filter((call, index) =>
    call.changes ? !left.has(call) : index % SAMPLE === 0,
  );
  return chosen.flatMap((call) => {
    const errors = (ERRORS[call.name] ?? []).map((code) => `error=${code}`);
    // The disk is the same at a call that only reads as at the next call that writes, so a kill there shows nothing new.
    const kill = call.changes || call === last ? [KILL] : [];
    return [...kill, ...errors].map((what) => ({ call, what }));
  });
}

describe('wherever a run is disturbed', () => {
  test.for(SCENARIOS)(
    '%s is done completely or not at all, reports which, and can be run again',
    async (name, { skip }) => {
      if (!STRACE) return skip('strace is not on this machine');
      const began = Date.now();
      const [first] = lanes;
      if (!first) throw new Error('there is no lane');
      restore(first.world.home, first.scenarios[name].before);
      const calls = await record(first.world, first.scenarios[name].line);
      expect(calls.filter((call) => !(call.name in ERRORS))).toEqual([]);

      const cases = casesOf(calls, name);
      const total = cases.length;
      const complaints: string[] = [];
      let hits = 0;
      const work = async ({ world, scenarios }: Lane) => {
        const followed = new Map<string, string[]>();
        for (let one = cases.shift(); one; one = cases.shift()) {
          const { hit, wrong } = await tryCase(world, scenarios[name], one, followed);
          if (hit) hits++;
          if (wrong.length === 0) continue;
          const { call, what } = one;
          const where = `${what} at ${call.name} ${call.nth} of ${call.paths.join(' -> ')}`;
          complaints.push(`${where}: ${world.tidy(wrong.join('; '))}`);
        }
      };
      await Promise.all(lanes.map(work));
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `${name}: ${calls.length} calls, ${total} injections, ${hits} arrived, ${seconds} s`,
      );
      expect(complaints).toEqual([]);
      expect(hits / total).toBeGreaterThanOrEqual(ENOUGH);
    },
  );
});

/** How often a case is tried until the injection hits: the runtime makes calls of its own, and their number varies. */
const ATTEMPTS = 3;

/** @param followed By home, the complaints about running the command again: in equal homes they are the same. */
async function tryCase(
  world: World,
  scenario: Scenario,
  { call, what }: Case,
  followed: Map<string, string[]>,
): Promise<{ hit: boolean; wrong: string[] }> {
  for (let left = ATTEMPTS; left > 0; left--) {
    restore(world.home, scenario.before);
    const ended = await disturb(world, scenario.line, call, what).ended;
    if (ended.late) return { hit: true, wrong: ['it hangs'] };
    // An injection that hit another call may have hit the runtime itself, and then shows nothing about our code.
    if (!wasHit(world, call)) continue;
    const home = capture(world.home);
    const wrong = torn(home, scenario);
    if (what === KILL) wrong.push(...(ended.signal === 'SIGKILL' ? [] : ['it was not killed']));
    else if (ended.signal) wrong.push(`it was ended by ${ended.signal}`);
    else wrong.push(...halfDone(home, ended, scenario).filter((one) => !isForNextRun(call, one)));
    const key = keyOf(home);
    const next = async () => [
      ...(await again(world, scenario)),
      ...(what === KILL ? await takenOut(world, home, scenario) : []),
    ];
    const later = followed.get(key) ?? (await next());
    followed.set(key, later);
    return { hit: true, wrong: [...wrong, ...later] };
  }
  return { hit: false, wrong: [] };
}

/**
 * A file whose removal is the failing call may stay until the next run, which must remove it. A lock blocks no other process
 * once its own has ended. A policy that cannot be read may allow something to the name that is free now, so the record
 * remembers whose name it was.
 */
function isForNextRun({ name, paths: [path = ''] }: Call, complaint: string): boolean {
  const [, left] = /but (.+) is left over$/.exec(complaint) ?? [];
  if (left === undefined) return false;
  if (path.endsWith('/policy.json')) return /^\.mcp-hooks(?:\/ledger\.json)?$/.test(left);
  if (name !== 'rmdir' && !/(\.tmp|\/lock)$/.test(path)) return false;
  return `${path}/`.includes(`/${anonymous(left)}/`);
}
