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
 * @param file Absolute path of what was said for this event so far.
 * @param open That of runner.cjs.
 */
function withOthers(text, file, open) {
  try {
    if (!fs.existsSync(file)) forgetOthers(file);
    const said = open(file, 'a');
    fs.writeSync(said, `${text}\n\n`);
    fs.closeSync(said);
    return fs.readFileSync(file, 'utf8').trimEnd();
  } catch {
    return text;
  }
}

/** What was said for earlier events of the session, which nobody asks for any more. */
function forgetOthers(file) {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  const kind = name.slice(0, name.indexOf('said-') + 'said-'.length);
  for (const other of fs.readdirSync(folder))
    if (other.startsWith(kind) && other !== name)
      fs.rmSync(path.join(folder, other), { force: true });
}

module.exports = { withOthers };
