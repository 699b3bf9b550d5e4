/** Hooks that are left out by the user's policy, or by the default limits. */

import { beyondLimit } from '../../compile/compile.ts';
import { whyForbidden } from '../../compile/program.ts';
import type { Event } from '../../declaration/declaration.ts';
import { GRANTS, neededBy, RULE } from '../../declaration/grants.ts';
import {
  isMuted,
  type Policy,
  PolicyRefused,
  policyPath,
  RULES,
  type Rules,
  rulesFor,
} from '../../declaration/policy.ts';
import type { Install, Ledger } from '../../install/ledger.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { scopeFlag } from '../../install/site.ts';
import { ifPossible, UserError } from '../../system/errors.ts';
import { Unreadable } from '../../system/files.ts';
import { nearest } from '../../system/nearest.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, type Level, ofInstalls, ofUs } from './check.ts';
import type { DoctorContext } from './context.ts';
import { updateCommand } from './origin.ts';
import { allowedThen } from './sources.ts';

export const readablePolicy = ofUs('policy-readable', 'policy-readable', (at) => {
  try {
    const policy = readPolicy(at.user.state, at.read);
    return mistyped(policy, at.ledger).map((what) => ({
      level: 'warning',
      what,
      where: policyPath(at.user.state),
      todo: 'rename-in-policy',
    }));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const where = policyPath(at.user.state);
    const [first] = error instanceof PolicyRefused ? error.problems : [];
    const why = error instanceof Unreadable ? error.why : error.problem;
    const { line, column, message = why } = first ?? {};
    return {
      level: 'error',
      what: { code: 'policy-wrong', problem: message },
      ...(error instanceof PolicyRefused && { brief: { code: 'policy-not-valid' } as const }),
      where: line === undefined ? where : `${where}:${line}:${column}`,
      todo: 'mend-policy',
    };
  }
});

/** Labels that have rules and are not installed, but resemble an installed one. Other unknown labels may be installed later. */
export function mistyped(
  { servers = {} }: Policy,
  { installs, formerly = {} }: Ledger,
): Extract<DiagnoseMessage, { code: 'policy-unknown-label' }>[] {
  const labels = [...new Set(installs.map(({ label }) => label))];
  return Object.keys(servers).flatMap((name) => {
    if (labels.includes(name) || Object.hasOwn(formerly, name)) return [];
    const [near] = nearest(name, labels);
    return near === undefined ? [] : [{ code: 'policy-unknown-label', name, near }];
  });
}

const MUTED = { code: 'muted' } as const;

export const leftOutByPolicy = ofInstalls('policy', 'nothing-left-out', (install, at) => {
  const rules = rulesHere(install, at);
  if (!rules) return { level: 'ok', what: 'rules-unknown' }; // the policy's own check reports it
  const path = policyPath(at.user.state);
  const where = at.read(path) ? path : undefined;
  if (isMuted(rules))
    // As the user wants.
    return {
      level: 'info',
      what: 'muted',
      brief: MUTED,
      where,
      todo: unmute(install),
      blocks: { install },
    };
  return [
    ...notGranted(install, at, rules),
    ...notInstalled(install, at, rules),
    ...forbiddenHooks(install, at, rules).map(
      ({ why, hooks }): CheckResult => ({
        level: LEVEL[why],
        what: {
          code: why === 'muted' ? 'hooks-muted' : why,
          hooks: [...hooks].map(([number, event]) => ({ number, event })),
        },
        where,
        todo: why === 'muted' ? unmute(install, [...hooks.keys()]) : TODO[why],
        ...(why === 'muted' && { brief: MUTED }),
        ...(why === 'tools-forbidden' && { brief: { code: 'policy-forbids-tools' } }),
        ...(LEVEL[why] !== 'warning' && { blocks: { install, hooks: [...hooks.keys()] } }),
      }),
    ),
  ];
});

/** Hooks that were not installed because the user had not granted what they need. */
function notGranted(install: Install, at: DoctorContext, rules: Rules): CheckResult[] {
  const installed = new Set(
    at.programs(install).flatMap(({ hooks }) => hooks.map(({ number }) => number)),
  );
  const allowed = allowedThen(install, at);
  const missing = (at.approval(install)?.hooks ?? []).map((hook, index) =>
    // A hook that is missing although it was allowed is not possible in this client.
    installed.has(index + 1) ? [] : neededBy(hook).filter((grant) => !allowed.includes(grant)),
  );
  const hooks = missing.flatMap((grants, index) => (grants.length > 0 ? [index + 1] : []));
  const grants = GRANTS.filter((grant) => missing.some((some) => some.includes(grant)));
  const allowedNow = grants.every((grant) => rules[RULE[grant]]);
  const command = updateCommand(install);
  const todo = allowedNow
    ? ({ code: 'puts-in', command } as const)
    : ({ code: 'puts-in-when-allowed', command, grants } as const);
  return leftOutFinding({ code: 'tools-not-granted', hooks, allowedNow }, todo);
}

/** Hooks that were not installed because the policy at that time excluded them. */
function notInstalled(install: Install, at: DoctorContext, rules: Rules): CheckResult[] {
  const limit = at.programs(install)[0]?.policy.hooksPerServer;
  const declared = at.approval(install)?.hooks ?? [];
  if (limit === undefined) return [];
  const hooks = beyondLimit(declared, limit).map((hook) => declared.indexOf(hook) + 1);
  const allowedNow = rules.hooksPerServer > limit;
  const code = allowedNow ? 'puts-them-in' : 'raise-then-puts-in';
  const todo = { code, command: updateCommand(install) } as const;
  return leftOutFinding({ code: 'too-many-then', hooks, allowedNow }, todo);
}

type LeftOutThen = Extract<DiagnoseMessage, { code: 'tools-not-granted' | 'too-many-then' }>;

const leftOutFinding = (what: LeftOutThen, todo: DiagnoseMessage): CheckResult[] =>
  what.hooks.length > 0 ? [{ level: what.allowedNow ? 'warning' : 'info', what, todo }] : [];

/** The command that unmutes hooks, or all hooks of a label. */
const unmute = (install: Install, hooks: readonly number[] = []) =>
  ({
    code: 'unmute',
    command: ['mcp-hooks unmute', install.label, ...hooks].join(' ') + scopeFlag(install),
  }) as const;

const TODO = {
  'tools-forbidden': 'allow-tools',
  'commands-forbidden': 'allow-commands',
  'project-code-forbidden': 'allow-project-code',
  'blocks-forbidden': 'allow-blocks',
  'beyond-hooks-per-server': 'raise-hooks-per-server',
  'beyond-hooks-per-event': 'raise-hooks-per-event',
} as const;
type Why = keyof typeof TODO | 'muted';

const LEVEL: Readonly<Record<Why, Level>> = {
  // As the user wants.
  muted: 'info',
  'tools-forbidden': 'info',
  'commands-forbidden': 'error',
  'project-code-forbidden': 'error',
  'blocks-forbidden': 'error',
  'beyond-hooks-per-server': 'error',
  // It depends on which other hooks match the same event.
  'beyond-hooks-per-event': 'warning',
};

export function rulesHere(install: Install, at: DoctorContext): Rules | undefined {
  const [program] = at.programs(install);
  const defaults = { ...RULES, ...program?.policy.rules };
  const policy = ifPossible(() => readPolicy(at.user.state, at.read));
  return policy && rulesFor(policy, install.label, defaults, install.foreignPolicy);
}

/** The hooks that are left out, grouped by reason. */
function forbiddenHooks(
  install: Install,
  at: DoctorContext,
  rules: Rules,
): { why: Why; hooks: Map<number, Event> }[] {
  const found = new Map<Why, Map<number, Event>>();
  const add = (why: Why, { number, event }: { number: number; event: Event }) => {
    const known = found.get(why) ?? new Map<number, Event>();
    found.set(why, known.set(number, event));
  };
  for (const { hooks } of at.programs(install)) {
    const rank = ({ ranks }: (typeof hooks)[number]) =>
      rules.trusted ? ranks.trusted : ranks.other;
    const allowed = hooks.filter((hook) => {
      const why = whyForbidden(hook, rules);
      if (why) add(why, hook);
      return why === undefined;
    });
    for (const hook of allowed.sort((a, b) => rank(a) - rank(b)).slice(rules.hooksPerEvent))
      add('beyond-hooks-per-event', hook);
  }
  return [...found].map(([why, hooks]) => ({
    why,
    hooks: new Map([...hooks].sort(([a], [b]) => a - b)),
  }));
}
