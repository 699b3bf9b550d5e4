/** What build.mjs makes. */

declare module 'mcp-hooks:published' {
  /** Files of the published package, by their paths on the machine. */
  const published: Readonly<Record<string, string>>;
  export default published;
}

declare module 'mcp-hooks:samples' {
  /** Manifests to start from, by the names of their files. */
  const samples: Readonly<Record<string, string>>;
  export default samples;
}

declare module '@pkgjs/parseargs' {
  export { parseArgs } from 'node:util';
}
