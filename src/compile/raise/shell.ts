/**
 * Parses a POSIX shell command that has only fixed words. Anything that a shell would have to expand makes it unreadable. The
 * command is never run.
 */

/** One simple command and the destination of its output. */
export interface Step {
  readonly words: readonly string[];
  /** The text of its here-document. */
  readonly input?: string;
  readonly to: Output;
  /** Its output goes through `cat`, so the exit code is that of `cat`. */
  readonly piped?: true;
  /** The operator before it; `;` for the first step. */
  readonly after: ';' | '&&' | '||';
}

export type Output = 'out' | 'err' | 'nowhere';

/** Longer than anything written by hand. */
const CHARACTERS = 200_000;

/**
 * Redirections that do not change the output, or only its destination, each as a whole. `/dev/stdout` and `/dev/stderr` are not
 * included: they cannot be opened if a client gives its hooks sockets.
 */
const AWAY = String.raw`>?[ \t]*\/dev\/null`;
const END = String.raw`(?=[\s;&|]|$)`;
const REDIRECTIONS = [
  { form: new RegExp(`1?>&2${END}`, 'y'), from: 'out', to: 'err' },
  { form: new RegExp(`1?>&1${END}`, 'y'), from: 'out', to: 'out' },
  { form: new RegExp(`2>&1${END}`, 'y'), from: 'err', to: 'out' },
  { form: new RegExp(`2>&2${END}`, 'y'), from: 'err', to: 'err' },
  { form: new RegExp(`1?>${AWAY}${END}`, 'y'), from: 'out', to: 'nowhere' },
  { form: new RegExp(`2>(?:&-|${AWAY})${END}`, 'y'), from: 'err', to: 'nowhere' },
] as const;
const HERE = /<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))(?=[\s;&|]|$)/y;

/** A pipe through `cat` at the end of the step. */
const THROUGH_CAT = /\|[ \t]*cat[ \t]*(?=[\n;]|&&|\|\||$)/y;

const OPERATOR = /;|\n|&&|\|\|/y;
const IGNORED = /[ \t]+|#[^\n]*/y;
/** A part of a word: quoted in either way, an escaped character, or literal characters. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([\s\S])|([^ \t\r\n;|&<>()$`*{}\\'"]+)/y;

/** Undefined: its effect is only known when a shell runs it. */
export function stepsIn(text: string): Step[] | undefined {
  if (text.length > CHARACTERS) return undefined;
  const begun = (after: Step['after']) => ({
    words: [] as string[],
    outputs: { out: 'out', err: 'err' } as { out: Output; err: Output },
    input: undefined as string | undefined,
    piped: false,
    after,
  });
  const steps: ReturnType<typeof begun>[] = [];
  let step = begun(';');
  let word: string | undefined;
  /** The here-document whose text begins on the next line, and its step. */
  let here: { readonly step: typeof step; readonly found: RegExpExecArray } | undefined;
  let at = 0;
  const take = (form: RegExp) => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) at = form.lastIndex;
    return found;
  };
  const endWord = () => {
    if (word !== undefined) step.words.push(word);
    word = undefined;
  };

  while (at < text.length) {
    if (word === undefined) {
      const redirected = REDIRECTIONS.find(({ form }) => take(form));
      if (redirected) {
        const { from, to } = redirected;
        // To the current destination of the other stream.
        step.outputs[from] = to === 'nowhere' ? to : step.outputs[to];
        continue;
      }
      const found = take(HERE);
      if (found && here) return undefined;
      if (found) {
        here = { step, found };
        continue;
      }
    }
    if (take(THROUGH_CAT)) {
      endWord();
      // There is no command before the pipe.
      if (step.words.length === 0) return undefined;
      step.piped = true;
      continue;
    }
    const [operator] = take(OPERATOR) ?? [];
    if (operator !== undefined) {
      endWord();
      if (operator === '\n' && here) {
        const document = readHere(text, at, here.found);
        if (!document) return undefined;
        here.step.input = document.text;
        at = document.end;
        here = undefined;
      }
      const isEmpty = step.words.length === 0;
      // Only a whole line may be empty.
      if (isEmpty && (operator !== '\n' || step.input !== undefined || step.after !== ';'))
        return undefined;
      if (!isEmpty) steps.push(step);
      step = begun(operator === '\n' ? ';' : (operator as Step['after']));
      continue;
    }
    if (text[at] === ' ' || text[at] === '\t') endWord();
    if (word === undefined && take(IGNORED)) continue;
    const [, quoted, double, escaped, plain] = take(PART) ?? [];
    const unquoted = double?.replace(/\\([$`"\\\n])/g, (_, one: string) =>
      one === '\n' ? '' : one,
    );
    const part = quoted ?? unquoted ?? escaped ?? plain;
    if (part === undefined || (word === undefined && plain?.startsWith('~'))) return undefined;
    // A backslash and a line break are removed and do not even begin a word.
    if (escaped !== '\n') word = (word ?? '') + part;
  }
  endWord();
  if (here || (step.words.length === 0 && step.after !== ';')) return undefined;
  if (step.words.length > 0) steps.push(step);
  // Only standard output goes through `cat`.
  return steps.map(({ words, outputs, piped, after, input }) => ({
    words,
    to: outputs.out,
    after,
    ...(piped && { piped }),
    ...(input !== undefined && { input }),
  }));
}

/** The text of a here-document that begins at `start`, and its end; undefined: it has no end, or contains expansions. */
function readHere(text: string, start: number, [, tabs, single, double, plain]: RegExpExecArray) {
  const name = single ?? double ?? plain;
  let whole = '';
  for (let at = start; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next + 1;
    const line = text.slice(at, next < 0 ? undefined : next);
    const own = tabs === '-' ? line.replace(/^\t+/, '') : line;
    if (own === name) {
      if (plain === undefined) return { text: whole, end };
      if (/[$`]/.test(whole.replace(/\\[$`\\]/g, ''))) return undefined;
      return { text: whole.replace(/\\([$`\\])/g, '$1'), end };
    }
    whole += `${own}\n`;
    at = end;
  }
  return undefined;
}
