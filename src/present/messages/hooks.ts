/**
 * The effects of a hook with the extended vocabulary, for the user who is asked to agree. The arguments are already escaped.
 */

import {
  type Decision,
  type Event,
  type HookDeclaration,
  type OnFailure,
  ownLimit,
  type Repeat,
  type WaitsFor,
} from '../../declaration/declaration.ts';
import { count, duration, every } from '../../system/plurals.ts';

/** What a hook may block, for events that do not concern a call. */
const BLOCKED: Partial<Record<Event, string>> = {
  pre_request: 'the prompt',
  post_request: 'the end of the turn',
  subagent_end: 'the end of the subagent',
  budget_exceeded: 'the next prompt',
};
const GOES_ON: Partial<Record<Event, string>> = {
  pre_request: 'the prompt goes on',
  post_request: 'the turn ends',
  subagent_end: 'the subagent ends',
  budget_exceeded: 'things go on',
};

export const hookWords = {
  off: 'It is switched off: it does nothing.',

  // When
  notTools: (globs: string) => `Not for tools called ${globs}.`,
  notPaths: (globs: string) => `Not when the call's input names a path like ${globs}.`,
  inputMatches: (pattern: string, event: string) =>
    `Only if the ${event === 'pre_request' ? 'prompt' : "call's input"} matches /${pattern}/.`,
  outputMatches: (pattern: string) => `Only if the call's output matches /${pattern}/.`,
  outputContains: (text: string) => `Only if the call's output contains ${text}.`,
  failed: (failed: boolean) => `Only if the call ${failed ? 'failed' : 'did not fail'}.`,
  waitsFor: {
    prompt: 'Only when the client waits for your next prompt.',
    permission: 'Only when the client asks you for permission, or something else.',
  } satisfies Record<WaitsFor, string>,
  branch: (glob: string) => `Only on a branch called ${glob}.`,
  project: (glob: string) => `Only in a project called ${glob}.`,
  repeated: {
    call: (times, within) => `Only if the same call is made ${times} times within ${within}.`,
    tool: (times, within) => `Only if the same tool is called ${times} times within ${within}.`,
    error: (times, within) =>
      `Only if a call fails with the same output ${times} times within ${within}.`,
    call_and_error: (times, within) =>
      `Only if the same call fails with the same output ${times} times within ${within}.`,
    event: (times, within) => `Only if this happens ${times} times within ${within}.`,
    alternating: (times, within) => `Only if two calls alternate, ${times} times within ${within}.`,
    alternating_tools: (times, within) =>
      `Only if two tools alternate, ${times} times within ${within}.`,
  } satisfies Record<Repeat['same'], (times: number, within: string) => string>,
  budget: ({ tokens, warn, fire }: Required<NonNullable<HookDeclaration['budget']>>) =>
    `Its budget is ${tokens.toLocaleString('en')} tokens since the last compaction: it warns at ${warn}% and fires at ${fire}%, by an estimate.`,

  // How often, how much
  order: (order: number) => `Order ${order} (default 50; lower runs first).`,
  once: {
    session: 'At most once in a session.',
    turn: 'At most once in a turn.',
  } satisfies Record<NonNullable<HookDeclaration['once']>, string>,
  cooldown: (seconds: number) => `At most once ${every(seconds)}.`,
  limit: (limit: NonNullable<HookDeclaration['limit']>, read: number) => {
    const characters = ownLimit({ limit });
    const most =
      'characters' in limit
        ? count(characters, 'character')
        : `${count(limit.tokens, 'token')}, counted as ${characters} characters`;
    const usual = characters > read ? `; by default no more than ${read} characters` : '';
    return `It shows at most ${most}${usual}.`;
  },
  showsEmpty: 'It shows a reply with nothing in it, too.',

  // What
  blocks: (event: Event) =>
    event === 'post_tool_use'
      ? 'Withholds the result and gives this reason:'
      : 'Blocks it and gives this reason:',
  runs: (command: string) => `Runs ${command} in the session's folder.`,
  ofProject: "It runs the current project's code, including code that changes later.",
  foundByPath: (program: string) => `${program} is looked up on the PATH each time.`,
  noReader: 'No model reads its answer.',
  file: (file: string, hash: string, real: string | undefined) =>
    `${file}${real === undefined ? '' : `, a link to ${real}`} (SHA-256 ${hash}...)`,
  fileChanged: 'It has changed since it was read; start again.',
  fileBinary: (bytes: number) => `It is not text (${count(bytes, 'byte')}).`,
  fileEmpty: 'It is empty.',
  fileRest: (characters: number, file: string) =>
    `${count(characters, 'more character')}. To read all of it: cat -v ${file}`,
  given: (who: string, hasCall: boolean) =>
    `${who} is given the event: the session's id, folder and transcript file, its repository and branch, the prompt if there is one${hasCall ? ", the tool's name, and the whole input and output of the call" : ''}.`,
  may: {
    block: 'block what was about to happen',
    modify: "change the call's input or output",
  } satisfies Record<Decision, string>,
  answerMay: (decisions: string) => `Its answer may ${decisions}.`,
  readsAll: 'It reads the event with secrets unmasked, so that it sees what will run.',
  readsMasks:
    "It reads the event with secrets masked, so it can't see code that looks like a secret.",
  onFailure: {
    allow: (event) =>
      event === 'post_tool_use'
        ? 'If it fails, the model reads the result.'
        : `If it fails, ${GOES_ON[event] ?? 'the call goes on'}.`,
    deny: (event) =>
      `If it fails, it ${event === 'post_tool_use' ? 'withholds the result' : `blocks ${BLOCKED[event] ?? 'the call'}`}, for ten minutes in a session.`,
  } satisfies Record<OnFailure, (event: Event) => string>,
  /** Printed once for all hooks that deny. */
  notDenied:
    "Where the runner is missing, or the client's own timeout ends it, nothing is blocked or withheld.",
  answerIsText: 'Its answer is only text.',
  inBackground: (milliseconds: number) =>
    `It runs in the background for up to ${duration(milliseconds / 1000)}: no client waits for it, and its answer is not read.`,
  deadline: (milliseconds: number) => `It has ${duration(milliseconds / 1000)}.`,
} as const;
