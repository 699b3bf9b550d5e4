import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../system/env.ts';
import { codeOf } from '../../system/errors.ts';

export type Scratch = Readonly<ReturnType<typeof scratch>>;

/** A scratch home and project. A client may do less if its home is in the system's folder for temporary files. */
export function scratch(below: string, prefix: string, outer: Env) {
  mkdirSync(below, { recursive: true });
  const root = mkdtempSync(join(below, prefix));
  const home = join(root, 'home');
  const project = join(root, 'project');
  /** For the caller's files. */
  const files = join(root, 'files');
  for (const folder of [home, project, files]) mkdirSync(folder);
  // Without a repository of its own, clients would take a parent folder's repository for the project.
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env: { ...outer } });
  try {
    git('init', '--quiet', '--initial-branch=main');
    // The scratch HOME has no identity, and scripted models like to commit.
    git('config', 'user.name', 'Scratch');
    git('config', 'user.email', 'scratch@example.com');
  } catch (error) {
    // Clients also run where there is no git.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  return { home, project, outer, files, remove };
}
