/**
 * mcp-hooks: what each hook of a firing did, for the log. A line has this only if several hooks were shown, one of them failed or
 * had no room, or a tool or a program was asked, which may have had nothing to show.
 */

import type { Asked, ProgramHook, Running, Told } from './types.cjs';

export interface Done extends Omit<Told, 'text'> {
  readonly done: readonly ProgramHook[];
  readonly asked?: ReadonlyMap<ProgramHook, Asked>;
  readonly waited?: number;
  readonly failed?: ReadonlySet<ProgramHook>;
}

/**
 * @param done The hooks that had an effect.
 * @param told Those whose texts were told, and `lengths`, how many characters are from each; `noRoom`: those whose texts
 *   were left out.
 * @param asked For a hook with a tool or a program how many `milliseconds` that took, and whether it `failed`; `waited`:
 *   milliseconds that the event took until all had answered.
 * @param failed Hooks for which something went wrong later.
 */
export function hookResults(
  { done, told, lengths, noRoom = [], asked = new Map(), waited = 0, failed = new Set() }: Done,
  program: Pick<Running, 'started'>,
): object[] {
  const own = Date.now() - program.started - waited;
  return [...new Set([...done, ...asked.keys(), ...failed, ...noRoom])]
    .sort((a, b) => a.number - b.number)
    .map((hook) => {
      const call = asked.get(hook);
      return {
        hook: hook.number,
        characters: lengths[told.indexOf(hook)] ?? 0,
        ...(noRoom.includes(hook) ? { noRoom: true } : { milliseconds: own }),
        ...(call && { milliseconds: call.milliseconds }),
        ...(call?.isAsync && { background: true }),
        ...((call?.failed || failed.has(hook)) && { failed: true }),
      };
    });
}
