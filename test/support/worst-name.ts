/** The tool name that takes longest to compare with a matcher, as found by a search. */

/** The parts of names in the search. Names of the matcher's own letters cost most. */
const CHARACTERS = ['a', 'b', 'aa', 'ab', 'x', '0', '_', '__', '-', 'mcp__', 'mcp_', 'plugin_'];

/** No client gives a tool a longer name. */
const LENGTH = 128;

/**
 * Climbs from names that repeat one or two parts: tries random changes and keeps those that cost more. Always gives the same
 * result.
 *
 * @param cost The cost of comparing a name: time, or steps.
 * @param rounds How many changes to try.
 * @param every Looks at one of this many initial names.
 */
export function worstName(cost: (name: string) => number, rounds = 300, every = 1): string {
  let seed = 2282;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % limit;
  };
  const piece = () => CHARACTERS[below(CHARACTERS.length)] ?? 'a';
  const whole = (text: string) => text.slice(0, LENGTH);
  const starts = CHARACTERS.flatMap((one) =>
    CHARACTERS.flatMap((other) => [
      whole((one + other).repeat(LENGTH)),
      `mcp__${whole(one.repeat(LENGTH)).slice(5 + other.length)}${other}`,
    ]),
  );
  let [best, most] = ['', -1];
  const look = (name: string) => {
    const now = cost(name);
    if (now > most) [best, most] = [name, now];
  };
  for (const [index, start] of starts.entries()) if (index % every === 0) look(start);
  for (let round = 0; round < rounds; round++) {
    const from = below(best.length + 1);
    const cut = below(8);
    look(whole(best.slice(0, from) + piece().repeat(1 + below(16)) + best.slice(from + cut)));
  }
  return best;
}
