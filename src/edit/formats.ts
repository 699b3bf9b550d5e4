/** The formats of the files that hold hooks, by name. */

import type { Format } from './edit.ts';
import { json } from './json.ts';
import { program } from './program.ts';
import { toml } from './toml.ts';

export const FORMATS = { json, toml, program } as const satisfies Readonly<Record<string, Format>>;
