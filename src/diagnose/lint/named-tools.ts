/**
 * The tools of the hooks' own server that their texts and matchers name. A name is reported only if it cannot mean anything
 * else: a word in quotes may also be a file, a field or a program.
 */

import { globsOf, isLike, parseGlob, prefixOf } from '../../compile/glob.ts';
import { matchesNoTool } from '../../compile/known-tools.ts';
import { DECLARED, sanitise } from '../../compile/names.ts';
import { OWN_SERVER, withOwnServer } from '../../compile/own-server.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';

export interface NamedTool {
  readonly name: string;
  readonly at: readonly string[];
  /** Whether the name matches a tool of the server. */
  readonly fits: (tool: string) => boolean;
}

/** @param label The name that a declaration may use for the own server in place of `{server}`. */
export function namedTools(hook: HookDeclaration, label: string): NamedTool[] {
  return [...inTexts(hook, label), ...inMatcher(hook)];
}

/** "call `add`", but not "a call `add`", "code that calls `add`" or "call `add` of another server". */
const CALLED =
  /(?<!\b(?:that|which|who|tool|a|the|this|each|every|last) )\b(?:call|calling|invoke|invoking)(?: the)?(?: tool)? (["'`])([A-Za-z][\w-]{3,})\1(?! (?:of|from|in|on)\b)/gi;

/** "the tool `add_note`", "the `add_note` tool". */
const CALLED_TOOL =
  /\btool (["'`])(\w+)\1(?! (?:of|from|in|on)\b)|(["'`])(\w+)\3 tool\b(?! (?:of|from|in|on)\b)/gi;

/** Compound words, which are rarely names of programs: in "the `gh` tool", no server's tool is meant. */
const COMPOUND = /[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]/;

function* inTexts(hook: HookDeclaration, label: string): Generator<NamedTool> {
  const starts = [...new Set([OWN_SERVER, label, bare(label)])].map(
    (own) => `${DECLARED.prefix}${own}${DECLARED.separator}`,
  );
  for (const key of ['context', 'block'] as const) {
    const text = hook[key] ?? '';
    const names = [
      ...starts.flatMap((start) => text.split(start).slice(1).flatMap(nameAtStart)),
      ...[
        ...Array.from(text.matchAll(CALLED), ([, quote, name = '']) => ({ name, quote })),
        ...Array.from(text.matchAll(CALLED_TOOL), ([, , after, , before]) => ({
          name: after ?? before ?? '',
          quote: undefined,
        })),
      ].flatMap(({ name, quote }) =>
        (quote === '`' || COMPOUND.test(name)) && isOfNoClient(name) ? [name] : [],
      ),
    ];
    for (const name of new Set(names))
      yield { name, at: [key], fits: (tool) => bare(tool) === bare(name) };
  }
}

/** A name that continues as a pattern, or ends as italics, is not a single tool. */
function nameAtStart(rest: string): string[] {
  const [name = ''] = /^\w+(?:-\w+)*/.exec(rest) ?? [];
  const isWhole =
    !name.endsWith('_') && !/^(?:\*(?!\*)|[{[<-]|[./]\w)/.test(rest.slice(name.length));
  return name !== '' && isWhole ? [name] : [];
}

/** Built-in tools of a client, such as `Bash`, are named in the same way. */
const isOfNoClient = (name: string): boolean =>
  !name.startsWith(DECLARED.prefix) && matchesNoTool(name);

/** Not like any label, so only `{server}` is replaced by it. */
const STAND_IN = 'own-server-of-the-hook';
const START = `${DECLARED.prefix}${STAND_IN}${DECLARED.separator}`;

function inMatcher(hook: HookDeclaration): NamedTool[] {
  const { tool_name } = withOwnServer(hook, STAND_IN).matcher ?? {};
  return (tool_name === undefined ? [] : parseGlob(tool_name)).flatMap((glob) => {
    if (!prefixOf(glob).startsWith(START)) return [];
    return [
      {
        name: globsOf([glob]).join('').slice(START.length),
        at: ['matcher', 'tool_name'],
        fits: (tool) => isLike(`${START}${tool}`, glob) || isLike(`${START}${bare(tool)}`, glob),
      },
    ];
  });
}

/** A server's tool as a declaration names it. */
const bare = (name: string): string => sanitise(DECLARED, name);
