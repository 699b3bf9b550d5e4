/**
 * Whether the Node that runs us is too old. An old Node runs this file and cli.cjs: both are built for Node 12 and use no newer
 * features. No other file is loaded at this point, so the message is here as well.
 */
'use strict';

/**
 * The message if `engines` of our package.json requires a newer version than `version`. Undefined if the version is new enough.
 */
function refusal(version, engines, path) {
  const needed = engines.replace(/^>=/, '');
  const [major, minor] = numbers(version);
  const [leastMajor, leastMinor] = numbers(needed);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `mcp-hooks needs Node ${needed} or newer; this is ${version} (${path}).\n`;
}

const numbers = (version) => version.split('.').map(Number);

module.exports = { refusal };
