/**
 * mcp-hooks: the result of each hook of a firing, for the log. A line has it only if several hooks were shown, one failed or
 * had no room, or a tool or program was asked, which may have had nothing to show.
 */

import type { Asked, EventText, ProgramHook, Running } from './types.cjs';

export interface Done extends Omit<EventText, 'text'> {
  readonly done: readonly ProgramHook[];
  readonly asked?: ReadonlyMap<ProgramHook, Asked>;
  readonly waited?: number;
  readonly failed?: ReadonlySet<ProgramHook>;
}

/**
 * @param done The hooks that had an effect.
 * @param shown The hooks whose texts were shown. `lengths`: how many characters are from each. `noRoom`: the hooks whose texts
 *   were left out.
 * @param asked For a hook with a tool or program: how many `milliseconds` it took, and whether it `failed`. `waited`: how many
 *   milliseconds the event took until all had answered.
 * @param failed Hooks for which something went wrong later.
 */
export function hookResults(
  { done, shown, lengths, noRoom = [], asked = new Map(), waited = 0, failed = new Set() }: Done,
  program: Pick<Running, 'started'>,
): object[] {
  const own = Date.now() - program.started - waited;
  return [...new Set([...done, ...asked.keys(), ...failed, ...noRoom])]
    .sort((a, b) => a.number - b.number)
    .map((hook) => {
      const call = asked.get(hook);
      return {
        hook: hook.number,
        characters: lengths[shown.indexOf(hook)] ?? 0,
        ...(noRoom.includes(hook) ? { noRoom: true } : { milliseconds: own }),
        ...(call && { milliseconds: call.milliseconds }),
        ...(call?.isAsync && { background: true }),
        ...((call?.failed || failed.has(hook)) && { failed: true }),
      };
    });
}
