/** `node:os`. */

export const tmpdir = (): string => '/tmp';
export const homedir = (): string => '/home/you';

export default { homedir, tmpdir };
