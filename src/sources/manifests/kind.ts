/** The contract of a kind of file that contains a manifest among other things. */

import type { Problem } from '../../declaration/declared.ts';
import type { ServerStart } from '../../declaration/manifest.ts';
import type { SourceMessage } from '../messages.ts';

export type Contents = Readonly<Record<string, unknown>>;

export interface Kind {
  readonly is: (contents: Contents, file: string) => boolean;
  /** Where the manifest is. If there is none, the error message that says what is expected. */
  readonly find: (contents: Contents) => ManifestPlace | SourceMessage;
  readonly name: (contents: Contents) => string | undefined;
  readonly told: (contents: Contents, where: FileLocation) => ServerStart;
}

export interface ManifestPlace {
  /** Keys from the root of the document to the manifest. */
  readonly at: readonly string[];
  /** The object belongs to somebody else, so we judge only the hooks in it. */
  readonly foreign?: boolean;
  readonly problems?: readonly Problem<SourceMessage>[];
}

/** Where the file is. Its references to other files are relative to that. */
export type FileLocation =
  | { readonly folder: string }
  /** In an archive, and not on the disk. */
  | { readonly packed: (path: string) => boolean };

/** Our key in the `_meta` of other files: reverse DNS, as they require. */
export const ID = 'io.github.mcp-hooks';
