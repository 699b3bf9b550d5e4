/** What the user's policy, and the limits that hold without one, leave out. */

import { unheard } from '../../compile/compile.ts';
import type { Event } from '../../declaration/declaration.ts';
import {
  PolicyRefused,
  policyPath,
  type Rules,
  readPolicy,
  rulesFor,
} from '../../declaration/policy.ts';
import type { Install } from '../../install/ledger.ts';
import { said, UserError } from '../../system/errors.ts';
import { hooksInWords } from '../../system/plurals.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, type Level, ofInstalls, ofUs } from './check.ts';
import type { DoctorContext } from './context.ts';
import { again } from './origin.ts';
import { callsTools } from './sources.ts';

export const readablePolicy = ofUs('policy-readable', 'policy readable', (at): CheckResult[] => {
  try {
    readPolicy(at.user.state, at.read);
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const where = policyPath(at.user.state);
    const [first] = error instanceof PolicyRefused ? error.problems : [];
    const { line, column, message = error.problem } = first ?? {};
    return [
      {
        level: 'error',
        what: said<DiagnoseMessage>({ code: 'policy-wrong', problem: message }),
        where: line === undefined ? where : `${where}:${line}:${column}`,
        todo: said<DiagnoseMessage>({ code: 'mend-policy' }),
      },
    ];
  }
});

export const silenced = ofInstalls('policy', 'nothing silenced', (install, at) => {
  const rules = rulesHere(install, at);
  if (!rules) return [{ level: 'ok', what: 'its rules are not known' }]; // said of the policy
  const where = at.read(policyPath(at.user.state)) ? policyPath(at.user.state) : undefined;
  const found = (
    level: Level,
    what: string,
    todo: string,
    hooks?: readonly number[],
  ): CheckResult => ({
    level,
    what,
    todo,
    ...(where !== undefined && { where }),
    ...(level === 'error' && hooks && { blocks: { hooks } }),
  });
  if (rules.muted)
    return [found('error', 'the policy mutes it: it says nothing', 'Take "muted": true out.')];
  return [
    ...toolsLeftOut(install, at, rules),
    ...notInstalled(install, at, rules),
    ...without(install, at, rules).map(({ why, hooks }) => {
      const names = [...hooks].map(([number, event]) => `hook ${number} (${event})`);
      return found(LEVEL[why], `${why}: ${names.join(', ')}`, TODO[why], [...hooks.keys()]);
    }),
  ];
});

/** Hooks with tools that were not installed, because nobody had allowed them. */
function toolsLeftOut(install: Install, at: DoctorContext, { contextTool }: Rules): CheckResult[] {
  if (callsTools(install, at)) return [];
  const hooks = (at.approval(install)?.hooks ?? []).flatMap(({ context_tool }, index) =>
    context_tool === undefined ? [] : [index + 1],
  );
  if (hooks.length === 0) return [];
  const what = `left out for want of a grant when it was installed: ${hooksInWords(hooks)}`;
  return contextTool
    ? [
        {
          level: 'warning',
          what: `${what}; the policy allows it now`,
          todo: `${again(install)} puts it in.`,
        },
      ]
    : [{ level: 'info', what, todo: `${again(install)}, with --allow context-tool, puts it in.` }];
}

/** Hooks that were not installed, because the policy then would not have had them heard. */
function notInstalled(
  install: Install,
  at: DoctorContext,
  { hooksPerServer }: Rules,
): CheckResult[] {
  const heard = at.programs(install)[0]?.policy.heard;
  const declared = at.approval(install)?.hooks ?? [];
  if (heard === undefined) return [];
  const hooks = unheard(declared, heard).map((hook) => declared.indexOf(hook) + 1);
  if (hooks.length === 0) return [];
  const what = `more hooks than "hooksPerServer" allowed when it was installed: ${hooksInWords(hooks)}`;
  return hooksPerServer > heard
    ? [
        {
          level: 'warning',
          what: `${what}; the policy allows more now`,
          todo: `${again(install)} puts them in.`,
        },
      ]
    : [
        {
          level: 'info',
          what: `left out: ${what}`,
          todo: `A higher "hooksPerServer" in policy.json, and then ${again(install)}, puts them in.`,
        },
      ];
}

const TODO = {
  'the policy has no tool called, so these say nothing': 'Take "contextTool": false out.',
  'more hooks than "hooksPerServer" allows; the weakest are left out':
    'A higher "hooksPerServer" in policy.json lets them in.',
  'more hooks on one event than "hooksPerEvent" allows; the weakest may be left out':
    'A higher "hooksPerEvent" in policy.json lets them in.',
} as const;
type Why = keyof typeof TODO;

const LEVEL: Readonly<Record<Why, Level>> = {
  'the policy has no tool called, so these say nothing': 'error',
  'more hooks than "hooksPerServer" allows; the weakest are left out': 'error',
  // It depends on what else fits the same event.
  'more hooks on one event than "hooksPerEvent" allows; the weakest may be left out': 'warning',
};

function rulesHere(install: Install, at: DoctorContext): Rules | undefined {
  const [program] = at.programs(install);
  try {
    const policy = readPolicy(at.user.state, at.read);
    return rulesFor(policy, install.label, program?.policy.rules, install.foreignPolicy);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The hooks that are left out and why, each once. */
function without(
  install: Install,
  at: DoctorContext,
  rules: Rules,
): { why: Why; hooks: Map<number, Event> }[] {
  const found = new Map<Why, Map<number, Event>>();
  const say = (why: Why, { number, event }: { number: number; event: Event }) => {
    const known = found.get(why) ?? new Map<number, Event>();
    found.set(why, known.set(number, event));
  };
  for (const { hooks } of at.programs(install)) {
    const rank = ({ ranks }: (typeof hooks)[number]) =>
      rules.trusted ? ranks.trusted : ranks.other;
    const heard = hooks.filter((hook) => {
      if (hook.call && !rules.contextTool)
        say('the policy has no tool called, so these say nothing', hook);
      else if (rank(hook) >= rules.hooksPerServer)
        say('more hooks than "hooksPerServer" allows; the weakest are left out', hook);
      else return true;
      return false;
    });
    for (const hook of heard.sort((a, b) => rank(a) - rank(b)).slice(rules.hooksPerEvent))
      say('more hooks on one event than "hooksPerEvent" allows; the weakest may be left out', hook);
  }
  return [...found].map(([why, hooks]) => ({
    why,
    hooks: new Map([...hooks].sort(([a], [b]) => a - b)),
  }));
}
