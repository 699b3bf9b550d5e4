// Whole processes, measured alternately with `node -e 0`, so a busy machine slows both alike.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/**
 * The processor and wall time of one process, in milliseconds, by bash's own `time` (getrusage). `time` counts whole
 * milliseconds, so short runs are repeated and measured together. If stdin is a folder, each run reads a file of its own,
 * called 0, 1, ...
 */
function once({ command, cwd, env, stdin = '/dev/null', times = 1, before }) {
  before?.();
  const from = statSync(stdin).isDirectory() ? '$STDIN/$i' : '$STDIN';
  const loop = `for ((i = 0; i < ${times}; i++)); do "$@" <"${from}" >&3 2>/dev/null; done`;
  // A pipe that somebody reads, as clients have it.
  const script = `exec 3> >(exec cat >/dev/null); TIMEFORMAT="%U %S %R"; { time ${loop}; } 2>&1`;
  const { stdout } = spawnSync('bash', ['-c', script, 'bench', ...command], {
    cwd,
    env: { ...env, STDIN: stdin },
    encoding: 'utf8',
  });
  const [user, system, wall] = stdout
    .trim()
    .split(' ')
    .map((seconds) => (Number(seconds) * 1000) / times);
  return { cpu: user + system, wall };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * The medians of each case's ratio to the baseline just before and just after it. A second later, the machine may run at
 * another speed.
 */
export function compare(cases, { runs = 20, baseline }) {
  // One run of the baseline takes only a few of the milliseconds that `time` counts, so the ratio would jump. Several do not.
  const several = { ...baseline, times: 5 };
  return cases.map((one) => {
    let before = once(several);
    const turns = Array.from({ length: runs }, () => {
      const it = once(one);
      const after = once(several);
      const base = { cpu: (before.cpu + after.cpu) / 2, wall: (before.wall + after.wall) / 2 };
      before = after;
      return { it, base };
    });
    const ratio = (key) => median(turns.map(({ it, base }) => it[key] / base[key]));
    return {
      ...one,
      cpu: ratio('cpu'),
      wall: ratio('wall'),
      ms: median(turns.map(({ it }) => it.cpu)),
    };
  });
}

/** How much each case exceeds another, `over`, in units of the baseline: the median difference of alternating runs. */
export function compareOver(cases, { runs = 20, baseline }) {
  return cases.map((one) => {
    const turns = Array.from({ length: runs }, () => ({
      base: once(baseline),
      over: once({ ...one.over, times: 3 }),
      it: once({ ...one, times: 3 }),
    }));
    const of = (choose) => median(turns.map(choose));
    const unit = (key) => of(({ base }) => base[key]);
    return {
      ...one,
      least: of(({ over }) => over.cpu) / unit('cpu'),
      cpu: of(({ it, over }) => it.cpu - over.cpu) / unit('cpu'),
      wall: of(({ it, over }) => it.wall - over.wall) / unit('wall'),
      ms: of(({ it, over }) => it.cpu - over.cpu),
    };
  });
}

/** The time of each case compared with `bare`. It may take so many `times` as long, plus so many milliseconds `more`. */
export function compareAllowing(cases, { runs = 20, times, more }) {
  return cases.map((one) => {
    const turns = Array.from({ length: runs }, () => ({ base: once(one.bare), it: once(one) }));
    const of = (choose) => median(turns.map(choose));
    const wall = of(({ base }) => base.wall);
    return {
      ...one,
      cpu: of(({ it }) => it.cpu) / of(({ base }) => base.cpu),
      wall: of(({ it }) => it.wall) / wall,
      limit: times + more / wall,
      ms: of(({ it, base }) => it.wall - base.wall),
    };
  });
}

export function table(rows, columns = ['', 'cpu', 'wall', 'at most', 'cpu ms']) {
  const lines = rows.map(({ name, least, cpu, wall, ms, limit }) => [
    name,
    ...(least === undefined ? [] : [least.toFixed(2)]),
    cpu.toFixed(2),
    wall.toFixed(2),
    limit === undefined ? '' : limit.toFixed(2),
    ms.toFixed(1),
  ]);
  const all = [columns, ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    )
    .join('\n');
}
