import { delimiter, isAbsolute } from 'node:path';

/** Variables of an environment, by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Without the relative entries of the PATH: they point into the current folder, which may be an untrusted clone. */
export function outsideFolder(env: Env): Env {
  const folders = env.PATH?.split(delimiter) ?? [];
  if (folders.every(isAbsolute)) return env;
  // An empty PATH would also mean the current folder.
  return { ...env, PATH: folders.filter(isAbsolute).join(delimiter) || undefined };
}
