/** Declarations within every limit that make a matcher as slow as possible. */
import type { Matcher } from '../../src/declaration/declaration.ts';

const many = (of: (index: number) => Matcher): Matcher[] =>
  Array.from({ length: 300 }, (_, i) => of(i));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i).join(',');

export const SLOW: Readonly<Record<string, readonly Matcher[]>> = {
  'many wildcards': many((i) => ({ tool_name: `*a*a*a*a{b,c,${i}}` })),
  'wildcards of both kinds': many((i) => ({ tool_name: `*${'?'.repeat(i)}*a?*b?*` })),
  'wildcards around words': many((i) => ({ tool_name: `*${'a'.repeat(40)}${i}*` })),
  'nearly the same words': many((i) => ({ tool_name: `*${'a'.repeat(i)}b*` })),
  'characters of any kind': many((i) => ({ tool_name: `*${'?'.repeat(i)}a` })),
  classes: many((i) => ({ tool_name: `*${'[a-z_]'.repeat(20)}[!a]*${i}` })),
  'braces in braces': many((i) => ({ tool_name: `*${'{a,'.repeat(90)}b${'}'.repeat(90)}*${i}` })),
  'pairs of braces': many((i) => ({ tool_name: `*${'{a,b}'.repeat(100)}*${i}` })),
  'many names': many((i) => ({ tool_name: `*{${numbers(90)}}*${i}` })),
  'tools of servers': many((i) => ({ tool_name: `mcp__*a*_*_${i}*` })),
  underscores: many((i) => ({ tool_name: `mcp__${'_'.repeat(900)}${i}*` })),
  servers: many((i) => ({ tool_server: `a_${'_a'.repeat(i)}` })),
};
