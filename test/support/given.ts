// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
/** A server's configuration with references that each client expands in its own way, and the environment of the client. */
import { expected } from '../clients/expectations.ts';
import type { ClientId } from './runner/clients.ts';

/** The user's own variables. Some look like secrets. */
export const ENV = {
  LANG: 'C.UTF-8',
  LC_CTYPE: 'C',
  TZ: 'UTC',
  PLAIN: 'plain',
  EMPTY: '',
  NESTED: '$PLAIN',
  AUTHOR: 'you',
  my_token: 'sw0rdfish',
  DATABASE_URL: 'x',
  PROXY: 'https://you:sw0rdfish@host/',
  GEMINI_CLI_TOKEN: 'kept',
  NODE_OPTIONS: '--no-warnings',
};

/** The last arguments of the server. */
export const WORDS = [
  '$PLAIN',
  '${PLAIN}x${PLAIN:-d}',
  '${UNSET}',
  '${UNSET:-d}',
  '${EMPTY:-d}',
  '${UNSET:-}',
  '${NESTED}',
  '$UNSET costs $5',
  '${my_token}',
  '${CLAUDE_PROJECT_DIR}',
  '${constructor}',
  '${env:PLAIN}',
  '{env:PLAIN}x{env:UNSET}',
  '~ %PLAIN% $(id) `id` "*"',
];

/** The variables of the server's configuration whose values are these words. */
export const OWN = Object.fromEntries(WORDS.map((word, index) => [`OWN_${index}`, word]));

/** Other variables there. */
export const MORE = { NODE_OPTIONS: '--trace-warnings', LD_DEBUG: '', MY_KEY: 'own' };

/** These words as a client expands them in an argument (0) or in the value of a variable (1). */
export const expandedBy = (id: ClientId, at: 0 | 1): string[] =>
  WORDS.map((word) => {
    const made = expected[id].given.expands[word] ?? word;
    return typeof made === 'string' ? made : made[at];
  });

/** The names of a client's variables that its server has, with those in `MORE`. @param names The client's variables. */
export function keptBy(id: ClientId, names: readonly string[]): string[] {
  const { without = [], only } = expected[id].given;
  const all = [...new Set([...names, ...Object.keys(MORE)])];
  return [...(only ?? all.filter((name) => !without.includes(name)))].sort();
}
