/** What can be said of servers, where they are declared and how they are asked: codes with their facts. src/cli/messages/sources.ts has the words. */

import type { Message, SystemReason } from '../system/errors.ts';

export type SourceMessage =
  /** `above`: nor is it in a folder above. */
  | { readonly code: 'not-there'; readonly above: boolean }
  | {
      readonly code: 'not-read';
      readonly line?: number;
      readonly column?: number;
      readonly why: Message;
    }
  | { readonly code: 'servers-there'; readonly names: readonly string[] }
  | { readonly code: 'no-token' }
  /** `at`: keys from the root of the document, with dots. */
  | { readonly code: 'problem-at' | 'left-out-at'; readonly at: string; readonly problem: Message }
  | { readonly code: 'no-page' }
  | { readonly code: 'stdout-not-json'; readonly text: string }
  | { readonly code: 'no-address'; readonly text: string }
  | { readonly code: 'address-with-user'; readonly name: string }
  | { readonly code: 'address-needs-label'; readonly host: string }
  | { readonly code: 'called-after-host'; readonly label: string; readonly host: string }
  | {
      readonly code: 'unknown-server-client';
      readonly name: string;
      readonly known: readonly string[];
    }
  | { readonly code: 'which-server'; readonly name: string }
  | { readonly code: 'several-servers'; readonly name: string }
  | { readonly code: 'choose-with-from'; readonly id: string }
  | { readonly code: 'says-no-start'; readonly name: string; readonly file: string }
  | { readonly code: 'no-label-in-name'; readonly name: string }
  | {
      readonly code: 'file-of-the-folder';
      readonly file: string;
      readonly client: string;
      readonly canTell: boolean;
    }
  | {
      readonly code: 'configured-in';
      readonly file: string;
      readonly client: string;
      readonly scope: string;
      readonly over: readonly string[];
    }
  | { readonly code: 'only-nearest'; readonly client: string; readonly file: string }
  | { readonly code: 'also-configured'; readonly where: readonly string[] }
  | { readonly code: 'switched-off-there'; readonly client: string; readonly why: string }
  | { readonly code: 'helper-left-out'; readonly client: string }
  | {
      readonly code: 'configuration-broken';
      readonly file: string;
      readonly line?: number;
      readonly column?: number;
      readonly why: Message;
    }
  | { readonly code: 'not-configured'; readonly name: string; readonly near: readonly string[] }
  | {
      readonly code: 'looked-at';
      readonly path: string;
      readonly client: string;
      readonly scope: string;
      readonly found: SourceMessage;
    }
  | { readonly code: 'looked-in' }
  | { readonly code: 'not-filled-in'; readonly why: string }
  | { readonly code: 'only-its-client'; readonly reference: string }
  | { readonly code: 'two-sources' }
  | { readonly code: 'no-source' }
  | { readonly code: 'unknown-source'; readonly source: string }
  | { readonly code: 'label-needed' }
  | { readonly code: 'bad-header' }
  | { readonly code: 'our-header'; readonly name: string }
  | { readonly code: 'headers-need-address' }
  | { readonly code: 'header-again'; readonly names: readonly string[] }
  | { readonly code: 'header-unset'; readonly name: string; readonly variable: string }
  | { readonly code: 'header-unfit'; readonly name: string; readonly variable: string }
  | { readonly code: 'insecure-address'; readonly server: string }
  | { readonly code: 'sign-in-first'; readonly server: string }
  | { readonly code: 'bundle-broken'; readonly path: string }
  | { readonly code: 'bundle-two-manifests'; readonly path: string }
  | { readonly code: 'bundle-no-manifest'; readonly path: string }
  | { readonly code: 'bundle-without'; readonly id: string }
  | { readonly code: 'bundle-several'; readonly id: string; readonly keys: readonly string[] }
  | { readonly code: 'bundle-foreign'; readonly key: string; readonly id: string }
  | { readonly code: 'package-without' }
  | {
      readonly code: 'folder-without-hooks';
      readonly folder: string;
      readonly looked: readonly string[];
    }
  | { readonly code: 'packed-package'; readonly path: string }
  | { readonly code: 'unpack-it'; readonly path: string }
  // Why it cannot be told how a server is started.
  | { readonly code: 'no-bin' }
  | { readonly code: 'several-bins'; readonly names: readonly string[] }
  | { readonly code: 'bin-outside'; readonly path: string }
  | { readonly code: 'bin-missing'; readonly path: string }
  | { readonly code: 'bin-not-for-node'; readonly path: string }
  | { readonly code: 'server-malformed' }
  | { readonly code: 'host-starts' }
  | { readonly code: 'bundle-packed' }
  | { readonly code: 'host-variable'; readonly text: string }
  | { readonly code: 'not-in-folder'; readonly command: string }
  | { readonly code: 'not-on-disk' }
  | { readonly code: 'values-in-package' }
  | { readonly code: 'no-package' }
  | { readonly code: 'registry-unknown'; readonly type: string }
  | { readonly code: 'not-stdio' }
  | { readonly code: 'wrong-package'; readonly identifier: string }
  | { readonly code: 'other-registry'; readonly url: string }
  | { readonly code: 'input-needed'; readonly name: string }
  | { readonly code: 'wrong-argument' }
  | { readonly code: 'remote-unknown'; readonly type: string }
  | { readonly code: 'wrong-address'; readonly url: string }
  | { readonly code: 'header-needed'; readonly name: string }
  | { readonly code: 'needs-variable'; readonly name: string }
  | { readonly code: 'registry-without'; readonly key: string; readonly id: string }
  | { readonly code: 'registry-large'; readonly bytes: number; readonly limitBytes: number }
  | { readonly code: 'npm-broken'; readonly spec: string }
  | { readonly code: 'npm-too-large'; readonly spec: string; readonly limitBytes: number }
  | { readonly code: 'npm-silent'; readonly spec: string; readonly seconds: number }
  | { readonly code: 'npm-missing' }
  | { readonly code: 'npm-not-found'; readonly spec: string }
  | { readonly code: 'npm-no-version'; readonly spec: string }
  | { readonly code: 'npm-not-allowed'; readonly spec: string; readonly npmCode: string }
  | { readonly code: 'npm-offline'; readonly spec: string; readonly npmCode: string }
  | { readonly code: 'npm-failed'; readonly spec: string; readonly npmCode: string }
  | { readonly code: 'npm-last-words' }
  | { readonly code: 'npm-bad-spec'; readonly spec: string }
  | { readonly code: 'npm-no-command'; readonly spec: string; readonly why?: Message }
  | { readonly code: 'npm-choose'; readonly spec: string }
  | { readonly code: 'npm-consent'; readonly spec: string }
  | { readonly code: 'npm-twice'; readonly spec: string; readonly file: string }
  | { readonly code: 'npm-link'; readonly spec: string; readonly file: string }
  | { readonly code: 'not-an-address'; readonly typed: string }
  | { readonly code: 'password-in-address' }
  | { readonly code: 'still-unauthorized'; readonly server: string }
  | { readonly code: 'sign-in-failed'; readonly server: string; readonly why: Message }
  | { readonly code: 'sign-in-elsewhere'; readonly origin: string }
  | { readonly code: 'sign-in-refused'; readonly why: string }
  | { readonly code: 'sign-in-late'; readonly seconds: number; readonly strangers: boolean }
  | { readonly code: 'no-redirect'; readonly why: Message }
  | { readonly code: 'sign-in-needs-terminal'; readonly server: string }
  | { readonly code: 'sign-in-page'; readonly server: string; readonly opened: boolean }
  | { readonly code: 'no-registration'; readonly server: string }
  | { readonly code: 'tokens-locked'; readonly file: string }
  | { readonly code: 'server-error'; readonly command: string; readonly error: string }
  | { readonly code: 'discover-error'; readonly error: string }
  | { readonly code: 'server-not-mcp'; readonly command: string }
  | { readonly code: 'response-too-deep'; readonly name: string; readonly depth: number }
  | { readonly code: 'beyond-limits'; readonly name: string }
  | { readonly code: 'address-unfit' }
  | { readonly code: 'address-unfit-user' }
  | { readonly code: 'response-too-large'; readonly name: string; readonly limitBytes: number }
  | { readonly code: 'address-silent'; readonly name: string; readonly deadlineMs: number }
  | { readonly code: 'address-hung-up'; readonly name: string }
  | { readonly code: 'address-unreached'; readonly name: string; readonly why: SystemReason }
  | { readonly code: 'sign-in-needed'; readonly name: string; readonly status: number }
  | { readonly code: 'challenge'; readonly words: string }
  | { readonly code: 'address-moved'; readonly name: string; readonly to: string }
  | { readonly code: 'address-status'; readonly name: string; readonly status: number }
  | { readonly code: 'server-silent'; readonly command: string; readonly deadlineMs: number }
  | {
      readonly code: 'download-too-long';
      readonly name: string;
      readonly launcher: string;
      readonly limitMs: number;
    }
  | { readonly code: 'server-not-started'; readonly command: string; readonly why: SystemReason }
  | {
      readonly code: 'server-exited';
      readonly command: string;
      readonly exitCode: number | null;
      readonly signal?: string;
    }
  | { readonly code: 'server-folder-missing'; readonly command: string; readonly folder: string }
  | { readonly code: 'server-crashed' }
  | { readonly code: 'server-last-lines' };
