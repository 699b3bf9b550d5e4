/** What can be said of clients, their versions and their trust: codes with their facts. src/cli/messages/clients.ts has the words. */

export type ClientMessage =
  | { readonly code: 'project-not-read'; readonly client: string; readonly executable: string }
  | { readonly code: 'hook-not-listed'; readonly client: string }
  /** What a program said last, in one line. */
  | { readonly code: 'said-last'; readonly text: string }
  | { readonly code: 'trust-no-answer'; readonly program: string; readonly seconds: number }
  | {
      readonly code: 'trust-ended-early';
      readonly program: string;
      readonly exitCode: number;
      readonly client: string;
      readonly since: string;
    }
  | { readonly code: 'trust-not-json' | 'trust-refused'; readonly program: string }
  | { readonly code: 'trust-not-started'; readonly executable: string; readonly errno: string }
  | {
      readonly code: 'trust-too-old';
      readonly client: string;
      readonly since: string;
      readonly version?: string;
    }
  /** `command`: what one types in the client. */
  | { readonly code: 'switch-on'; readonly command: string; readonly executable: string }
  | { readonly code: 'trust-not-taken'; readonly client: string }
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
