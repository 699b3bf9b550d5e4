/** The words for what diagnose has to say. */

import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { hooksInWords } from '../../system/plurals.ts';
import type { Words } from '../../system/words.ts';
import { installed } from './words.ts';

export const diagnose = {
  refused: ({ problem }, say) => say.bare(problem),
  mend: ({ details }, say) =>
    details.map((one) => say(one).trim()).join(' ') || 'Put right what it says, then look again.',
  'policy-wrong': ({ problem }, say) =>
    `as long as the policy is wrong no hook says anything: ${say(problem)}`,
  'record-not-writable': ({ why }, say) => `what is installed cannot be kept: ${say(why)}`,
  'memory-not-writable': ({ why }, say) =>
    `hooks cannot remember what they have said, or write it down: ${say(why)}`,
  'mend-policy': () => 'Mend it, or take it away: without one all is as by default.',
  'drift-in-client': ({ client, drift }, say) => `${client}: ${say(drift)}`,
  'unknown-label': ({ label, near, known }) =>
    `${label} is not installed. ${installed(near, known)}`,
  'last-call-failed': ({ hooks, client, native, reason }) =>
    `${client}: ${hooksInWords(hooks)} called its tool on ${native}, and the last call failed: ${reason}`,
  'steering-changed': () => 'a variable that decides what runs has changed',
  'matcher-edited': ({ client, native, hooks }) =>
    `${client}: its entry for ${native} was edited, and no longer starts for ${hooksInWords(hooks)}`,
  lost: ({ name, numbers, fires, why }, say) =>
    `${name}: ${numbers.length === 1 ? 'hook' : 'hooks'} ${numbers.join(', ')} ${
      fires
        ? `${numbers.length === 1 ? 'fires' : 'fire'} in part only`
        : `${numbers.length === 1 ? 'does' : 'do'} not fire`
    }: ${say(why)}`,
  'or-another-way': ({ again, update }) =>
    `${again} installs them in a way that this version knows; or: ${update}`,
  'ours-elsewhere': ({ client }) =>
    `No hook of ours is in this file. Mend it and ${client} reads it again.`,
  'mend-settings': () => 'Mend it or take it out; whoever wrote it, our hooks go with it.',
  'client-stops': ({ client, why }) => `${client} does not start with its configuration: ${why}`,
  'mend-startup': ({ program }) =>
    `Mend that in its configuration; until then no hook runs. ${program} says whether it is enough.`,
  'entry-altered': ({ file, again }) =>
    `A hook in ${file} starts its runner and is not the one that was installed, so it was not run. Look at it and take it out; ${again} writes ours again.`,
  'entry-unknown': ({ file, label }) =>
    `A hook in ${file} starts the runner of ${label}, and our record knows nothing of it, so it was not run. Look at it and take it out, or install ${label} again.`,
  'runner-not-run': ({ drift, again }, say) =>
    `${say(drift)}, so it was not run: ${again} writes it again.`,
} satisfies Words<DiagnoseMessage>;
