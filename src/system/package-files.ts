/** Folders that are published along with the code. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Bundled, this is in `dist/`; as a source it is one folder deeper. */
const ROOT = join(
  import.meta.dirname,
  basename(import.meta.dirname) === 'dist' ? '..' : join('..', '..'),
);

/** The runner as the build makes it from `templates`, and the stand-in for a server. */
export const TEMPLATES = join(ROOT, 'dist', 'templates');

export const template = (name: string): string => readFileSync(join(TEMPLATES, name), 'utf8');

/** What the real clients sent when they were recorded, client by client. */
export const EVENTS = join(ROOT, 'fixtures', 'events');

/** The cases for trying an implementation of hooks. */
export const CONFORMANCE = join(ROOT, 'conformance');

/** The schema that editors check manifests with. The build makes it from src/declaration/json-schema.ts. */
export const MANIFEST_SCHEMA = join(ROOT, 'schema', 'manifest.json');
/** Hooks for servers that declare none. */
export const CATALOGUE = join(ROOT, 'catalogue');
