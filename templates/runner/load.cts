/** mcp-hooks: how the second stage loads the files next to it. */

import fs = require('node:fs');

/**
 * A `require` for the files of a folder. Node's own looks for packages and follows links on the way to each file, so finding a
 * file takes several times as long as reading it.
 */
export function quickly(slow: NodeJS.Require, folder: string): NodeJS.Require {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string) => {
    if (!name.startsWith('./')) return slow(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const text = fs.readFileSync(`${folder}/${name}`, 'utf8');
    let run: (...given: unknown[]) => void;
    try {
      run = new Function('module', 'require', '__dirname', text) as typeof run;
    } catch {
      return slow(name); // forbidden by an option of node, which not every shell of ours can remove
    }
    const module = { exports: {} };
    loaded.set(name, module);
    run(module, load, folder);
    return module.exports;
  };
  return load as NodeJS.Require;
}
