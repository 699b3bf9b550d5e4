// Whole processes, measured alternately with `node -e 0`, so a busy machine slows both alike.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** dash starts a program by vfork. Any other shell copies itself first, which costs as much as a shell's own start. */
const STARTER = spawnSync('dash', ['-c', ':']).error === undefined ? 'dash' : 'bash';

/** How many runs are started at once: one digit is all that dash takes for the number of an open file. */
const AT_ONCE = 5;

/**
 * The processor and wall time of one process, in milliseconds, without what starts it. Short runs are repeated and measured
 * together. If stdin is a folder, each run is given a file of its own, called 0, 1, ...
 */
async function once({ command, cwd, env, stdin, times = 1, before }) {
  before?.();
  const isFolder = stdin !== undefined && statSync(stdin).isDirectory();
  const inputs = Array.from({ length: times }, (_, i) =>
    stdin === undefined ? '' : readFileSync(isFolder ? join(stdin, `${i}`) : stdin),
  );
  const sum = { cpu: 0, wall: 0 };
  for (let i = 0; i < times; i += AT_ONCE) {
    const some = inputs.slice(i, i + AT_ONCE);
    for (const [sign, given] of [
      [1, some],
      [-1, []],
    ]) {
      const { cpu, wall } = await started({ command, cwd, env, inputs: given });
      sum.cpu += sign * cpu;
      sum.wall += sign * wall;
    }
  }
  return { cpu: sum.cpu / times, wall: sum.wall / times };
}

/** A run for each input, one after the other, by bash's own `time` (getrusage), in whole milliseconds. */
async function started({ command, cwd, env, inputs }) {
  const loop = `i=4; while [ $i -lt ${4 + inputs.length} ]; do "$@" <&$i; i=$((i + 1)); done`;
  // A socket on stdin and a pipe with a reader on stdout, as in clients. A shell reads a file faster.
  const script = `exec 3> >(exec cat >/dev/null); TIMEFORMAT="%U %S %R"; { time ${STARTER} -c '${loop}' "$@" >&3 2>/dev/null; } 2>&1`;
  const shell = spawn('bash', ['-c', script, 'bench', 'bench', ...command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore', 'ignore', ...inputs.map(() => 'pipe')],
  });
  for (const [i, input] of inputs.entries()) {
    shell.stdio[i + 4].on('error', () => {}); // not all of them read to the end
    shell.stdio[i + 4].end(input);
  }
  let said = '';
  for await (const text of shell.stdout.setEncoding('utf8')) said += text;
  const [user, system, wall] = said
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return { cpu: user + system, wall };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * The medians of each case's ratio to the baseline just before and just after it. A second later, the machine may run at
 * another speed. A case may have another one `beside` it, which it is measured alternately with, too.
 */
export async function compare(cases, { runs = 20, baseline }) {
  // One run of the baseline takes only a few of the milliseconds that `time` counts, so the ratio would jump. Several do not.
  const several = { ...baseline, times: 5 };
  const rows = [];
  for (const one of cases) {
    const turns = [];
    let before = await once(several);
    for (let run = 0; run < runs; run += 1) {
      const it = await once(one);
      const beside = one.beside && (await once({ ...one, ...one.beside }));
      const after = await once(several);
      const base = { cpu: (before.cpu + after.cpu) / 2, wall: (before.wall + after.wall) / 2 };
      before = after;
      turns.push({ it, base, beside });
    }
    const ratio = (key) => median(turns.map(({ it, base }) => it[key] / base[key]));
    rows.push({
      ...one,
      cpu: ratio('cpu'),
      wall: ratio('wall'),
      ms: median(turns.map(({ it }) => it.cpu)),
      ...(one.beside && { first: median(turns.map(({ it, beside }) => it.cpu / beside.cpu)) }),
    });
  }
  return rows;
}

/** How much each case exceeds another, `over`, in units of the baseline: the median difference of alternating runs. */
export async function compareOver(cases, { runs = 20, baseline }) {
  const rows = [];
  for (const one of cases) {
    const turns = [];
    for (let run = 0; run < runs; run += 1)
      turns.push({
        base: await once({ ...baseline, times: 3 }),
        over: await once({ ...one.over, times: 3 }),
        it: await once({ ...one, times: 3 }),
      });
    const of = (choose) => median(turns.map(choose));
    const unit = (key) => of(({ base }) => base[key]);
    rows.push({
      ...one,
      first: of(({ over }) => over.cpu) / unit('cpu'),
      cpu: of(({ it, over }) => it.cpu - over.cpu) / unit('cpu'),
      wall: of(({ it, over }) => it.wall - over.wall) / unit('wall'),
      ms: of(({ it, over }) => it.cpu - over.cpu),
    });
  }
  return rows;
}

/** The time of each case compared with `bare`. It may take so many `times` as long, plus so many milliseconds `more`. */
export async function compareAllowing(cases, { runs = 20, times, more }) {
  const rows = [];
  for (const one of cases) {
    const turns = [];
    for (let run = 0; run < runs; run += 1)
      turns.push({ base: await once(one.bare), it: await once(one) });
    const of = (choose) => median(turns.map(choose));
    const wall = of(({ base }) => base.wall);
    rows.push({
      ...one,
      cpu: of(({ it }) => it.cpu) / of(({ base }) => base.cpu),
      wall: of(({ it }) => it.wall) / wall,
      limit: times + more / wall,
      ms: of(({ it, base }) => it.wall - base.wall),
    });
  }
  return rows;
}

/** The medians of the parts of each case (parts.cjs), as ratios to the whole baseline. */
export async function compareParts(cases, { runs = 20, baseline }) {
  const rows = [];
  for (const one of cases) {
    const [node, ...words] = one.command;
    const command = [node, '-r', PARTS, ...words];
    const file = join(one.scratch, 'parts');
    const turns = [];
    for (let run = 0; run < runs; run += 1) {
      writeFileSync(file, '');
      const base = await once({ ...baseline, times: 3 });
      await once({ ...one, command, env: { ...one.env, MCP_HOOKS_PARTS: file } });
      const parts = JSON.parse(readFileSync(file, 'utf8'));
      turns.push(Object.values(parts).map((part) => part / base.cpu));
    }
    rows.push([one.name, ...turns[0].map((_, at) => median(turns.map((parts) => parts[at])))]);
  }
  return rows;
}
const PARTS = fileURLToPath(new URL('parts.cjs', import.meta.url));

export function table(rows, columns = ['', 'cpu', 'wall', 'at most', 'cpu ms']) {
  const lines = rows.map(({ name, first, cpu, wall, ms, limit }) => [
    name,
    ...(first === undefined ? [] : [first]),
    cpu,
    wall,
    limit,
    ms.toFixed(1),
  ]);
  return aligned(lines, columns);
}

/** Rows of names and numbers; undefined leaves a cell empty. */
export function aligned(rows, columns) {
  const shown = (cell = '') => (typeof cell === 'number' ? cell.toFixed(2) : cell);
  const all = [columns, ...rows.map((row) => Array.from(row, shown))];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    )
    .join('\n');
}
