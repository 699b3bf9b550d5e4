/** How hooks are distributed: as a package. */

import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { type Bundle, mcpServers } from '../shipping.ts';

/** One list, in which each hook names its event. */
const listed = (hooks: JsonObject): JsonValue[] =>
  Object.entries(hooks).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : []).filter(isObject).map((entry) => ({ event, ...entry })),
  );

// Its program, and measured with 2.1.0.
export const bundle: Bundle = {
  noun: 'plugin',
  variable: 'KIMI_PLUGIN_ROOT',
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = mcpServers(contents);
    return [
      [
        `${name}/kimi.plugin.json`,
        {
          ...{ name, version, description, author },
          ...(servers && { mcpServers: servers }),
          hooks: listed(hooks),
        },
      ],
    ];
  },
  load: (name) => [`/plugins install {out}/${name}`],
  note: 'you type this command in its terminal',
};
