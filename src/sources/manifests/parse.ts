import { basename, extname } from 'node:path';
import { doubts } from '../../compile/doubts.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { checkManifest, readManifestText } from '../../declaration/manifest.ts';

/**
 * Checks the text of a manifest.
 *
 * @param text JSON or JSONC.
 * @param file Absolute path it was read from: the label's last resort, and where `context_tool` looks for
 *   values that are not copied.
 * @param name The label, when the user chose one.
 * @returns The declaration; `problems` holds every error and warning with line and column.
 */
export const parseManifest = (text: string, file: string, name?: string): ServerHooks =>
  checkManifest(readManifestText(text), {
    source: { kind: 'manifest', path: file },
    at: [],
    label: basename(file, extname(file)),
    ...(name !== undefined && { name }),
    doubts,
  });
