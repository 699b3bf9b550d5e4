import { describe, expect } from 'vitest';
import { driver as codex } from '../../src/clients/codex/driver.ts';
import { google } from '../../src/clients/driver/apis/google.ts';
import { openai } from '../../src/clients/driver/apis/openai.ts';
import { driver as gemini } from '../../src/clients/gemini-cli/driver.ts';
import type { JsonObject } from '../../src/system/json.ts';
import { test, type World } from '../support/world.ts';

/** A client that records its input, and ends. */
async function notes(world: World): Promise<readonly [string, ...string[]]> {
  await world.write(
    'client.js',
    'require("node:fs").writeFileSync("env.json", JSON.stringify(process.env));',
  );
  return [process.execPath, world.path('client.js')];
}

describe('Gemini CLI', () => {
  test.for([
    ['0.43.0', false],
    ['0.44.0', true],
    [undefined, true],
  ] as const)('%s is behind a proxy: %s', async ([version, proxy], { world }) => {
    const place = { home: world.home, project: world.work, outer: process.env };
    gemini.prepare(place);
    const launch = await notes(world);
    await gemini.run({ ...place, launch, prompts: ['Hello.'], steps: [], version });
    const env: Record<string, string> = JSON.parse(await world.read('env.json'));
    expect('HTTPS_PROXY' in env).toBe(proxy);
    expect(env.GOOGLE_GEMINI_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test.for([
    ['of today', ['mcp_quux_note'], 'mcp_quux_note'],
    ['before 0.33', ['list_directory', 'note'], 'note'],
    ['before 0.33, of two alike', ['note', 'quux__note'], 'quux__note'],
    ['that does not say', [], 'mcp_quux_note'],
  ] as const)(
    'calls the tool of an MCP server by the name in a request %s',
    ([, names, called]) => {
      const functionDeclarations = names.map((name) => ({ name }));
      const mcp = { server: 'quux', tool: 'note' };
      const call = { name: 'mcp_quux_note', input: {}, mcp };
      expect(google.nameIn?.({ tools: [{ functionDeclarations }] }, call)).toBe(called);
    },
  );
});

describe('Codex', () => {
  const namespace = (name: string, ...tools: string[]): JsonObject => ({
    type: 'namespace',
    name,
    tools: tools.map((tool) => ({ type: 'function', name: tool })),
  });

  test.for<[string, JsonObject[], string]>([
    ['that has to be searched', [{ type: 'tool_search' }], 'mcp__quux.note'],
    ['in a namespace', [namespace('mcp__quux', 'other', 'note')], 'mcp__quux.note'],
    ['in a namespace of 0.124', [namespace('mcp__quux__', 'note')], 'mcp__quux__.note'],
    ['in none, before 0.135', [{ type: 'function', name: 'mcp__quux__note' }], 'mcp__quux__note'],
  ])('calls the tool of an MCP server %s', ([, tools, called]) => {
    const name = codex.mcpTool?.('quux', 'note') ?? '';
    expect(openai.nameIn?.({ tools }, { name, input: {} })).toBe(called);
  });
});
