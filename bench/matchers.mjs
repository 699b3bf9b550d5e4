// The cost of a hostile matcher for a tool call: in the client that compares it, and in the runner if no matcher was written.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { compare, table } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Prints the cost of the slowest declarations within our limits, with the worst tool name that a search finds. */
export async function benchMatchers({ scratch, cli, node }) {
  const support = join(scratch, 'matchers.mjs');
  const names = ['slow-matchers', 'worst-name'];
  const contents = names.map((name) => `export * from './test/support/${name}.ts';`).join('\n');
  buildSync({
    stdin: { contents, resolveDir: root },
    outfile: support,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  });
  const { SLOW, worstName } = await import(support);
  const home = join(scratch, 'slow');
  mkdirSync(join(home, '.claude'), { recursive: true });
  const at = { cwd: home, env: { PATH: process.env.PATH, HOME: home } };
  const settings = join(home, '.claude/settings.json');
  const payload = JSON.parse(
    readFileSync(join(root, 'fixtures/events/claude-code/PostToolUse.json'), 'utf8'),
  );

  const rows = Object.entries(SLOW).map(([what, matchers], number) => {
    const declarations = matchers.map((matcher) => ({
      event: 'post_tool_use',
      matcher,
      context: 'Hello.',
      priority: 'suggestion',
    }));
    const label = `slow-${number}`;
    const manifest = join(home, `${label}.json`);
    writeFileSync(manifest, JSON.stringify({ name: label, hooks: { declarations } }));
    const install = [cli, 'install', manifest, '--yes', '--client', 'claude'];
    const { status, stderr } = spawnSync(node, install, { ...at, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const group = JSON.parse(readFileSync(settings, 'utf8')).hooks.PostToolUse.find(({ hooks }) =>
      hooks[0].command.includes(`/${label}/`),
    );
    const pattern = new RegExp(group.matcher ?? '');
    const name = worstName((one) => {
      const from = process.hrtime.bigint();
      for (let i = 0; i < 5; i++) pattern.test(one);
      return Number(process.hrtime.bigint() - from);
    });
    const common = { ...at, times: 5 };
    if (group.matcher !== undefined) {
      const script = join(home, `${label}.cjs`);
      const given = [group.matcher, name].map((text) => JSON.stringify(text)).join(').test(');
      writeFileSync(script, `new RegExp(${given});\n`);
      return { ...common, name: `${what}, in the client`, command: [node, script], limit: 1.2 };
    }
    const stdin = join(home, `${label}.payload`);
    writeFileSync(stdin, JSON.stringify({ ...payload, tool_name: name }));
    const command = ['sh', '-c', group.hooks[0].command];
    return { ...common, name: `${what}, in the runner`, command, stdin, limit: 1.5 };
  });
  console.log(
    '\nA tool call with 300 slow matchers and the worst name that a search finds, as ratios to `node -e 0`, medians of 10.\n',
  );
  console.log(
    table(await compare(rows, { runs: 10, baseline: { ...at, command: [node, '-e', '0'] } })),
  );
}
