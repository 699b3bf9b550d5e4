/** Why the runner showed nothing, as logged (`fault` in templates). The words are in src/present/messages/runner.ts. */

import * as z from 'zod/mini';
import type { Quote } from '../system/errors.ts';
import { memoize } from '../system/memoize.ts';

const PLAIN = [
  // About the tool: it has nothing to show, or asks for input, although there is no user to ask.
  'no-text',
  'wants-more',
  // About the server.
  'no-answer-in-time',
  'no-answer',
  'answer-too-long',
  'moved-elsewhere',
  'not-signed-in',
  'address-unusable',
  // About its entry in a client's configuration, its manifest, or a variable that decides what runs.
  'entry-gone',
  'entry-changed',
  'entry-unread',
  'env-file-unread',
  'manifest-unread',
  'variable-changed',
  'passing-changed',
  'policy-invalid',
  // About the event: the payload is not a JSON object.
  'payload-invalid',
  // About an answer: it is JSON of no known convention, or not valid in the convention that it seems to follow; it decides
  // something that it may not, or that the client cannot do there; it blocks for a second time what has to happen, hides
  // something, or has masks in a changed input.
  'answer-unknown',
  'answer-invalid',
  'block-not-allowed',
  'modify-not-allowed',
  'block-not-possible',
  'modify-not-possible',
  'block-not-again',
  'answer-hides',
  'answer-masked',
  'cannot-ask',
  // About a pattern: this version of node has no engine for it.
  'pattern-refused',
  // Our own evaluation took too long, for example a condition on a long input.
  'out-of-time',
  // A background command: its time was up, or its record cannot be stored safely.
  'background-ended',
  'state-of-another',
  // The client was started by the same hook.
  'within-itself',
  // About a budget: the client had counted no tokens since the last compaction, so the length of its transcript was used.
  'budget-estimated',
  // There is no node, or it does not run.
  'node-missing',
  // The rules for secrets failed, so nothing of the call was passed on.
  'unmasked',
] as const;

/** Any program may have written to the log, so only a value of this shape counts as a message. */
export const runnerMessage = memoize(() =>
  z.union([
    z.object({ code: z.enum(PLAIN) }),
    /** The tool failed, or the server refused to call it. `said`: the server's own message, with secrets masked. */
    z.object({ code: z.enum(['tool-failed', 'call-refused']), said: z.optional(z.string()) }),
    /** The server's process ended. `said`: the last error or line on its stderr, with secrets masked. */
    z.object({ code: z.literal('ended'), said: z.optional(z.string()) }),
    /** `known`: tools that the server has. */
    z.object({ code: z.literal('tool-missing'), tool: z.string(), known: z.array(z.string()) }),
    z.object({ code: z.literal('http-status'), status: z.number() }),
    z.object({ code: z.literal('type-unknown'), type: z.string() }),
    z.object({ code: z.literal('client-fills-in'), reference: z.string() }),
    z.object({ code: z.literal('variable-unset'), name: z.string() }),
    /** `status`: the exit code, or the signal that ended it. */
    z.object({ code: z.literal('command-failed'), status: z.string() }),
    /** The maximum number of the label's commands already run in the background. */
    z.object({ code: z.literal('background-full'), limit: z.number() }),
    /** A file that it runs differs from the one that the user allowed. */
    z.object({ code: z.literal('command-changed'), file: z.string() }),
    /**
     * The texts of these hooks were not shown, because the client drops them: after a failed call, or next to another answer of
     * ours.
     */
    z.object({
      code: z.literal('dropped'),
      by: z.enum(['failure', 'block', 'change']),
      hooks: z.array(z.int()),
    }),
    /** Any other error. `name`: the system's code, or the type of the error. */
    z.object({ code: z.literal('error'), name: z.string() }),
  ]),
);

export type RunnerMessage = Readonly<z.infer<ReturnType<typeof runnerMessage>>>;

/** `Quote`: an unknown reason in a log. `hook`: the hook that it is about; absent: it is about the whole event. */
export type RunnerReason = (RunnerMessage | Quote) & { readonly hook?: number };
