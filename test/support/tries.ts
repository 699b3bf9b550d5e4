/** How often a property is tried: enough to notice what is wrong, and in `npm run test:properties` as often as can be. */
export const tries = (usual: number, long: number): number =>
  process.env.MCP_HOOKS_PROPERTY_RUNS === undefined ? usual : long;
