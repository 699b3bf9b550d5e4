/** Tools that hooks call: whether the last call of each went well, by the log. No server is started for that. */

import { findClient } from '../../clients/registry.ts';
import { type CheckResult, ofInstalls } from './check.ts';
import { lastOf } from './state-folder.ts';

/** A tool that has nothing to say went well; a sign-in that is missing has a check of its own. */
const FINE: readonly string[] = ['no-text', 'not-signed-in'];

export const calls = ofInstalls('calls', 'no-tool-failed', (install, at) => {
  const { label } = install;
  const calling = at.programs(install).flatMap((program) => {
    const hooks = program.hooks.filter(({ call }) => call).map(({ number }) => number);
    return hooks.length > 0 ? [{ ...program, hooks }] : [];
  });
  if (calling.length === 0) return undefined;
  const { where, entries } = lastOf(label, at);
  return calling.flatMap(({ client, native, hooks: all }): CheckResult | [] => {
    const whyOf = (number: number) => {
      // One that was not asked at that moment is not among those that spoke, and nothing failed.
      const last = entries.findLast(
        (one) =>
          one.client === client &&
          one.event === native &&
          (one.hooks.includes(number) || one.why !== undefined),
      );
      return last?.hooks.includes(number) ? undefined : last?.why;
    };
    const hooks = all.filter((number) => whyOf(number)?.some(({ code }) => !FINE.includes(code)));
    const why = hooks[0] === undefined ? undefined : whyOf(hooks[0]);
    if (why === undefined) return [];
    const name = findClient(client)?.name ?? client;
    return {
      level: 'error',
      what: { code: 'last-call-failed', hooks, client: name, native, why },
      where,
      todo: { code: 'verify-again', label },
      blocks: { client, natives: [native], hooks },
    };
  });
});
