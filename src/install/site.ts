/** Where something is installed: for the user, or in a project, either shared or for the user alone. */

import type { Scope } from '../clients/contract.ts';
import { type Places, tilde, userPlaces } from '../clients/places.ts';
import { onlyIn, type Source } from '../declaration/declared.ts';
import { isInside } from '../system/files.ts';

export interface Site {
  /** Absolute path of the project; null in user scope. */
  readonly project: string | null;
  /** In the user's own settings of the project, which are not shared. */
  readonly local?: true;
}

export const siteOf = ({ scope, project }: Places): Site => ({
  project: project ?? null,
  ...(scope === 'local' && { local: true }),
});

export const isSameSite = (one: Site, other: Site): boolean =>
  one.project === other.project && one.local === other.local;

export const scopeOf = ({ project, local }: Site): Scope =>
  project === null ? 'user' : local ? 'local' : 'project';

/** The only folder in which an install's hooks run. Undefined if they run everywhere. */
export const folderOf = ({ project, origin }: Site & { readonly origin?: Source | undefined }) =>
  project ?? onlyIn(origin);

/** Whether one session can be in both folders. */
export const canMeet = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined ||
  other === undefined ||
  one === other ||
  isInside(one, other) ||
  isInside(other, one);

/** @param places Places of any scope. */
export function placesAt(site: Site, places: Places): Places {
  const { project } = site;
  if (project !== null) return { ...userPlaces(places), scope: scopeOf(site), project };
  return places.scope === 'user' ? places : userPlaces(places);
}

/** The flag that a command needs for this site, with a leading space; empty if none is needed. */
export const scopeFlag = (site: Site): string =>
  site.project === null ? '' : ` --scope ${scopeOf(site)}`;

/** The command that lets clients trust the hooks of these labels. */
export const trustLine = (labels: readonly string[], site: Site): string =>
  `mcp-hooks trust ${labels.join(' ')}${scopeFlag(site)}`;

/** `user scope`, `~/app`, `~/app, local scope`. */
export const siteInWords = ({ project, local }: Site, home: string): string =>
  project === null ? 'user scope' : `${tilde(project, home)}${local ? ', local scope' : ''}`;

/** `annal`, `annal (in ~/app)`: a label, and the project that it is installed in. */
export const labelAt = (one: Site & { readonly label: string }, home: string): string =>
  one.project === null ? one.label : `${one.label} (in ${siteInWords(one, home)})`;

/** The format is stable: keys are only ever added. `scope` is the project's path if there is one. */
export const siteJson = ({ project, local }: Site) => ({
  scope: project ?? 'user',
  ...(local && { local }),
});
