/** What clients has to say: codes and their facts. The words are in src/cli/messages/clients.ts. */

export type ClientMessage =
  /**
   * `path`: keys from the root of the document, with dots; `what`: the client's own words for the mistake, and `whole` for
   * what becomes of the file where all of it is lost.
   */
  | {
      readonly code: 'settings-fault';
      readonly client: string;
      readonly path: string;
      readonly what: string;
      readonly lost: 'file' | 'hooks' | 'entry';
      readonly whole: string;
    }
  | (Lacking & { readonly code: 'lacks-server-names' })
  | LacksEvent
  | (Lacking & { readonly code: 'lacks-context'; readonly native: string })
  | { readonly code: 'no-client-found'; readonly names: readonly string[] }
  | { readonly code: 'unknown-client'; readonly name: string; readonly known: readonly string[] }
  | { readonly code: 'no-home'; readonly variable: string }
  | { readonly code: 'home-missing'; readonly variable: string; readonly home: string }
  | { readonly code: 'home-is-no-project' };

export interface Lacking {
  readonly client: string;
  readonly version?: string;
  /** The first version without the gap. */
  readonly until: string;
}

export type LacksEvent = Lacking & { readonly code: 'lacks-event'; readonly native: string };
