/** `node:child_process`: a browser starts no program, and says so as a system does that has none. */

function refuse(program: string): never {
  throw Object.assign(new Error(`spawn ${program} ENOENT`), {
    ...{ code: 'ENOENT', syscall: `spawn ${program}`, path: program },
  });
}

export const spawn = refuse;
export const spawnSync = refuse;
export const execFile = refuse;
export const execFileSync = refuse;

export default { execFile, execFileSync, spawn, spawnSync };
