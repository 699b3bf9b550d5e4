/** The sentences of the page. What a command says comes from the command. */

import type { Firing, Planned } from './protocol.ts';

const some = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

const numbered = (hooks: readonly number[]): string =>
  `${hooks.length === 1 ? 'hook' : 'hooks'} ${hooks.join(', ')}`;

export const messages = {
  sample: 'Start from',
  ownText: 'your own text',
  declaration: 'Declaration',
  declarationHelp:
    'The manifest of a server, as JSON. Nothing that you type here is sent anywhere.',
  allowed: 'You allow',
  allowedHelp: 'What only a user can permit, as with --allow.',
  happens: 'What happens',
  event: 'Event',
  firstEvent: 'the first one with a hook',
  tool: 'Tool',
  toolHelp: 'As a declaration names it. Empty: as in a recorded call.',
  input: 'Its input, as JSON',
  prompt: 'Prompt',
  failed: 'The call has failed',
  times: 'How many times, in one session',
  copy: 'Copy a link to this',
  copied: 'Copied. The declaration is in the link itself.',
  inAddress: 'The link is in the address bar. The declaration is in the link itself.',
  linkTooLong: 'This is too long for a link.',
  linkBroken: 'The link is damaged, so nothing was taken from it.',
  linkLong: 'The link is too long, so nothing was taken from it.',
  working: 'Working ...',
  loading: 'Loading the compiler ...',
  notHere:
    'This page starts no server and no program, so a hook that calls a tool or runs a command gets no answer here.',
  validate: 'What validate says',
  valid: 'Nothing is wrong with it.',
  hidden: (line: number): string => `Line ${line} has characters that nobody sees:`,
  clients: 'What each client gets',
  modelReads: 'The model reads',
  nothingRead: 'The model reads nothing.',
  isBlocked: 'Blocked. The reason:',
  isChanged: 'Something is changed.',
  noEntry: 'Nothing is written.',
  entry: (file: string): string => `Written to ${file}`,
  hook: (number: number): string => `Hook ${number}`,
  because: (number: number | undefined, why: string): string =>
    number === undefined ? why : `Hook ${number}: ${why}`,
  asJson: (command: string): string => `As JSON: ${command}`,
  needs: ({ grants }: Planned): string =>
    grants.length === 0
      ? 'It needs no grant.'
      : `It needs to be allowed: ${grants.map(({ grant, hooks }) => `${grant} (${numbered(hooks)})`).join('; ')}.`,
  fired: ({ event, time }: Firing): string => (time === 1 ? event : `${event}, time ${time}`),
  done: (hooks: number, valid: boolean, clients: number): string =>
    valid
      ? `${some(hooks, 'hook')} for ${some(clients, 'client')}.`
      : 'The declaration has mistakes. Each is listed under “What validate says”.',
  stopped: (seconds: number): string =>
    `Stopped after ${some(seconds, 'second')}. A browser can take for ever to match some patterns; mcp-hooks itself uses an engine that cannot.`,
  broken: (error: string): string => `This page has failed: ${error}`,
};
