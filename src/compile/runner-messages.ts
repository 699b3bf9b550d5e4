/** Why the runner showed nothing, as it writes it down (templates/*.cjs). src/present/messages/runner.ts has the words. */

import * as z from 'zod/mini';
import type { Quote } from '../system/errors.ts';
import { memoize } from '../system/memoize.ts';

const PLAIN = [
  // About the tool: it has nothing to show, or asks for something that nobody is there to answer.
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
  // About the event: what the client has sent is not a JSON object.
  'payload-invalid',
  // About an answer: it is JSON that follows no convention, or not the one that it seems to follow; it decides something
  // that it may not, or that the client cannot do there; it holds up for a second time what has to happen, hides
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
  // About a pattern: this node has no engine for it.
  'pattern-refused',
  // Our own work for the event was too much, such as a condition on a long input.
  'out-of-time',
  // A command in the background: its time was over, or its record cannot be kept safe.
  'background-ended',
  'state-of-another',
  // The client was started by the same hook.
  'within-itself',
  // About a budget: the client had counted no tokens since the history was compacted, so the length of its transcript counted.
  'budget-estimated',
  // There is no node, or none that runs.
  'node-missing',
  // The rules for secrets failed, so nothing of the call was handed on.
  'unmasked',
] as const;

/** Anybody may have written the log, so only a value of this shape is a message. */
export const runnerMessage = memoize(() =>
  z.union([
    z.object({ code: z.enum(PLAIN) }),
    /** The tool failed, or the server refused to call it. `said`: the server's own words, with secrets masked. */
    z.object({ code: z.enum(['tool-failed', 'call-refused']), said: z.optional(z.string()) }),
    /** The server's process ended. `said`: the last error or line on its stderr, with secrets masked. */
    z.object({ code: z.literal('ended'), said: z.optional(z.string()) }),
    /** `known`: tools that the server does have. */
    z.object({ code: z.literal('tool-missing'), tool: z.string(), known: z.array(z.string()) }),
    z.object({ code: z.literal('http-status'), status: z.number() }),
    z.object({ code: z.literal('type-unknown'), type: z.string() }),
    z.object({ code: z.literal('client-fills-in'), reference: z.string() }),
    z.object({ code: z.literal('variable-unset'), name: z.string() }),
    /** `status`: its exit code, or the signal that ended it. */
    z.object({ code: z.literal('command-failed'), status: z.string() }),
    /** So many commands of the label run in the background already. */
    z.object({ code: z.literal('background-full'), limit: z.number() }),
    /** A file that it runs is not what the user has allowed. */
    z.object({ code: z.literal('command-changed'), file: z.string() }),
    /**
     * The texts of these hooks were not shown, because the client drops them: after a call that failed, or beside another answer
     * of ours.
     */
    z.object({
      code: z.literal('dropped'),
      by: z.enum(['failure', 'block', 'change']),
      hooks: z.array(z.int()),
    }),
    /** Anything else. `name`: the code of the system, or the kind of error. */
    z.object({ code: z.literal('error'), name: z.string() }),
  ]),
);

export type RunnerMessage = Readonly<z.infer<ReturnType<typeof runnerMessage>>>;

/** `Quote`: a reason in a log that is none of these. `hook`: the one that it is about; absent: it is about the event as a whole. */
export type RunnerReason = (RunnerMessage | Quote) & { readonly hook?: number };
