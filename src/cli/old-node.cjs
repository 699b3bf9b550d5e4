/**
 * Whether the node that runs us is too old for us. An old one reads this file and cli.cjs: both are built for Node 12,
 * and nothing is asked of node here that it does not have. Nothing else is loaded by then, so the sentence is here, too.
 */
'use strict';

/** What to say when `engines`, of our package.json, names a newer version than `version`; undefined: it is new enough. */
function refusal(version, engines, path) {
  const needed = engines.replace(/^>=/, '');
  const [major, minor] = numbers(version);
  const [leastMajor, leastMinor] = numbers(needed);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `mcp-hooks needs Node ${needed} or newer; this is ${version} (${path}).\n`;
}

const numbers = (version) => version.split('.').map(Number);

module.exports = { refusal };
