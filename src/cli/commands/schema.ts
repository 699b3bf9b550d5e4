/** `mcp-hooks schema`: prints the JSON Schema of a manifest, as shipped in the package. */

import { readFileSync } from 'node:fs';
import { MANIFEST_SCHEMA } from '../../system/package-files.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, type Flags, OK } from './command.ts';

export const schema: Command = {
  name: 'schema',
  group: 'Author',
  summary: 'print the JSON Schema of a manifest, for editors',
  about:
    'The package contains it as schema/manifest.json. An editor completes and checks a manifest that begins with "$schema": "./node_modules/mcp-hooks/schema/manifest.json", or with the path of a file that you print the schema to.',
  examples: ['schema > manifest.schema.json'],
  run: async ({ terminal }: Context, { json }: Flags) => {
    const text = readFileSync(MANIFEST_SCHEMA, 'utf8');
    terminal.out(json ? toJson({ schema: JSON.parse(text) }) : text);
    return OK;
  },
};
