/** mcp-hooks: reads TOML, for the one client that configures its servers in it; loaded only then. It has the code of smol-toml. */

import { parse } from 'smol-toml';

/** A document by value. @throws Error with the line of what is not TOML. */
export const parseToml = (text: string): unknown =>
  parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
