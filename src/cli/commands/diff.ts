/** `mcp-hooks diff`: shows the plan of an install as unified diffs, and writes nothing. Exit codes as in diff(1). */

import { findPlaces } from '../../clients/places.ts';
import { isSame } from '../../install/consent/changes.ts';
import { isNothing } from '../../install/plan.ts';
import { SERVERS } from '../../present/messages/help.ts';
import { wrapMessage } from '../../present/render/lines.ts';
import { noHooksJson, planJson, showPlan, summary } from '../../present/render/plan.ts';
import type { Terminal } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  DIFFERENT,
  LAUNCH_USAGE,
  OK,
  type SourceFlags,
  sourceOptions,
  TROUBLE,
  yesOption,
} from './command.ts';
import { partObjection, refusedIn, refusedJson, strictObjection } from './objections.ts';
import { noHooksAnyMore, prepareAgain, shownAgain } from './plan-update.ts';
import { installedAs, type Prepared, prepare } from './prepare.ts';

export const diff: Command = {
  name: 'diff',
  group: 'Manage',
  summary: 'show what install or update would change',
  operands: '[server]',
  operandsBeforeLaunch: '[server]',
  takesServers: true,
  usage: ['[options] [<server>]', LAUNCH_USAGE],
  options: [...sourceOptions(), yesOption('start servers without asking')],
  about: SERVERS,
  examples: ['diff ./annal.json', 'diff annal'],
  run,
};

async function run(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, flags.scope);
  // For an installed label, shows what its server declares now.
  const known =
    source !== undefined && !context.launch?.length && flags.name === undefined
      ? installedAs(places, source)
      : undefined;
  if (!known) {
    const shown = await prepare(context, source, flags);
    return shown ? tell(context, { ...shown, diff: true }, flags, showPlan) : OK;
  }
  const prepared = await prepareAgain(context, known, places, flags);
  if ('plan' in prepared) return tell(context, { ...prepared, diff: true }, flags, shownAgain);
  const { declared } = prepared;
  terminal.out(flags.json ? toJson(noHooksJson(declared)) : noHooksAnyMore(declared, places));
  return DIFFERENT;
}

function tell(
  { terminal }: Context,
  shown: Prepared,
  flags: SourceFlags,
  inWords: (terminal: Terminal, shown: Prepared) => string,
): number {
  const { plan, changes } = shown;
  const own = partObjection(shown) ?? (flags.strict ? strictObjection(shown) : undefined);
  const objection = own ?? refusedIn(plan, true, false);
  // No summary for a plan that `install` would refuse.
  const end =
    objection === undefined ? `${wrapMessage(summary(shown, false), terminal.columns, '')}\n` : '';
  const error = objection !== undefined && refusedJson(objection, own);
  terminal.out(
    flags.json
      ? toJson({ ...planJson(shown, false), ...error })
      : `${inWords(terminal, shown).trimEnd()}\n\n${end}`,
  );
  if (objection !== undefined) terminal.err(`${objection}\n`);
  if (objection !== undefined) return TROUBLE;
  return isNothing(plan) && (!changes || isSame(changes)) ? OK : DIFFERENT;
}
