/** How a client's own package of hooks looks, such as a plugin: what `build` makes of a manifest. */

import type { JsonObject } from '../edit/edit.ts';

export interface Bundle {
  /** What the client calls such a package, in a sentence. */
  readonly noun: string;
  /** The variable with which a hook's command finds the folder of the package. */
  readonly variable: string;
  /** JSON files beside those of the runner, by their paths with slashes below the client's part of the output. */
  readonly files: (contents: BundleContents) => readonly BundleFile[];
  /** What the client is started with to check the package; absent: it has no such command. Paths are as in `files`. */
  readonly validate?: (name: string) => readonly string[];
  /** Commands with which a user gets it from the output, a line each; `{out}` is the client's part of the output. */
  readonly load: (name: string) => readonly string[];
  /** By its documentation, a hook may have a command for PowerShell beside the other one. */
  readonly besidePowerShell?: true;
  /** What the client does otherwise with hooks from a package than with a user's, in a sentence; absent: nothing. */
  readonly note?: string;
}

export type BundleFile = readonly [path: string, contents: JsonObject];

export interface BundleContents {
  /** As clients allow it: small letters, digits and dashes. It is also the name of the folder of the package. */
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** Native event to what stands under it. */
  readonly hooks: JsonObject;
  /** How the server is started or reached; absent: the manifest does not say, or only for the machine it is on. */
  readonly server?: BundleServer;
}

export type BundleServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** `mcpServers` as most clients have it; `type` is what they call one at an address. */
export const mcpServers = (
  { label, server }: BundleContents,
  type?: string,
): JsonObject | undefined => {
  if (!server) return undefined;
  const { env, headers, ...rest } = { env: undefined, headers: undefined, ...server };
  const entry: JsonObject =
    'url' in rest
      ? { ...(type !== undefined && { type }), url: rest.url, ...(headers && { headers }) }
      : { command: rest.command, args: [...rest.args], ...(env && { env }) };
  return { [label]: entry };
};
