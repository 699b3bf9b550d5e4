// What each server of these declares, under all three keys, so that it shows which of them it lets through.
const hooks = {
  declarations: [
    {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash' },
      context: 'Is there a test for it?',
      priority: 'suggestion',
    },
  ],
};

export const capabilities = {
  tools: {},
  hooks,
  experimental: { hooks },
  extensions: { 'io.github.mcp-hooks/hooks': hooks },
};

/** Listens on a free port of loopback, and says at which address. */
export const listen = (server, path) =>
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${server.address().port}${path}`);
  });
