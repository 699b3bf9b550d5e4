/** What can be said of what becomes of a hook in a client: codes with their facts. src/cli/messages/compile.ts has the words. */

import type { ClientMessage } from '../clients/messages.ts';
import type { MissingTool } from './known-tools.ts';

export type CompileMessage =
  | MissingTool
  /** `when`: the client's own words, the end of "told ...". */
  | { readonly code: 'told'; readonly when: string }
  /** `text`: the client's own words for what it cannot do. */
  | { readonly code: 'exception'; readonly text: string }
  | { readonly code: 'no-such-moment'; readonly client: string }
  | { readonly code: 'extra-turn' }
  | { readonly code: 'unknown-native-tool'; readonly client: string; readonly tool: string }
  /** `hook`: its place in the declaration, from 1; absent: it is clear which. `text`: as the declaration has it. */
  | {
      readonly code: 'unknown-server-named';
      readonly hook?: number;
      readonly text: string;
      readonly client: string;
      readonly near?: string;
    }
  | {
      readonly code: 'runs-no-hooks';
      readonly client: string;
      readonly version: string;
      readonly since: string;
    }
  | { readonly code: 'gap-noted'; readonly gap: ClientMessage }
  | { readonly code: 'muted-by-policy' }
  | { readonly code: 'tool-forbidden-by-policy' }
  | { readonly code: 'text-cut'; readonly characters: number }
  | { readonly code: 'not-heard'; readonly heard: number }
  | { readonly code: 'left-out-here' }
  | { readonly code: 'no-such-tool'; readonly glob: string }
  | { readonly code: 'fires-all-the-same' }
  | { readonly code: 'fires-when-newer' }
  | { readonly code: 'nothing-to-tell' }
  | { readonly code: 'too-many-names' }
  | { readonly code: 'downgraded-by-policy' }
  | { readonly code: 'downgraded-here' }
  | { readonly code: 'tools-not-called'; readonly names: readonly string[] }
  | { readonly code: 'tools-not-over-sse' }
  | { readonly code: 'empty-field'; readonly field: string; readonly so: CompileMessage }
  | { readonly code: 'never-fires' }
  | { readonly code: 'unknown-variable'; readonly name: string; readonly near: string }
  | {
      readonly code: 'matcher-too-long';
      readonly client: string;
      readonly limitCharacters: number;
    };
