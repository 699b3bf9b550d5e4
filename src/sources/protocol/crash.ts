/** Lines of a message that has several. */
const MOST = 4;

const FRAME = /^ {4,}at /;
const NAMED = /^(?:Uncaught )?[\w$.]*(?:Error|Exception|Interrupt|Exit)\b/;

/** The last uncaught error in what a process wrote to standard error, as Node and Python print it, without its stack. */
export function crashMessage(stderr: string): string[] {
  const lines = stderr.split(/\r?\n/);
  const message =
    inPython(lines) ?? inNode(lines) ?? lines.filter((line) => NAMED.test(line)).slice(-1);
  return message.slice(0, MOST);
}

/** The lines right above a stack that begin at the margin: a cause is indented, and is not what was thrown. */
function inNode(lines: readonly string[]): string[] | undefined {
  const thrown = lines.findLastIndex((line) => line.startsWith('(Use `node --trace-uncaught'));
  if (thrown > 0) return lines.slice(thrown - 1, thrown);
  const frame = lines.findLastIndex(
    (line, at) => FRAME.test(line) && /^\S/.test(lines[at - 1] ?? ''),
  );
  if (frame === -1) return undefined;
  const start = lines.slice(0, frame).findLastIndex((line) => !/^\S/.test(line)) + 1;
  const block = lines.slice(start, frame);
  const named = block.findLastIndex((line) => NAMED.test(line));
  return block.slice(Math.max(0, named));
}

/** What follows the last traceback, whose lines are indented. */
function inPython(lines: readonly string[]): string[] | undefined {
  const traceback = lines.findLastIndex((line) =>
    line.startsWith('Traceback (most recent call last)'),
  );
  if (traceback === -1) return undefined;
  const rest = lines.slice(traceback + 1);
  const start = rest.findIndex((line) => /^\S/.test(line));
  if (start === -1) return undefined;
  const end = rest.findIndex((line, at) => at > start && line.trim() === '');
  return rest.slice(start, end === -1 ? undefined : end);
}
