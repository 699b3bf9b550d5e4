/**
 * The library's wording, where that of the command line names a flag or a command. Its readers call a function, or use a
 * program that does, and have no flags of ours.
 */

import type { ClientMessage } from '../../clients/messages.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import { type Grant, RULE } from '../../declaration/grants.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import type { InstallMessage } from '../../install/messages.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { inLine } from '../../system/visible.ts';
import type { Words } from '../../system/words.ts';
import { saying } from './sentence.ts';
import type { Voice } from './voice.ts';
import { NOTHING } from './words.ts';

type LibraryMessage =
  | SystemMessage
  | DeclarationMessage
  | ClientMessage
  | CompileMessage
  | SourceMessage
  | InstallMessage;

export const library: Partial<Words<LibraryMessage>> = {
  'changed-meanwhile': ({ path }) =>
    `${path} was changed in the meantime. It was left as it is: make a new plan.`,
  'bad-label': ({ label }) =>
    `${JSON.stringify(label)} cannot be a label: letters, digits, "_", "." and "-", a letter or digit first, at most 64`,
  'home-is-no-project': (_, say) =>
    `This folder is the home folder. Its settings are the user's, not those of a project.${say.nothing}`,
  told: ({ when }) => when,
  'extra-turn': () => 'it would cost a turn of the model, which is not wanted here',
  'left-out-here': () => `calling its tool ${needs('context-tool')}`,
  'command-left-out': () => `running its program ${needs('command')}`,
  'project-code-left-out': () => `running the project's own code ${needs('project-code')}`,
  'block-left-out': () => `stopping anything ${needs('block')}`,
  'not-granted': ({ decision }) =>
    `What it decides is only shown as text: that ${needs(decision)}.`,
  'downgraded-here': () =>
    '"required" counts as "important": it needs a grant (required), or "trusted" in policy.json.',
  'of-one-server': ({ name, others }) =>
    `Only the hooks of ${name} are taken, and not those of ${others.map((one) => inLine(one, 100)).join(', ')}.`,
  'choose-by-name': ({ path, name }) =>
    `For the hooks of one of them, ${path} with its label: ${name}`,
  'leads-out': ({ link, target }) =>
    `${link} is a link to ${target}, which leads out of the project. Project hooks belong in files of the project, so the target was neither read nor changed. Replace the link with a file or folder of the project, or install in user scope.`,
  'none-has-local': ({ clients }, say) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'have' : 'has'} no settings file that is yours alone in a project, so nothing can be installed there in local scope.${say.nothing}`,
  'not-put-back': ({ paths }) =>
    `What was written before could not be put back in ${paths.join(', ')}: plan and apply the same again.`,
  'remove-by-hand': ({ folder }) =>
    `To do it by hand, remove every hook whose command names ${folder}, then try again.`,
};

const needs = (grant: Grant): string => `needs a grant (${grant})`;

export type Sentence = (message: { readonly code: string }) => string;

/** An error, or a part of a plan, in words. */
export const librarySentence: Sentence = saying(` ${NOTHING}`, library);

const engine: Partial<Words<DeclarationMessage>> = {
  'policy-refused': ({ path }) => `${path} cannot be used.`,
};

/** An error of the engine, which writes no settings and has its policy from its caller. */
export const engineSentence: Sentence = saying('', { ...library, ...engine });

const allowedBy = (so: string, grant: Grant): string =>
  `Not allowed: ${so}. "${RULE[grant]}": true in policy.json allows it.`;

/** The wording of a plan for users of a program that calls the library. */
export const LIBRARY: Voice = {
  say: librarySentence,
  notGranted: {
    required: allowedBy('it counts as important', 'required'),
    'context-tool': allowedBy('skipped', 'context-tool'),
    block: allowedBy('nothing is stopped', 'block'),
    modify: allowedBy('nothing is changed', 'modify'),
    command: allowedBy('skipped', 'command'),
    'project-code': allowedBy('skipped', 'project-code'),
  },
  toAllow: (_, grants) => `Needed grants: ${grants.join(', ')}.`,
  alsoInstalled: (label, there, folder) =>
    `${label} is also installed in ${there}: in ${folder} its hooks run twice.`,
  policyOfOther: (rules, other) =>
    `Your policy.json allows this name more than others. That was for ${other}, so it does not apply here: ${rules}.`,
  noLocal: (client) =>
    `${client} has no settings file that is yours alone in a project, so nothing is installed in it.`,
  noLocalInstead: (client) =>
    `${client} has no settings file that is yours alone in a project: install in user scope, or keep this file out of your commits.`,
  useLocal: (file) => `Local scope writes to ${file} instead, which only you use.`,
};
