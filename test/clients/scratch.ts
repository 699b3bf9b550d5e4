import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Scratch {
  /** A HOME that holds nothing. */
  home: string;
  /** An empty git repository. */
  project: string;
  /** For the test's own files. */
  files: string;
  remove(): void;
}

/**
 * Below this folder and not in the system's temporary one: Codex 0.169.0 refuses its helper
 * binaries when CODEX_HOME is there.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '.scratch');

export function scratch(): Scratch {
  mkdirSync(ROOT, { recursive: true });
  const root = mkdtempSync(join(ROOT, 'run-'));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const files = join(root, 'files');
  for (const folder of [home, project, files]) {
    mkdirSync(folder);
  }
  // A repository of its own, or clients would take this checkout for the project.
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project });
  git('init', '--quiet', '--initial-branch=main');
  // The scratch HOME has no identity, and scripted models like to commit.
  git('config', 'user.name', 'Scratch');
  git('config', 'user.email', 'scratch@example.com');
  return { home, project, files, remove: () => rmSync(root, { recursive: true, force: true }) };
}
