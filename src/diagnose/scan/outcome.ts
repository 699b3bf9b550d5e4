import type { ServerHooks } from '../../declaration/declared.ts';
import type { Message } from '../../system/errors.ts';

/** What came of asking a configured server. */
export type ScanOutcome = { readonly kind: 'hooks'; readonly declared: ServerHooks } | Unanswered;

export interface Unanswered {
  readonly kind: 'not asked' | 'failed';
  readonly why: Message;
  /** What `install` would say as well. */
  readonly details?: readonly Message[];
}
