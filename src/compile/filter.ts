/**
 * What the first stage of the runner leaves at once for: payloads in which no hook of the event can find what it
 * asks for. It may let through too much, never too little.
 */

import type { NativeProgram, Program } from './program.ts';

/**
 * The longest part of `input_contains` that stands as it is in every JSON text whose value holds the whole, however
 * the client serialises it; undefined when there is none.
 *
 * Left out are characters that JSON or one of its writers escapes (quotes, backslashes, `/`, `<`, `>`, `&`, control
 * characters, `=`, everything that is not ASCII), those around which white space may stand between values, and runs
 * that may be a number, of which there are several spellings.
 */
export function rawPart(needle: string): string | undefined {
  const runs = needle
    .replace(/\\(?:u[0-9a-f]{4}|.)/gis, '\n') // an escape, in the serialised input
    .split(/[^A-Za-z0-9 !#$%()*;?@^_`|~.-]+/)
    .filter((run) => /[^0-9.eE-]/.test(run));
  return runs.sort((a, b) => b.length - a.length)[0];
}

/** What one of must be in the payload for any hook of the event to fire; undefined: that cannot be told so easily. */
function needles({ hooks }: NativeProgram): string[] | undefined {
  const parts = hooks.map(({ when }) =>
    when?.input === undefined ? undefined : rawPart(when.input),
  );
  return parts.every((part) => part !== undefined) ? [...new Set(parts)] : undefined;
}

/** The shell text that `templates/run.sh` reads in: it exits, or leaves what it has read in `payload`. */
export function filterScript(program: Program): string {
  const cases = Object.entries(program.events).flatMap(([native, event]) => {
    const wanted = needles(event);
    if (!wanted || wanted.length === 0) return [];
    // None of the characters of a part means anything between single quotes.
    const patterns = wanted.map((part) => `*'${part}'*`).join(' | ');
    return [
      `${native})\n  if payload=$(cat); then\n    case $payload in\n    ${patterns}) ;;\n    *) exit 0 ;;\n    esac\n  else unset payload\n  fi\n  ;;\n`,
    ];
  });
  const about = `# mcp-hooks: what has to be in a payload for a hook of "${program.label}" to fire in ${program.client}.\n`;
  return cases.length === 0 ? about : `${about}case $2 in\n${cases.join('')}esac\n`;
}
