/** mcp-hooks: events that cannot be read, where a hook may have to block what it cannot check (failure.cjs). */

import { NOTHING } from './failure.cjs';
import type { Rules, Running, Stage } from './types.cjs';

/** Answers an event before whose evaluation something went wrong: its payload, or `policy.json`, cannot be read. */
export function answerUnreadable(program: Running, error: unknown, stage: Stage): void {
  const tried = <Value,>(action: () => Value): { readonly value: Value } | undefined => {
    try {
      return { value: action() };
    } catch {
      return undefined;
    }
  };
  // What the user has granted still holds, until the file says something else that can be understood.
  const rules: Rules = tried(() => stage.rulesFor(program))?.value ?? program.policy.rules;
  // What has been read is not there again, and a client may keep stdin open.
  const read = tried(() => stage.read(program, program.stdin ?? stage.readStdin(program)));
  if (rules.muted || (read && !read.value)) stage.fail(program, error);
  else {
    const { answerFailed, evaluationOf } = require('./chain.cjs');
    const evaluation = evaluationOf(program, read?.value ?? NOTHING, rules, stage);
    answerFailed(evaluation, error, read !== undefined);
  }
}
