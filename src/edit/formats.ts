/** The file formats of the clients' settings, by name. */

import type { Format } from './edit.ts';
import { json } from './json.ts';
import { toml } from './toml.ts';

export const FORMATS = { json, toml } as const satisfies Readonly<Record<string, Format>>;
