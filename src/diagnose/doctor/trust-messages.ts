/** What the checks of trust have to say: codes, and the facts that their sentences need. */

import type { TrustReading, TrustState, TrustTrouble, WhyUnknown } from '../../clients/trust.ts';

/** A hook that a client asks about. */
interface HookFacts {
  readonly client: string;
  readonly native: string;
  readonly matcher?: string;
  /** The file that the hook is in. */
  readonly path: string;
  readonly from: TrustReading['from'];
  /** The name of the file in which the client keeps trust. */
  readonly file: string;
}

type HookMessage = {
  [State in TrustState]: HookFacts & { readonly code: `hook-${State}` };
}[TrustState];

/** `client`: its short name. */
export type TrustMessage =
  | TrustTrouble
  | WhyUnknown
  | HookMessage
  | { readonly code: 'all-trusted'; readonly client: string }
  | { readonly code: 'nothing-to-trust'; readonly client: string }
  | { readonly code: 'start-before-trust'; readonly client: string }
  | { readonly code: 'asks-for-no-trust'; readonly client: string; readonly version: string }
  | { readonly code: 'trust-from-file'; readonly client: string }
  | { readonly code: 'trust-by-hand'; readonly byHand: string; readonly run?: string }
  | { readonly code: 'switch-on'; readonly command: string; readonly executable: string }
  | { readonly code: 'why-unknown'; readonly why: WhyUnknown }
  | { readonly code: 'trust-trouble'; readonly trouble: TrustTrouble }
  | { readonly code: 'project-unread'; readonly client: string; readonly project: string }
  | { readonly code: 'trust-project'; readonly executable: string }
  // In a few words, why hooks do not fire
  | { readonly code: 'not-trusted' }
  | { readonly code: 'changed-since-trusted' }
  | { readonly code: 'switched-off-in'; readonly client: string }
  | { readonly code: 'project-not-trusted' };
