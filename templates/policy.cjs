/** mcp-hooks: `policy.json`, the user's rules (src/declaration/policy.ts). It is read whenever a hook fires, if it is there. */
'use strict';
const { fault, isObject, parse, textOf } = require('./values.cjs');

/** The rules for a label. Throws when they cannot be understood, and then nothing is told: they may forbid it. */
function rulesFor({ state, label, policy }) {
  const json = withoutComments(textOf(`${state}/policy.json`) ?? '');
  const given = parse(json);
  const { servers = {}, ...all } = isObject(given) ? given : { servers: 0 };
  const known = { ...DECIDING, ...policy.rules };
  const isRule = ([name, value]) =>
    Object.hasOwn(known, name) &&
    typeof value === typeof known[name] &&
    (typeof value !== 'number' || (value >= 0 && value <= policy.most[name])) &&
    (typeof value !== 'string' || ['allow', 'declared', 'deny'].includes(value));
  const isLabel = new RegExp(policy.label);
  const areRules = (rules) => isObject(rules) && Object.entries(rules).every(isRule);
  const keys = (value) =>
    isObject(value) ? Object.values(value).reduce((sum, one) => sum + keys(one) + 1, 0) : 0;
  const isValid =
    areRules(all) &&
    isObject(servers) &&
    Object.entries(servers).every(([name, rules]) => isLabel.test(name) && areRules(rules)) &&
    // A key that stands twice has two meanings.
    (json.match(/"(?:\\.|[^"\\])*"\s*:/g) ?? []).length === keys(given);
  if (!isValid) throw fault('policy-invalid');
  const own = Object.hasOwn(servers, label) ? servers[label] : {};
  const rules = { ...policy.rules, ...all };
  const { restricting } = policy;
  // These may be meant for another source that had this name. What they allow that source is not allowed to us.
  const holds = ([name, value]) =>
    !restricting || (restricting.includes(name) ? value >= rules[name] : value <= rules[name]);
  return { ...rules, ...Object.fromEntries(Object.entries(own).filter(holds)) };
}

/** Rules that are missing from programs that decide nothing. */
const DECIDING = {
  block: false,
  modify: false,
  command: false,
  projectCode: false,
  onFailure: 'declared',
  redact: true,
};

/** JSON with comments and trailing commas, as JSON. */
function withoutComments(text) {
  const strings = '"(?:\\\\.|[^"\\\\])*"';
  const keep = (_all, kept) => kept ?? '';
  return text
    .replace(new RegExp(`(${strings})|//[^\\n]*|/\\*[\\s\\S]*?\\*/|^\\uFEFF`, 'g'), keep)
    .replace(new RegExp(`(${strings})|,(?=\\s*[}\\]])`, 'g'), keep);
}

module.exports = { rulesFor, withoutComments };
