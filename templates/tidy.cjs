/** mcp-hooks: what the hook runner cleans up now and then. Looking for old files each time would cost more than all the rest. */
'use strict';
const fs = require('node:fs');

/** Moves a grown log aside, and once a day removes what nobody needs any more: events after an hour, sessions after 30 days. */
function tidy({ started }, { log, folder, claim }) {
  const ageOf = (file) =>
    started - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? started);
  attempt(() => {
    if (fs.statSync(log, { throwIfNoEntry: false })?.size > 1024 * 1024)
      fs.renameSync(log, `${log}.1`);
  });
  attempt(() => {
    if (!claim(`${folder}/swept`, 24 * HOUR)) return;
    for (const name of fs.readdirSync(folder)) {
      const kept = LASTING.test(name) ? 30 * 24 * HOUR : HOUR;
      const file = `${folder}/${name}`;
      // A folder in the place of a file stays, and keeps nothing else here.
      if (name !== 'swept' && ageOf(file) > kept) attempt(() => fs.unlinkSync(file));
    }
  });
}
function attempt(action) {
  try {
    action();
  } catch {}
}
const LASTING = /\.(?:mark|kept|told|denied|calls|\w+-once|history-\d*|modern)$/;
const HOUR = 60 * 60 * 1000;

module.exports = { tidy };
