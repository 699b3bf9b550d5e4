/** What commands refuse: codes with their facts. */

import type { Message } from '../../system/errors.ts';

export type CliMessage =
  | { readonly code: 'payload-too-deep' }
  | { readonly code: 'payload-empty' }
  | { readonly code: 'payload-no-object' }
  /** `why`: in the client's own words. */
  | { readonly code: 'client-stops-here'; readonly client: string; readonly why: string }
  | { readonly code: 'leave-client-out'; readonly client: string }
  | { readonly code: 'use-other-scope'; readonly id: string; readonly folder: string }
  | { readonly code: 'no-hooks'; readonly label: string }
  | { readonly code: 'no-hook-here'; readonly label: string }
  | { readonly code: 'nothing-left'; readonly label: string }
  | { readonly code: 'none-understood'; readonly label: string }
  | { readonly code: 'declares-no-more'; readonly label: string }
  | { readonly code: 'only-trust-missing'; readonly todo: string }
  | { readonly code: 'server-unauthorized'; readonly name: string; readonly status: number }
  | { readonly code: 'unexpected'; readonly what: string }
  | { readonly code: 'in-foreign-file' }
  | { readonly code: 'no-start' }
  | { readonly code: 'not-scanned' }
  | { readonly code: 'start-needs-yes' }
  | { readonly code: 'not-started' }
  | { readonly code: 'needs-yes' }
  | { readonly code: 'declined' }
  | { readonly code: 'changed-while-asked' }
  | {
      readonly code: 'unknown-event';
      readonly event: string;
      readonly declared: readonly string[];
      readonly native: readonly string[];
    }
  | { readonly code: 'not-installed-there'; readonly label: string; readonly where: string }
  | {
      readonly code: 'unknown-label-in';
      readonly label: string;
      readonly where: string;
      readonly near: readonly string[];
      readonly all: readonly string[];
    }
  | { readonly code: 'payload-unread'; readonly path: string; readonly why: Message }
  | { readonly code: 'not-json'; readonly what: string }
  | { readonly code: 'foreign-facts'; readonly flags: readonly string[]; readonly event: string }
  | { readonly code: 'no-log'; readonly label: string; readonly known: readonly string[] }
  | { readonly code: 'no-origin'; readonly label: string; readonly command: string }
  | { readonly code: 'no-client'; readonly names: readonly string[] }
  | { readonly code: 'strict-left-out' }
  | { readonly code: 'label-twin'; readonly label: string; readonly other: string }
  | {
      readonly code: 'not-installed';
      readonly label: string;
      readonly where: string;
      readonly others: readonly string[];
    }
  | { readonly code: 'header-needs-label' }
  | { readonly code: 'ledger-unread-so-no-update'; readonly path: string }
  | { readonly code: 'nothing-to-verify' }
  | {
      readonly code: 'not-in-clients';
      readonly label?: string | undefined;
      readonly names: readonly string[];
    };
