import type { Declared } from '../../declaration/declared.ts';

/** What came of asking a configured server. */
export type ScanOutcome =
  | { readonly kind: 'hooks'; readonly declared: Declared }
  | {
      readonly kind: 'not asked' | 'failed';
      readonly why: string;
      /** What `install` would say as well. */
      readonly details?: readonly string[];
    };
