/** A question as the part of an address after `#`, which a browser sends to nobody. */

import type { Question } from './protocol.ts';

/** Characters of a link, and of the text that it holds. A longer one is not read: it may be made to keep the browser busy. */
const LONGEST = 64_000;
const LARGEST = 200_000;
const TIMES = 50;

const KEY = '#try=';

export type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'too long' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'found'; readonly question: Question };

/** The link's end for a question; undefined: it would be too long. */
export async function toLink(question: Question): Promise<string | undefined> {
  const text = JSON.stringify(question);
  if (text.length > LARGEST) return undefined;
  const packed = await piped(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const link = `${KEY}${toBase64(packed ?? new Uint8Array())}`;
  return link.length > LONGEST ? undefined : link;
}

/** Anybody may have made the link. */
export async function fromLink(hash: string): Promise<Found> {
  if (!hash.startsWith(KEY)) return { kind: 'none' };
  if (hash.length > LONGEST) return { kind: 'too long' };
  try {
    const bytes = fromBase64(hash.slice(KEY.length));
    const text = await piped(bytes, new DecompressionStream('deflate-raw'));
    if (!text) return { kind: 'too long' };
    const question = questionIn(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)));
    return question ? { kind: 'found', question } : { kind: 'broken' };
  } catch {
    return { kind: 'broken' };
  }
}

function questionIn(value: unknown): Question | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const string = (key: string): string | undefined => {
    const found: unknown = Reflect.get(value, key) ?? '';
    return typeof found === 'string' ? found : undefined;
  };
  const [text, event, tool, input, prompt] = ['text', 'event', 'tool', 'input', 'prompt'].map(
    string,
  );
  const allow: unknown = Reflect.get(value, 'allow') ?? [];
  const times: unknown = Reflect.get(value, 'times') ?? 1;
  if (text === undefined || event === undefined || tool === undefined) return undefined;
  if (input === undefined || prompt === undefined) return undefined;
  if (!Array.isArray(allow) || !allow.every((one) => typeof one === 'string')) return undefined;
  if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > TIMES) return undefined;
  const failed = Reflect.get(value, 'failed') === true;
  return { text, event, tool, input, prompt, failed, times: Number(times), allow };
}

/** The bytes that come out of a stream; undefined if they are too many. */
async function piped(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > LARGEST * 3) {
      await reader.cancel();
      return undefined;
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
