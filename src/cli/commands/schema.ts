/** `mcp-hooks schema`: the JSON Schema of a manifest, as it is in the package. */

import { readFileSync } from 'node:fs';
import { MANIFEST_SCHEMA } from '../../system/package-files.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, OK } from './context.ts';

export const schema: Command = async ({ terminal }, { json }) => {
  const text = readFileSync(MANIFEST_SCHEMA, 'utf8');
  terminal.out(json ? toJson({ schema: JSON.parse(text) }) : text);
  return OK;
};
