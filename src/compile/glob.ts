/**
 * The globs of `tool_name`: `*`, `?`, `[...]`, `{a,b}`, `\x`; anchored and case-sensitive. Compiled to regular
 * expressions that mean the same in JavaScript (Claude Code, Gemini CLI, our runner) and Rust (Codex CLI).
 */

type Piece =
  | { readonly literal: string }
  /** Source of a regular expression. */
  | { readonly wild: string };

/** A glob without braces. */
export interface Glob {
  readonly pieces: readonly Piece[];
  /** What every name it matches begins with. */
  readonly prefix: string;
  /** It has no wildcards and matches `prefix` only. */
  readonly literal: boolean;
}

/** More alternatives than this are no longer a list of tools; characters of braces are then literal. */
const ALTERNATIVES = 200;

/** The alternatives of a glob, each without braces: `{Edit,Write}` is two. */
export function parseGlob(glob: string): Glob[] {
  const alternatives = expand(glob);
  return (alternatives.length > ALTERNATIVES ? [glob] : alternatives).map((text) => {
    const pieces = parsePieces(text);
    const wild = pieces.findIndex((piece) => 'wild' in piece);
    const fixed = wild === -1 ? pieces : pieces.slice(0, wild);
    return {
      pieces,
      prefix: fixed.map((piece) => ('literal' in piece ? piece.literal : '')).join(''),
      literal: wild === -1,
    };
  });
}

/** Source of a regular expression, not anchored. `literal` turns each literal character into source. */
export function toRegex(glob: Glob, literal: (character: string) => string = escapeRegex): string {
  return glob.pieces
    .map((piece) => ('wild' in piece ? piece.wild : [...piece.literal].map(literal).join('')))
    .join('');
}

/** Source of a regular expression that matches the whole of any alternative. */
export const anchored = (alternatives: readonly string[]): string =>
  `^(?:${alternatives.join('|')})$`;

/** A regular expression that stands in a file; undefined: somebody has edited it into none. */
export function regexIn(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' || character === '/' ? character : `\\${character}`,
  );
}

/** `a{b,c}d` is `abd` and `acd`. Braces without a comma, or that do not close, are characters. */
function expand(glob: string): string[] {
  for (let open = 0; open < glob.length; open++) {
    if (glob[open] === '\\') open++;
    else if (glob[open] === '{') {
      const parts = bracePartsAt(glob, open);
      if (!parts) continue;
      const head = glob.slice(0, open);
      const out: string[] = [];
      for (const part of parts.texts)
        for (const rest of expand(part + glob.slice(parts.end))) {
          out.push(head + rest);
          if (out.length > ALTERNATIVES) return out;
        }
      return out;
    }
  }
  return [glob];
}

function bracePartsAt(glob: string, open: number): { texts: string[]; end: number } | undefined {
  const texts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < glob.length; i++) {
    const character = glob[i];
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      texts.push(glob.slice(from, i));
      from = i + 1;
    } else if (character === '}' && --depth === 0) {
      texts.push(glob.slice(from, i));
      return texts.length > 1 ? { texts, end: i + 1 } : undefined;
    }
  }
  return undefined;
}

function parsePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const literal = (character: string) => {
    const last = pieces.at(-1);
    if (last && 'literal' in last)
      pieces[pieces.length - 1] = { literal: last.literal + character };
    else pieces.push({ literal: character });
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '*') {
      while (text[i + 1] === '*') i++;
      pieces.push({ wild: '.*' });
    } else if (character === '?') pieces.push({ wild: '.' });
    else if (character === '\\' && i + 1 < text.length) literal(text.charAt(++i));
    else if (character === '[') {
      const found = classAt(text, i);
      if (found) {
        pieces.push({ wild: found.source });
        i = found.end;
      } else literal(character);
    } else literal(character);
  }
  return pieces;
}

/** The class that opens at `open`, and where it closes; undefined when it is none, or a range is the wrong way round. */
function classAt(text: string, open: number): { source: string; end: number } | undefined {
  const [all, not, inside] = /^\[([!^]?)(\]?(?:\\[\s\S]|[^\]\\])*)\]/.exec(text.slice(open)) ?? [];
  if (!all || !inside) return undefined;
  const escaped = (character: string) => character.replace(/[\\[\]^&~-]/, '\\$&');
  let source = '';
  for (const [, low = '', high] of inside.matchAll(ITEM)) {
    const [from, to] = [low, high].map((one) => one?.slice(-1));
    if (from === undefined) return undefined;
    if (to !== undefined && to < from) return undefined;
    source += to === undefined ? escaped(from) : `${escaped(from)}-${escaped(to)}`;
  }
  return { source: `[${not ? '^' : ''}${source}]`, end: open + all.length - 1 };
}

/** A character or a range of two, each perhaps escaped. */
const ITEM = /(\\?[\s\S])(?:-(\\[\s\S]|[^\\]))?/g;
