/** mcp-hooks: events that cannot be read. A hook may have to block them, because it cannot check them (failure.cjs). */

import { NOTHING } from './failure.cjs';
import type { Rules, Running, Stage } from './types.cjs';
import { attempt } from './values.cjs';

/** Answers an event that failed before its evaluation: its payload or `policy.json` cannot be read. */
export function answerUnreadable(program: Running, error: unknown, stage: Stage): void {
  // The user's grants hold until the file can be read again and says otherwise.
  const rules: Rules = attempt(() => stage.rulesFor(program)) ?? program.policy.rules;
  // stdin can be read only once, and a client may keep it open.
  const read = attempt(() => ({
    firing: stage.read(program, program.stdin ?? stage.readStdin(program)),
  }));
  if (rules.muted === true || (read && !read.firing)) stage.fail(program, error);
  else {
    const { answerFailed, evaluationOf } = require('./chain.cjs');
    const evaluation = evaluationOf(program, read?.firing ?? NOTHING, rules, stage);
    answerFailed(evaluation, error, read !== undefined);
  }
}
