/** The words for src/install/messages.ts. */

import type { Drift, InstallMessage } from '../../install/messages.ts';
import type { Words } from '../../system/words.ts';
import { placeIn } from './words.ts';

const DRIFT: Readonly<
  Record<Drift['code'], (what: string, more: Pick<Drift, 'file' | 'line'>) => string>
> = {
  'runner missing': () => 'its runner is missing',
  'runner altered': (name) => `its runner was modified (${name})`,
  'not recorded': () => 'it is not in the record of what is installed, so it was not run',
  'run interrupted': () => 'a run was interrupted: run the same command again',
  'file missing': () => 'the file is gone',
  'file refused': () => 'the file cannot be read',
  'entry missing': (event) => `its entry for ${event} is missing`,
  'entry edited': (event) => `its entry for ${event} was edited`,
  'entry holds more': (event, { line }) =>
    `its entry for ${event} has something in it that mcp-hooks did not write (line ${line}), so update and uninstall leave the file as it is`,
  'entry shared': (event) => `its entry for ${event} has another hook in its group`,
  'entry altered': (event) =>
    `its entry for ${event} is no longer as mcp-hooks wrote it, and is left as it is`,
  'entry extended': (event) =>
    `its entry for ${event} has another command beside ours, for another system, and is left as it is`,
  'entry moved': (event, { file }) =>
    `its entry for ${event} was moved${file === undefined ? '' : ` to ${file}`}`,
  'entry copied': (event, { file }) =>
    `its entry for ${event} is ${file === undefined ? 'there more than once' : `also in ${file}`}`,
};

export const install = {
  intact: () => 'intact',
  drifted: ({ drift }) =>
    [...new Set(drift.map(({ code, what = '', ...more }) => DRIFT[code](what, more)))].join('; '),
  'in-file': ({ path, line, column, problem }, say) =>
    `${placeIn(path, line, column)}: ${say(problem)}`,
  'file-refused': ({ path, line, column, why }, say) =>
    `${placeIn(path, line, column)}: ${say(why)}.${say.nothing}`,
  'mend-or-leave-out': ({ client }) => `Fix the file, or leave ${client} out.`,
  'unknown-grant': ({ grant, known }, say) =>
    `There is no grant ${JSON.stringify(grant)}; known: ${known.join(', ')}.${say.nothing}`,
  'own-link': ({ path }, say) =>
    `${path} is a link that leads out of the folder of mcp-hooks, so it is not used: remove the link.${say.nothing}`,
  'not-writable': ({ path, why }, say) => `${path} cannot be written: ${say(why)}.${say.nothing}`,
  'not-put-back': ({ paths }) =>
    `What was written before could not be put back in ${paths.join(', ')}: run the same command again.`,
  'unknown-here': () => 'a client that this version does not know',
  'leads-out': ({ link, target }) =>
    `${link} is a link to ${target}, which leads out of the project. Project hooks belong in files of the project, so the target was neither read nor changed. Replace the link with a file or folder of the project, or install with --scope user.`,
  'ledger-newer': ({ path }, say) =>
    `${path}, the record of what is installed, was written by a newer mcp-hooks.${say.nothing} Use that version.`,
  'none-has-local': ({ clients }, say) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'have' : 'has'} no settings file that is yours alone in a project, so --scope local is not possible there.${say.nothing}`,
  'two-names': ({ other }) =>
    `it is the same file as that of ${other}, which has hooks of ours in it: remove those first`,
  'build-link': ({ path }, say) =>
    `${path} is a link, or behind one, and nothing is written outside of the output folder.${say.nothing} Remove it, or choose another folder.`,
  'build-foreign': ({ out, paths }, say) =>
    `${out} has files that mcp-hooks build did not write, or that were changed since: ${paths.join(', ')}.${say.nothing} Choose another folder, or overwrite them with --force.`,
  'remove-by-hand': ({ folder }) =>
    `To do it by hand, remove every hook whose command names ${folder}, then run this command again.`,
} satisfies Words<InstallMessage>;
