/** Keeps the values of a user's secrets out of what we print. Better one too many hidden than one shown. */

const UNDER = /^(env|environment|headers|http_headers|env_vars|oauth|credentials?)$/i;
const NAMED = /key|token|secret|passw|auth|credential|cookie|bearer|private/i;
const SHAPED = /\b(?:sk-|pk-|gh[a-z]_|github_pat_|xox[a-z]-|AKIA|AIza|eyJ|glpat-)[\w.~+/=-]{8,}/g;
const ASSIGNED =
  /((?:key|token|secret|password|passwd|bearer|authorization)["']?[=: ]+)(?!["'])[^\s"'\\,;]{6,}/gi;
const MASK = '***';

/** A function that hides, in any line of a document, the secrets of that document. */
export function masker(document: unknown): (line: string) => string {
  const secrets = [...new Set(collect(document, false))].sort((a, b) => b.length - a.length);
  return (line) => {
    let out = line;
    for (const secret of secrets) {
      const escaped = JSON.stringify(secret).slice(1, -1);
      for (const form of new Set([escaped, secret])) {
        out = out.replaceAll(`"${form}"`, `"${MASK}"`).replaceAll(`'${form}'`, `'${MASK}'`);
        if (form.length >= 8) out = out.replaceAll(form, MASK);
      }
    }
    return out.replace(SHAPED, MASK).replace(ASSIGNED, `$1${MASK}`);
  };
}

function* collect(value: unknown, secret: boolean): Generator<string> {
  if (typeof value === 'string') {
    if (!secret || value === '') return;
    yield value;
    if (value.includes('\n')) yield* value.split('\n').filter((line) => line.trim().length >= 4);
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* collect(
        inner,
        secret || UNDER.test(key) || (typeof inner === 'string' && NAMED.test(key)),
      );
}
