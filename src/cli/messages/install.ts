/** The words for src/install/messages.ts. */

import type { Drift, InstallMessage } from '../../install/messages.ts';
import type { Words } from '../../system/words.ts';
import { placeIn } from './words.ts';

const DRIFT: Readonly<Record<Drift['code'], (what: string) => string>> = {
  'runner missing': () => 'its runner is missing',
  'runner altered': (name) => `its runner was altered (${name})`,
  'not recorded': () => 'our record knows nothing of it, so none of it was run',
  'run interrupted': () => 'a run was interrupted: do the same again',
  'file missing': () => 'the file is gone',
  'file refused': () => 'the file cannot be read',
  'entry missing': (event) => `its entry for ${event} is missing`,
  'entry edited': (event) => `its entry for ${event} was edited`,
  'entry altered': (event) =>
    `its entry for ${event} is no longer as we wrote it, and stays as it is`,
  'entry moved': (event) => `its entry for ${event} was moved`,
  'entry copied': (event) => `its entry for ${event} is there more than once`,
};

export const install = {
  intact: () => 'intact',
  drifted: ({ drift }) =>
    [...new Set(drift.map(({ code, what }) => DRIFT[code](what ?? '')))].join('; '),
  'in-file': ({ path, line, column, problem }, say) =>
    `${placeIn(path, line, column)}: ${say(problem)}`,
  'file-refused': ({ path, line, column, why }, say) =>
    `${placeIn(path, line, column)}: ${say(why)}.${say.nothing}`,
  'mend-or-leave-out': ({ client }) => `Mend the file, or leave ${client} out.`,
  'own-link': ({ path }, say) =>
    `${path} leads out of the folder of mcp-hooks by a link, so it is not used: remove the link.${say.nothing}`,
  'not-writable': ({ path, why }, say) => `${path} cannot be written: ${say(why)}.${say.nothing}`,
  'not-put-back': ({ paths }) =>
    `What was written before could not be put back in ${paths.join(', ')}: run the same command again.`,
  'unknown-here': () => 'a client that this version does not know',
  'leads-out': ({ link, target }) =>
    `${link} is a link to ${target}, which leads out of the project. Hooks of a project belong into files of the project, so what it leads to was neither read nor changed. Put a file or folder of the project in the place of the link, or install with --scope user.`,
  'ledger-newer': ({ path }, say) =>
    `${path}, our record of what is installed, is of a newer mcp-hooks than this one.${say.nothing} Use that one.`,
  'none-has-local': ({ clients }, say) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'have' : 'has'} no settings file that is yours alone in a project, so --scope local is not possible there.${say.nothing}`,
  'two-names': ({ other }) =>
    `it is the same file as that of ${other}, which has hooks of ours in it: take those out first`,
  'remove-by-hand': ({ folder }) =>
    `To do it by hand, remove every hook whose command names ${folder}, then run this command again.`,
} satisfies Words<InstallMessage>;
