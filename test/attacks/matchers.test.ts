/** A hostile matcher adds almost no cost to a tool call: in the client, in the runner, or at install. */
import { describe } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { type Compiled, compile } from '../../src/compile/compile.ts';
import { parseGlob } from '../../src/compile/glob.ts';
import { eventPrograms } from '../../src/compile/program.ts';
import { declare } from '../support/runner/world.ts';
import { SLOW } from '../support/slow-matchers.ts';
import { tries } from '../support/tries.ts';
import { worstName } from '../support/worst-name.ts';
import { attack, env } from './attack.ts';

const PLACE = { runner: '/r', state: '/s' };
type Matchers = (typeof SLOW)[string];
const hooksOf = (matchers: Matchers) =>
  declare(matchers.map((matcher) => ({ event: 'post_tool_use', matcher })));

/** Made once for all tests, because making it is slow, too. */
const COMPILED = new Map<Matchers, readonly Compiled[]>();
function compiledFor(matchers: Matchers): readonly Compiled[] {
  const known = COMPILED.get(matchers);
  if (known) return known;
  const declared = hooksOf(matchers);
  const made = CLIENTS.map((client) => compile(declared, client, PLACE));
  COMPILED.set(matchers, made);
  return made;
}

/** Counts how often a backtracking engine looks at a character for our matchers. */
function stepsOf(matcher: string): (name: string) => number {
  const [, inside = matcher] = /^\^\(\?:(.*)\)\$$/s.exec(matcher) ?? [];
  // An optional part is replaced by two alternatives.
  const options = inside.replace(/([^|]*)\(\?:([^)]*)\)\?([^|]*)/g, '$1$2$3|$1$3');
  const alternatives = options
    .split('|')
    .map((one) =>
      (one.match(/\\.|\.\*|\[(?:\\.|[^\]\\])*\]|./gs) ?? []).map((token) =>
        token === '.*' ? undefined : new RegExp(token, 's'),
      ),
    );
  return (name) => {
    let taken = 0;
    const matches = (tokens: (typeof alternatives)[number], at: number, from: number): boolean => {
      taken++;
      if (taken > ENOUGH) return false;
      if (at === tokens.length) return from === name.length;
      const token = tokens[at];
      if (token) return token.test(name.charAt(from)) && matches(tokens, at + 1, from + 1);
      for (let to = name.length; to >= from; to--) if (matches(tokens, at + 1, to)) return true;
      return false;
    };
    alternatives.some((tokens) => matches(tokens, 0, 0));
    return taken;
  };
}

/** Counting stops here. */
const ENOUGH = 5_000_000;

describe('what a server declares', () => {
  for (const [what, matchers] of Object.entries(SLOW))
    attack(`slow matchers are compared in bounded time: ${what}`, ({ expect }) => {
      const written = new Set<string>();
      for (const { client, groups, notes } of compiledFor(matchers)) {
        // A client that ignores matchers for an event gets none.
        const about = groups.filter(({ event }) => client.nativeEvents[event]?.matcher === 'tool');
        for (const { group } of about)
          if (typeof group.matcher === 'string') written.add(group.matcher);
          else expect(notes.map(({ code }) => code)).toContain('matcher-too-long');
      }
      for (const matcher of written) {
        expect(matcher.length).toBeLessThanOrEqual(4100);
        const steps = stepsOf(matcher);
        const name = worstName(steps, tries(12, 300), tries(12, 1));
        expect(steps(name)).toBeLessThan(2 * (name.length + 1) * matcher.length);
      }
    });

  attack('a small declaration does not make a large program', ({ expect }) => {
    for (const [what, matchers] of Object.entries(SLOW))
      for (const { program } of compiledFor(matchers)) {
        for (const event of eventPrograms(program)) {
          // The number of installed hooks is limited, and what is compared is not much longer than the declaration.
          expect([what, event.hooks.length <= 64]).toEqual([what, true]);
          const size = JSON.stringify(event).length;
          expect([what, size < 64 * 12_000]).toEqual([what, true]);
        }
      }
  });

  attack('hooks beyond the limit do not widen a matcher', ({ expect }) => {
    const counted = Array.from({ length: 64 }, () => ({ tool_name: 'Bash' }));
    const leftOut = [{ tool_name: '*' }, { tool_name: `*${'a'.repeat(900)}` }];
    const { groups, hooks } = compile(hooksOf([...counted, ...leftOut]), claudeCode, PLACE);
    expect(groups.map(({ group }) => group.matcher)).toEqual(['Bash', 'Bash']);
    expect(hooks.at(-1)).toMatchObject({ grade: 'none', native: [] });
    expect(hooks.at(-1)?.when).toEqual({ code: 'over-server-limit', limit: 64 });
  });

  attack('braces that do not close are read in bounded time', ({ expect }) => {
    const matchers = ['{', '{,', '{a}', '{a,b}{', '{a,'].map((part) => ({
      tool_name: part.repeat(1000).slice(0, 1000),
    }));
    const many = Array.from({ length: 40 }, () => matchers).flat();
    const started = process.cpuUsage();
    for (const { tool_name } of many) parseGlob(tool_name);
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(2_000_000);
  });

  attack(
    'the plan says that the runner filters the calls if matchers are slow',
    async ({ world, expect }) => {
      const declarations = (SLOW['nearly the same words'] ?? []).toReversed().map((matcher) => ({
        event: 'post_tool_use',
        matcher,
        context: 'Hi.',
        priority: 'suggestion',
      }));
      await world.write('slow.json', JSON.stringify({ name: 'slow', hooks: { declarations } }));
      const { out } = await world.run('diff slow.json --client claude', { env });
      const words = out.replace(/\s+/g, ' ');
      expect(/In Claude Code, the matcher .*? exceed/.exec(words)?.[0]).toBe(
        'In Claude Code, the matcher of these hooks would exceed',
      );
    },
  );
});

attack('a slow matcher that others wrote delays nothing', async ({ world, expect }) => {
  const hook = { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'Hi.' };
  const declarations = [{ ...hook, priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ name: 'annal', hooks: { declarations } }));
  await world.folder('~/.gemini');
  await world.run('install annal.json --yes --client gemini', { env });
  const settings = await world.read('~/.gemini/settings.json');
  const slow = `^(?:${'.*a'.repeat(40)})$`;
  await world.write(
    '~/.gemini/settings.json',
    settings.replace('^(?:run_shell_command)$', () => slow),
  );
  const line = ['fire', 'annal', 'post_tool_use', '--tool', 'a'.repeat(100)];
  const { out, err } = await world.run(line, { env });
  expect([out.includes('Hi.'), err]).toEqual([false, '']);
});

attack(
  'a slow matcher that others wrote into many entries delays nothing',
  async ({ world, expect }) => {
    const tools = Array.from({ length: 12 }, (_, index) => `${'a'.repeat(60)}${index}`);
    const declarations = tools.map((tool_name) => ({
      ...{ event: 'post_tool_use', matcher: { tool_name }, context: `Of ${tool_name}.` },
      priority: 'suggestion',
    }));
    await world.write('annal.json', JSON.stringify({ name: 'annal', hooks: { declarations } }));
    await world.folder('~/.claude');
    await world.run('install annal.json --yes --client claude', { env });
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    for (const groups of Object.values<{ matcher?: string }[]>(settings.hooks))
      for (const group of groups) group.matcher = `^(?:${'.*a'.repeat(7)})$`;
    await world.write('~/.claude/settings.json', JSON.stringify(settings));
    // Without a time limit, each entry takes seconds; if the wait is repeated, each takes one second.
    const started = process.cpuUsage();
    for (const line of ['list', 'doctor', 'verify']) {
      const { code, err } = await world.run(line, { env });
      expect([line, code, err]).toEqual([line, line === 'list' ? 0 : 1, '']);
    }
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(8_000_000);
  },
);
