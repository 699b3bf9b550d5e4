/**
 * mcp-hooks: for clients that of several hooks for one event take only the last one's answer. Each runner says again what
 * those before it have said; the client runs them one after the other.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

/**
 * What the others have said and then a text of our own, which is written down for those that come after.
 *
 * @param kept The text as it is written down.
 * @param at `file`: absolute path of what was said for this event so far; `former`: how such paths begin for earlier events
 *   of the session; `open` of runner.cjs.
 */
function withOthers(text, kept, { file, former, open }) {
  try {
    if (!fs.existsSync(file)) forget(former);
    const said = open(file, 'a');
    const others = fs.readFileSync(file, 'utf8');
    fs.writeSync(said, `${kept}\n\n`);
    fs.closeSync(said);
    return `${others}${text}`.trimEnd();
  } catch {
    return text;
  }
}

/** What was said for earlier events of the session, which nobody asks for any more. */
function forget(former) {
  const [folder, beginning] = [path.dirname(former), path.basename(former)];
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(beginning)) fs.rmSync(path.join(folder, name), { force: true });
}

module.exports = { withOthers };
