/** mcp-hooks: events that cannot be read, where a hook may have to block what it cannot check (failure.cjs). */

import { NOTHING } from './failure.cjs';
import type { Rules, Running, Stage } from './types.cjs';
import { attempt } from './values.cjs';

/** Answers an event before whose evaluation something went wrong: its payload, or `policy.json`, cannot be read. */
export function answerUnreadable(program: Running, error: unknown, stage: Stage): void {
  // What the user has granted still holds, until the file says something else that can be understood.
  const rules: Rules = attempt(() => stage.rulesFor(program)) ?? program.policy.rules;
  // What has been read is not there again, and a client may keep stdin open.
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
