/** mcp-hooks: the view of an event for others: none of its secrets reaches a server, a log or the model. */

import { jsonOf } from '../json.cjs';
import type { Answer, ProgramHook, Why } from '../types.cjs';
import { fault } from '../values.cjs';
import { type Evaluation, readsAll } from './evaluation.cjs';

export const MASK = '***';

/** Masks the secrets in the view of the event. */
export async function maskView(evaluation: Evaluation): Promise<void> {
  const { firing, view } = evaluation;
  const keys = ['input', 'output', 'prompt', 'facts'] as const;
  const { native } = firing;
  const {
    values: [own, ...values],
    secrets,
    failure,
  } = await searched([native?.input, ...keys.map((key) => firing[key])], evaluation);
  view.firing = {
    ...firing,
    ...Object.fromEntries(keys.map((key, at) => [key, values[at]])),
    ...(native && { native: { ...native, input: own } }),
  };
  view.secrets = secrets ?? [];
  view.failure = failure;
}

/** The rules and the deadline of a search for secrets. */
type Searching = Pick<Evaluation, 'rules' | 'last'> & {
  readonly outcome: Pick<Evaluation['outcome'], 'reasons'>;
};

/** The values without secrets. */
export const masked = async <Values extends readonly unknown[]>(
  values: Values,
  searching: Searching,
): Promise<Values> => (await searched(values, searching)).values;

interface Searched<Values> {
  readonly values: Values;
  readonly secrets?: readonly string[];
  /** Why the search failed; then there are no values. */
  readonly failure?: Why;
}

async function searched<Values extends readonly unknown[]>(
  values: Values,
  { rules, outcome: { reasons }, last: until }: Searching,
  known: readonly string[] = [],
): Promise<Searched<Values>> {
  if (rules.redact === false) return { values, secrets: [] };
  const hide = (code: string, all: Values) => {
    const failure = { code };
    reasons.push(failure);
    return { values: all, failure };
  };
  try {
    const redact = require('../redact.cjs');
    if (known.length === 0 && !redact.mayHoldSecrets(values)) return { values, secrets: [] };
    const { values: seen, secrets = [], reason } = await redact.masked(values, { until, known });
    return reason === undefined ? { values: seen, secrets } : hide(reason, seen);
  } catch {
    // A file of ours is gone. The hook's decision still counts.
    const none = values.map((one) => (one === undefined ? one : MASK));
    return hide('unmasked', none as unknown as Values);
  }
}

/**
 * The answer of a program or tool without secrets: those that the rules find in the answer, and those of the event, which may
 * lack the context by which the rules recognise them. A changed input stays as it is, because it is only used in the call.
 */
export async function withoutSecrets(
  answer: Answer,
  hook: ProgramHook,
  evaluation: Evaluation,
): Promise<Answer> {
  const keys = ['texts', 'warnings', 'block', 'output'] as const;
  const given = keys.filter((key) => Object.hasOwn(answer, key));
  // Most programs print nothing, so there is nothing to search.
  if (!given.some((key) => Object(answer[key]).length !== 0)) return answer;
  const { view, firing } = evaluation;
  const hasReadAll = readsAll(hook, evaluation);
  if (hasReadAll) await maskView(evaluation);
  const hide = (value: unknown) => (Array.isArray(value) ? value.map(() => MASK) : MASK);
  // An answer may have them in JSON.
  const forms = view.secrets.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  // An output that is only repeated is not a change.
  const isRepeated = (key: string) =>
    key === 'output' && jsonOf(answer.output) === jsonOf(firing.output);
  const known = given.map((key) => (isRepeated(key) ? undefined : answer[key]));
  const isUnknown = hasReadAll && view.failure !== undefined;
  const found = isUnknown ? undefined : await searched(known, evaluation, forms);
  const said = !found || found.failure ? known.map((one) => one && hide(one)) : found.values;
  const { output: _, ...rest } = answer;
  return {
    ...rest,
    ...Object.fromEntries(
      given.flatMap((key, at) => (said[at] === undefined ? [] : [[key, said[at]]])),
    ),
  };
}

/** The answer of a hook that was given masks. A value that is repeated as it was shown is not a change. */
export function withoutMasks(answer: Answer, { firing, view }: Evaluation): Answer {
  const rest: { -readonly [Key in keyof Answer]: Answer[Key] } = { ...answer };
  for (const what of ['input', 'output'] as const) {
    if (!(what in answer) || firing[what] === view.firing[what]) continue;
    const after = jsonOf(answer[what]);
    const seen = jsonOf(view.firing[what]);
    const before = jsonOf(firing[what]);
    if (after === seen) delete rest[what];
    // The value behind a mask in a changed input is unknown, and so is where it may be sent.
    else if (what === 'input' && seen !== before && after.includes(MASK))
      throw fault('answer-masked');
  }
  return rest;
}
