/**
 * mcp-hooks: reads TOML, in which one client configures its servers. Loaded only for that client. Includes the code of
 * smol-toml.
 */

import { parse } from 'smol-toml';

/** Parses a document. @throws Error with the line of the first mistake. */
export const parseToml = (text: string): unknown =>
  parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
