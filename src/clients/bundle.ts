/** A client's own package of hooks, such as a plugin, which `build` makes from a manifest. */

import type { JsonObject } from '../edit/edit.ts';

export interface Bundle {
  /** What the client calls such a package, in a sentence. */
  readonly noun: string;
  /** The variable that holds the package's folder for a hook's command. */
  readonly variable: string;
  /** JSON files next to the runner's, by their paths with slashes below the client's part of the output. */
  readonly files: (contents: BundleContents) => readonly BundleFile[];
  /** The arguments with which the client checks the package; absent: it has no such command. Paths are as in `files`. */
  readonly validate?: (name: string) => readonly string[];
  /** Commands with which a user gets the package from the output, one line each; `{out}` is the client's part of the output. */
  readonly load: (name: string) => readonly string[];
  /** According to its documentation, a hook may have a second command for PowerShell. */
  readonly besidePowerShell?: true;
  /** What the client does differently with hooks from a package than with a user's, in a sentence; absent: nothing. */
  readonly note?: string;
}

export type BundleFile = readonly [path: string, contents: JsonObject];

export interface BundleContents {
  /** A name that clients accept: small letters, digits and dashes. It is also the name of the package's folder. */
  readonly name: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** Native events, each with its entries. */
  readonly hooks: JsonObject;
  /** How to start or reach the server; absent: the manifest does not say, or only says it for its own machine. */
  readonly server?: BundleServer;
}

export type BundleServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** `mcpServers` as most clients write it; `type` is their word for a server at an address. */
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
