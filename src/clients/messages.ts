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
  /** `until`: the first version without the gap. */
  | {
      readonly code: 'lacks-server-names';
      readonly client: string;
      readonly version?: string;
      readonly until: string;
    }
  | {
      readonly code: 'lacks-event';
      readonly client: string;
      readonly version?: string;
      readonly native: string;
      readonly until: string;
    }
  | {
      readonly code: 'lacks-context';
      readonly client: string;
      readonly version?: string;
      readonly native: string;
      readonly until: string;
    }
  | { readonly code: 'no-client-found'; readonly names: readonly string[] }
  | { readonly code: 'unknown-client'; readonly name: string; readonly known: readonly string[] }
  | { readonly code: 'no-home'; readonly variable: string }
  | { readonly code: 'home-missing'; readonly variable: string; readonly home: string }
  | { readonly code: 'home-is-no-project' };
