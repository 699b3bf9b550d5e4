import { relative, sep } from 'node:path';

/** A file as git names it: from the top of its working tree, with slashes. */
export const pathIn = (file: string, top: string): string =>
  relative(top, file).split(sep).join('/');
