/** How often a property is tried: often enough to notice errors, and as often as possible in `npm run test:properties`. */
export const tries = (usual: number, long: number): number =>
  process.env.MCP_HOOKS_PROPERTY_RUNS === undefined ? usual : long;
