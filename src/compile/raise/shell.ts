/**
 * Reads a command for a POSIX shell that has only fixed words. Anything that a shell would have to work out makes it
 * unreadable. Nothing of it is run.
 */

/** One simple command, and where its output goes. */
export interface Step {
  readonly words: readonly string[];
  /** The text of its here-document. */
  readonly input?: string;
  readonly to: Output;
  /** Its output goes through `cat`, so its exit code is that of `cat`. */
  readonly piped?: true;
  /** The operator before it; `;` for the first step. */
  readonly after: ';' | '&&' | '||';
}

export type Output = 'out' | 'err' | 'nowhere';

/** More than anybody writes by hand. */
const CHARACTERS = 200_000;

/**
 * Redirections that do not change what is printed, or only change where it goes; each whole. `/dev/stdout` and `/dev/stderr`
 * are not here: they cannot be opened if a client gives its hooks sockets.
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

/** A pipe that passes on whatever it gets, at the end of the step. */
const THROUGH_CAT = /\|[ \t]*cat[ \t]*(?=[\n;]|&&|\|\||$)/y;

const OPERATOR = /;|\n|&&|\|\|/y;
const IGNORED = /[ \t]+|#[^\n]*/y;
/** A part of a word: in quotes of either kind, an escaped character, and characters that mean themselves. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([\s\S])|([^ \t\r\n;|&<>()$`*{}\\'"]+)/y;

/** Undefined: only a shell can tell what it does. */
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
        // To where the other one goes at this point.
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
      // Nothing comes before the pipe.
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
      // A line may be empty, but nothing else.
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
    // A line break after a backslash is nothing, not even the beginning of a word.
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

/** The text of a here-document that begins at `start`, and where it ends; undefined: it does not, or has something to fill in. */
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
