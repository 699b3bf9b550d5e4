/** Names and versions of npm packages: nothing that is one can be a flag, a path or an address. */

/**
 * Also with capitals, which old names have.
 *
 * Source: https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;

/** Source: https://semver.org */
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** A version, a tag, or a range of one word. */
const WANTED = /^[~^]?[0-9A-Za-z][0-9A-Za-z._+-]*$/;

export const isPackageName = (text: string): boolean => text.length <= 214 && NAME.test(text);
export const isExact = (text: string): boolean => text.length <= 256 && EXACT.test(text);

/** A package that was asked for. */
export interface Wanted {
  readonly name: string;
  /** Version, range or tag. */
  readonly version: string;
}

/** `name`, `@scope/name`, `name@1.2.3`, `name@next`; undefined for anything else. */
export function readSpec(spec: string): Wanted | undefined {
  const sign = spec.indexOf('@', 1);
  const name = sign === -1 ? spec : spec.slice(0, sign);
  const version = sign === -1 ? 'latest' : spec.slice(sign + 1);
  return isPackageName(name) && version.length <= 256 && WANTED.test(version)
    ? { name, version }
    : undefined;
}
