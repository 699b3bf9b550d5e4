/** Folders that are published beside the code: beside dist/ when bundled, beside src/ otherwise. */

import { join } from 'node:path';

/** The runner, and what stands in for a server. */
export const TEMPLATES = join(import.meta.dirname, '../templates');

/** What the real clients were recorded to send, client by client. */
export const EVENTS = join(import.meta.dirname, '../fixtures/events');
