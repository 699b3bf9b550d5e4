/** Folders that are published along with the code. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** In the bundle, this file is in `dist/`. As a source, it is one folder deeper. */
const ROOT = join(
  import.meta.dirname,
  basename(import.meta.dirname) === 'dist' ? '..' : join('..', '..'),
);

/** The runner as built from `templates`, and the stand-in for a server. */
export const TEMPLATES = join(ROOT, 'dist', 'templates');

export const template = (name: string): string => readFileSync(join(TEMPLATES, name), 'utf8');

/** The payloads of the real clients as recorded, by client. */
export const EVENTS = join(ROOT, 'fixtures', 'events');

/** The cases for testing an implementation of hooks. */
export const CONFORMANCE = join(ROOT, 'conformance');

/** The schema with which editors check manifests. The build generates it from src/declaration/json-schema.ts. */
export const MANIFEST_SCHEMA = join(ROOT, 'schema', 'manifest.json');
/** Hooks for servers that declare none. */
export const CATALOGUE = join(ROOT, 'catalogue');
