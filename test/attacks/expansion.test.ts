/** Gemini CLI fills in variables in all of its settings, but finds none in ours. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { compile } from '../../src/compile/compile.ts';
import { clientOf, runsFor } from '../support/runner/clients.ts';
import { declare } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';
import { attack } from './attack.ts';

/** The variables that Gemini CLI fills in, in every string of its settings. */
const VARIABLE = /\$(?:\w+|\{[^}]+\})/;

/** The strings of our entry for a hook about a tool. */
function written(glob: string, state = '/home/ann/.mcp-hooks') {
  const matcher = { tool_name: glob };
  const declared = declare([{ event: 'post_tool_use', matcher, context: 'After.' }]);
  const runner = `${state}/servers/annal`;
  const { groups } = compile(declared, clientOf('gemini-cli'), { runner, state });
  const [group] = groups.map(({ group }) => group);
  const strings: string[] = [];
  JSON.stringify(group, (_key, value) => {
    if (typeof value === 'string') strings.push(value);
    return value;
  });
  return { matcher: group?.matcher, strings };
}

const escaped = (name: string): string => name.replace(/[\\*?[\]{},]/g, '\\$&');

attack('a variable in the name of a tool is not filled in', () => {
  for (const name of [
    '$USER',
    '$' + '{HOME}',
    '$' + '{HOME:-x}',
    'a\\$USER',
    '$$USER',
    '\\\\$USER',
    '$1',
  ]) {
    const { matcher, strings } = written(escaped(name));
    for (const text of strings) expect(text).not.toMatch(VARIABLE);
    expect(runsFor('gemini-cli', String(matcher), name)).toBe(true);
    expect(runsFor('gemini-cli', String(matcher), 'ann')).toBe(false);
  }
});

attack('a variable in the brackets of a glob is not filled in', () => {
  for (const glob of ['[$USER]x', '[!$USER]x', '[$-USER]x', 'a[\\$HOME]*']) {
    const { matcher, strings } = written(glob);
    for (const text of strings) expect(text).not.toMatch(VARIABLE);
    const own = new RegExp(String(matcher).replaceAll('\\x24', '\\$'));
    for (const name of ['$x', 'Ux', 'ax', 'zx', 'a$b', 'aHb', 'aab'])
      expect(runsFor('gemini-cli', String(matcher), name)).toBe(own.test(name));
  }
});

attack('no variable is filled in, whatever the names of a tool and of our folder', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'$${}:-\\[]*?.|()^aUSER_1 \'"'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, (name, folder) => {
      const { matcher, strings } = written(escaped(name), `/home/${folder}`);
      for (const one of strings) expect(one).not.toMatch(VARIABLE);
      expect(runsFor('gemini-cli', String(matcher), name)).toBe(true);
    }),
    { numRuns: tries(400, 20_000) },
  );
});
