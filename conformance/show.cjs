/**
 * A hook's program that prints fields of its event, with a line for each field that exists:
 *
 *   node show.cjs hook tool.input        hook="PreToolUse"
 *                                        tool.input={"command":"ls"}
 */
'use strict';
const event = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
for (const path of process.argv.slice(2)) {
  const value = path.split('.').reduce((within, key) => within?.[key], event);
  if (value !== undefined) console.log(`${path}=${JSON.stringify(value)}`);
}
