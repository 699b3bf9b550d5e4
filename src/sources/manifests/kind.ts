/** The contract for a kind of file that contains a manifest among other things. */

import type { Problem } from '../../declaration/declared.ts';
import type { ServerStart } from '../../declaration/manifest.ts';
import type { SourceMessage } from '../messages.ts';

export type Contents = Readonly<Record<string, unknown>>;

export interface Kind {
  readonly is: (contents: Contents, file: string) => boolean;
  /** The place of the manifest. If there is none, an error message that tells what is expected. */
  readonly find: (contents: Contents) => ManifestPlace | SourceMessage;
  readonly name: (contents: Contents) => string | undefined;
  readonly serverStart: (contents: Contents, where: FileLocation) => ServerStart;
}

export interface ManifestPlace {
  /** Keys from the root of the document to the manifest. */
  readonly at: readonly string[];
  /** The object has another purpose, so only the hooks in it are checked. */
  readonly foreign?: boolean;
  readonly problems?: readonly Problem<SourceMessage>[];
}

/** The location of the file. References to other files are relative to it. */
export type FileLocation =
  | { readonly folder: string }
  /** In an archive, not on disk. */
  | { readonly packed: (path: string) => boolean };

/** Our key in the `_meta` of other files, which require reverse DNS. */
export const ID = 'io.github.mcp-hooks';
