/** What every format needs from a text: that it is valid, its line ends, its indentation. */
import { type Dialect, position, Refusal } from './edit.ts';
import type { EditMessage, Unwelcome } from './messages.ts';

const BOM = '\uFEFF';
export const withoutBom = (source: string): string =>
  source.startsWith(BOM) ? source.slice(1) : source;

/** Deeper than any hand-written file, and shallow enough for every recursive parser. */
export const MAX_DEPTH = 200;
const MEGABYTES = 20;
/** Git starts a line with this at a merge conflict. */
const MARKER = '<'.repeat(7);

const decoder = (fatal: boolean) => new TextDecoder('utf-8', { ignoreBOM: true, fatal });

/** @throws Refusal at the first byte that is not UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return decoder(true).decode(bytes);
  } catch {
    const again = new TextEncoder().encode(decoder(false).decode(bytes));
    const bad = again.findIndex((byte, index) => byte !== bytes[index]);
    // `stream` holds back the first bytes of a truncated character, so they are not counted.
    const before = decoder(false).decode(bytes.subarray(0, bad), { stream: true });
    throw refusal(before, before.length, { code: 'invalid-utf8' });
  }
}

/** The text of a file, if encoding it again gives the same bytes. @throws Refusal otherwise. */
export function decode(bytes: Uint8Array): string {
  if (bytes.length > MEGABYTES * 1024 * 1024)
    throw new Refusal<EditMessage>({ code: 'file-too-large', limitMegabytes: MEGABYTES });
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Refusal<EditMessage>({ code: 'utf16' }, 1, 1);
  const text = textOf(bytes);
  const nul = text.indexOf('\0');
  if (nul !== -1) throw refusal(text, nul, { code: 'nul-byte' });
  const marker = text.includes(MARKER) ? /^<{7} .*$/m.exec(text) : null;
  if (marker && /^>{7} /m.test(text.slice(marker.index)))
    throw refusal(text, marker.index, { code: 'merge-conflict' });
  return text;
}

/** A Refusal with its position. A byte order mark does not count as a column. */
export function refusal(source: string, offset: number, problem: EditMessage): Refusal {
  const bom = source.startsWith(BOM) ? 1 : 0;
  const { line, column } = position(source.slice(bom), Math.max(0, offset - bom));
  return new Refusal<EditMessage>(problem, line, column);
}

export const dialectRefusal = (text: string, what: Unwelcome, { otherwise }: Dialect): Refusal =>
  refusal(text, 0, { code: 'not-in-dialect', what, otherwise });

/** The line break that most lines of the file end with. */
export function newlineOf(text: string): '\r\n' | '\n' {
  let crlf = 0;
  let all = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text[at - 1] === '\r') crlf += 1;
  }
  return crlf * 2 > all ? '\r\n' : '\n';
}

export const hasBreak = (text: string): boolean => /[\r\n]/.test(text);
export const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

export function indentOf(text: string, offset: number): string {
  const start = lineStart(text, offset);
  let end = start;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return text.slice(start, end);
}

/** Whether only white space precedes `offset` on its line. */
export const startsLine = (text: string, offset: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));

/** The end of the line that contains `offset`: its line break. */
export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

/** The offset after the line break at `offset`, which may be the end of the text. */
export const behindBreak = (text: string, offset: number): number =>
  text.startsWith('\r\n', offset) ? offset + 2 : Math.min(offset + 1, text.length);

/** Removes a span. If nothing else is on its line, the whole line is removed; otherwise the rest of the line stays. */
export function removeSpan(text: string, start: number, end: number): string {
  const stop = lineEnd(text, end);
  const restIsBlank = isBlank(text.slice(end, stop));
  let from = start;
  let to = end;
  if (startsLine(text, start) && restIsBlank) {
    from = lineStart(text, start);
    to = behindBreak(text, stop);
  } else if (restIsBlank) {
    while (text[from - 1] === ' ' || text[from - 1] === '\t') from -= 1;
  } else {
    while (text[to] === ' ' || text[to] === '\t') to += 1;
  }
  return text.slice(0, from) + text.slice(to);
}
