/** How many lines of a long message to show. A declaration's error has a line for each mistake. */
const MOST = 12;

const FRAME = /^ {4,}at /;
const NAMED = /^(?:Uncaught )?[\w$.]*(?:Error|Exception|Interrupt|Exit)\b/;

/** The message of the last uncaught error on standard error, as Node and Python print it, without its stack. */
export function crashMessage(stderr: string): string[] {
  const lines = stderr.split(/\r?\n/);
  const message =
    inPython(lines) ?? inNode(lines) ?? lines.filter((line) => NAMED.test(line)).slice(-1);
  return message.slice(0, MOST);
}

function inNode(lines: readonly string[]): string[] | undefined {
  const thrown = lines.findLastIndex((line) => line.startsWith('(Use `node --trace-uncaught'));
  if (thrown > 0) return lines.slice(thrown - 1, thrown);
  const isStack = (line: string, at: number) =>
    FRAME.test(line) && messageAbove(lines.slice(0, at)).length > 0;
  const frame = lines.findLastIndex(isStack);
  return frame === -1 ? undefined : messageAbove(lines.slice(0, frame));
}

/**
 * The last lines, starting at the unindented line that names an error, otherwise all final unindented lines. Empty for a cause:
 * it is indented, and was not thrown itself.
 */
function messageAbove(lines: readonly string[]): string[] {
  const block = lines.slice(
    lines.findLastIndex((line) => line.trim() === '' || FRAME.test(line)) + 1,
  );
  const named = block.findLastIndex((line) => NAMED.test(line));
  if (named !== -1) return block.slice(named);
  return block.slice(block.findLastIndex((line) => !/^\S/.test(line)) + 1);
}

/** The lines after the last traceback, which is indented. */
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
