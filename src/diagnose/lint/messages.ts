/** What authors learn about their manifests, and users do not: codes with facts. The words are in src/cli/messages/lint.ts. */

import type { Said } from '../../system/errors.ts';

export type LintMessage =
  | Said<'gives-orders', { words: string }>
  /** `found`: how long the text is in that unit, with the marks of its lines. */
  | Said<
      'cut-by-client',
      {
        clients: readonly string[];
        unit: 'characters' | 'bytes';
        limit: number;
        found: number;
      }
    >
  /** `blocks`: the cost arises only if the hook blocks. */
  | Said<'costs-a-turn', { clients: readonly string[]; blocks: boolean }>
  | Said<'matches-nothing', WhyNothing>
  /** `other`: the number of an earlier hook, from 1. */
  | Said<'fires-together' | 'hook-repeated', { other: number }>
  | Said<'no-such-server-tool', { tool: string; near?: string }>;

export type WhyNothing =
  | { readonly why: 'built-in' | 'other-server'; readonly tool: string; readonly server: string }
  | { readonly why: 'excluded'; readonly tool: string }
  | { readonly why: 'no-failure' };
