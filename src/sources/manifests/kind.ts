/** The contract of a kind of file in which a manifest stands beside other things. */

import type { Problem } from '../../declaration/declared.ts';
import type { Told } from '../../declaration/manifest.ts';
import type { SourceMessage } from '../messages.ts';

export type Contents = Readonly<Record<string, unknown>>;

export interface Kind {
  readonly is: (contents: Contents, file: string) => boolean;
  /** Where the manifest stands, or what is expected where there is none: the message of an error. */
  readonly find: (contents: Contents) => ManifestPlace | SourceMessage;
  readonly name: (contents: Contents) => string | undefined;
  readonly told: (contents: Contents, where: FileLocation) => Told;
}

export interface ManifestPlace {
  /** Keys from the root of the document to the manifest. */
  readonly at: readonly string[];
  /** The object is somebody else's: only the hooks in it are ours to judge. */
  readonly foreign?: boolean;
  readonly problems?: readonly Problem<SourceMessage>[];
}

/** Where the file is: what it says of other files is meant from there. */
export type FileLocation =
  | { readonly folder: string }
  /** In an archive, and nowhere on the disk. */
  | { readonly packed: (path: string) => boolean };

/** The key of ours in the `_meta` of others: reverse DNS, as they want it. */
export const ID = 'io.github.mcp-hooks';
