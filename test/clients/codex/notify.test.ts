// Codex's `notify` line, which is not a hook: an install removes it with the hand-written hooks, and an uninstall restores
// it.
import { parse } from 'smol-toml';
import { describe, expect } from 'vitest';
import { test, type World } from '../../support/world.ts';

const CONFIG = '~/.codex/config.toml';
const INSTALL = 'install own.json --client codex --allow command,project-code --yes';

const run = async (world: World, line: string) => {
  const { code, out, err } = await world.run(line);
  expect(code, out + err).toBe(0);
  return out.replace(/\s+/g, ' ');
};

async function moved(world: World, text: string): Promise<string> {
  await world.folder('~/.codex');
  await world.write(CONFIG, text);
  await run(world, 'import --client codex --out own.json --force');
  return run(world, `${INSTALL} --replace-originals`);
}

const isThere = async (world: World) =>
  Object.hasOwn(parse((await world.read(CONFIG)).replace('\uFEFF', '')), 'notify');

const FILES = {
  'first line': 'notify = ["say", "done"]\nmodel = "gpt-5"\n',
  'only line': 'notify = ["say", "done"]\n',
  'only line, without a line break': 'notify = ["say", "done"]',
  'last line, without a line break': 'model = "gpt-5"\n\nnotify = ["say", "done"]',
  'line before a table, with comments around it':
    '# Mine.\nmodel = "gpt-5"\n# When a turn ends:\n  notify = ["say", "done"]  # aloud\n\n# Colours.\n[tui]\ntheme = "x"\n',
  'line between others that begin like it':
    'model = "gpt-5"\nnotify = ["say", "done"]\nnote = "n"\nnotify_x = 1\n',
  'line of a file with CRLF': 'model = "gpt-5"\r\nnotify = ["say", "done"]\r\n[tui]\r\n',
  'line after a byte order mark': '\uFEFFnotify = ["say", "done"]\nmodel = "gpt-5"\n',
  'array over several lines':
    'model = "gpt-5"\nnotify = [ # the program\n  "say", # and\n  # what it says\n  "done",\n]\n[tui]\n',
  'quoted key': '"notify" = [\'say\', """done"""]\n[tui]\n',
  'line above hooks, which are also taken out':
    'notify = ["say", "done"]\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say one"\n\n[tui]\n',
};

describe('an uninstall restores, to the byte,', () => {
  test.for(Object.entries(FILES))('a %s', async ([, text], { world }) => {
    expect(await moved(world, text)).toContain(
      'They are taken out, and an uninstall puts them back: ~/.codex/config.toml:',
    );
    expect(await isThere(world)).toBe(false);
    expect(await run(world, `${INSTALL} --replace-originals`)).toContain('Nothing to do');
    expect(await run(world, 'uninstall own --yes')).toContain('notify: ["say","done"]');
    expect(await world.read(CONFIG)).toBe(text);
  });
});

test('without the flag, the line stays, and the plan says that its program runs twice', async ({
  world,
}) => {
  const text = FILES['first line'];
  await world.folder('~/.codex');
  await world.write(CONFIG, text);
  expect(await run(world, 'import --client codex --out own.json')).not.toContain('delete');
  const out = await run(world, INSTALL);
  expect(out).toMatch(/so they run twice\..*config\.toml:1:1: notify: \["say","done"\]/);
  expect(await isThere(world)).toBe(true);
  await run(world, 'update own --replace-originals --yes');
  expect(await isThere(world)).toBe(false);
  await run(world, 'uninstall own --yes');
  expect(await world.read(CONFIG)).toBe(text);
});

test('in hooks.json, where Codex does not read it, the line is not imported and stays', async ({
  world,
}) => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'say one' }] }] };
  const text = JSON.stringify({ notify: ['say', 'done'], hooks });
  await world.write('~/.codex/hooks.json', text);
  await run(world, 'import --client codex --out own.json');
  const declared = JSON.parse(await world.read('own.json')).hooks.declarations;
  expect(declared).toHaveLength(1);
  expect(declared[0].command.join(' ')).toContain('say one');
  await run(world, `${INSTALL} --replace-originals`);
  const { notify } = JSON.parse(await world.read('~/.codex/hooks.json'));
  expect(notify).toEqual(['say', 'done']);
  await run(world, 'uninstall own --yes');
  expect(await world.read('~/.codex/hooks.json')).toBe(text);
});

describe('an uninstall restores the line beside what the user wrote in between', () => {
  const text = FILES['array over several lines'];
  const [, before = '', line = '', after = ''] =
    /^(.*?)(notify.*\]\n)(\[tui\].*)$/s.exec(text) ?? [];
  test.for([
    ['above it', 'a = 1\n', ''],
    ['below it', '', '[b]\nc = 1\n'],
    ['on both sides, as the last key without a table', 'a = 1\n', '[b]\nc = 1\n'],
  ] as const)('%s', async ([, above, below], { world }) => {
    await moved(world, text);
    const installed = await world.read(CONFIG);
    expect(installed.startsWith(before + after)).toBe(true);
    await world.write(CONFIG, above + installed + below);
    await run(world, 'uninstall own --yes');
    expect(await world.read(CONFIG)).toBe(above + before + line + after + below);
  });

  test('on both sides of a file with nothing but tables', async ({ world }) => {
    await moved(world, 'notify = ["say", "done"] # aloud\n[tui]\n');
    const installed = await world.read(CONFIG);
    await world.write(CONFIG, `# Mine.\n${installed}[b]\nc = 1\n`);
    await run(world, 'uninstall own --yes');
    const back = await world.read(CONFIG);
    expect(parse(back)).toEqual({ notify: ['say', 'done'], tui: {}, b: { c: 1 } });
    expect(back).toContain('# Mine.\n# aloud\n[tui]\n');
  });

  test('but not if the user wrote a new one', async ({ world }) => {
    await moved(world, text);
    const theirs = `notify = ["ring"]\n${await world.read(CONFIG)}`;
    await world.write(CONFIG, theirs);
    await run(world, 'uninstall own --yes');
    expect(await world.read(CONFIG)).toBe(`notify = ["ring"]\n${before + after}`);
  });

  test('and only the new one of two lines that were taken out', async ({ world }) => {
    await moved(world, text);
    await world.write(CONFIG, `notify = ["ring"]\n${await world.read(CONFIG)}`);
    await run(world, 'import --client codex --name other --out other.json');
    await run(world, INSTALL.replace('own', 'other').concat(' --replace-originals'));
    expect(await isThere(world)).toBe(false);
    await run(world, 'uninstall own --yes');
    expect(await isThere(world)).toBe(false);
    await run(world, 'uninstall other --yes');
    expect(parse(await world.read(CONFIG))).toEqual({
      notify: ['ring'],
      model: 'gpt-5',
      tui: {},
    });
  });
});
