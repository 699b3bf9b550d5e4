// The playground in a real browser: it shows what the command line prints, without a server, and nothing that it is given can
// harm its reader.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CLIENTS } from '../../../src/clients/registry.ts';
import { hasChromium, type Opened } from '../../test/chromium.ts';
import { jsonOf, OUT, ROOT, type Site, settled, startSite } from './page.ts';

/** A declaration, and what happens. */
interface Trial {
  readonly of: string;
  readonly text: string;
  readonly event: string;
  readonly flags?: readonly string[];
}

const file = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The hooks of the catalogue for a server, as a manifest. */
const fromCatalogue = (name: string): string => {
  const { hooks }: { hooks: object } = JSON.parse(file(`catalogue/${name}.json`));
  return JSON.stringify({ version: 2, name, hooks }, null, 2);
};

const PUSH = '{"command":"git push --force origin main"}';

const TRIALS: readonly Trial[] = [
  {
    of: 'examples/commit-reminder.json',
    text: file('examples/commit-reminder.json'),
    event: 'post_tool_use',
    flags: ['--tool', 'Bash', '--input', '{"command":"git commit -m x"}'],
  },
  {
    of: 'the same, another call',
    text: file('examples/commit-reminder.json'),
    event: 'post_tool_use',
    flags: ['--tool', 'Read'],
  },
  { of: 'examples/annal.json', text: file('examples/annal.json'), event: 'session_end' },
  {
    of: 'examples/annal.json, its tool',
    text: file('examples/annal.json'),
    event: 'post_tool_use',
    flags: ['--times', '2'],
  },
  { of: 'examples/memory.json', text: file('examples/memory.json'), event: 'post_tool_use' },
  {
    of: 'fixtures/declarations/valid/guard.json',
    text: file('fixtures/declarations/valid/guard.json'),
    event: 'pre_tool_use',
    flags: ['--allow', 'block', '--tool', 'Bash', '--input', PUSH],
  },
  {
    of: 'the same, failing calls',
    text: file('fixtures/declarations/valid/guard.json'),
    event: 'post_tool_use',
    flags: ['--tool', 'Bash', '--failed', '--times', '3'],
  },
  { of: 'examples/notify.json', text: file('examples/notify.json'), event: 'notification' },
  {
    of: 'every event',
    text: file('fixtures/declarations/valid/every-event.json'),
    event: 'pre_request',
    flags: ['--allow', 'required', '--prompt', 'What is this?'],
  },
  {
    of: 'with comments',
    text: file('fixtures/declarations/valid/comments.jsonc'),
    event: 'session_start',
  },
  {
    of: 'catalogue/github.json',
    text: fromCatalogue('github'),
    event: 'post_tool_use',
    flags: ['--tool', 'Bash', '--input', '{"command":"git push"}'],
  },
  { of: 'catalogue/serena.json', text: fromCatalogue('serena'), event: 'session_start' },
  {
    of: 'hidden characters',
    text: JSON.stringify({
      name: 'x',
      hooks: {
        declarations: [
          { event: 'session_start', context: 'a\u202eb\u200bc \u0007 <b>', priority: 'important' },
        ],
      },
    }),
    event: 'session_start',
  },
  {
    of: 'a server and a program that are missing',
    text: JSON.stringify({
      ...{ version: 2, name: 'x', server: { command: 'no-such-server' } },
      hooks: {
        declarations: [
          { event: 'session_start', context_tool: 'look' },
          { event: 'session_start', command: ['no-such-program'] },
        ],
      },
    }),
    event: 'session_start',
    flags: ['--allow', 'context-tool,command'],
  },
  { of: 'a mistake', text: file('fixtures/declarations/invalid/unknown-words.json'), event: '' },
  { of: 'a pattern that no linear engine takes', text: guardOf('^[0-9a-f]{40}$'), event: '' },
];

function guardOf(pattern: string): string {
  const hook = { event: 'pre_tool_use', matcher: { input_matches: pattern }, block: 'No.' };
  return JSON.stringify({ version: 2, name: 'guard', hooks: { declarations: [hook] } });
}

const FILE = 'my-server.json';
const ALL = CLIENTS.map(({ id }) => id).join(',');

/** The real command line, in a scratch home. */
function commandLine(text: string, argv: readonly string[]): string {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'playground-')));
  const home = join(scratch, 'you');
  try {
    mkdirSync(join(home, 'shop'), { recursive: true });
    writeFileSync(join(home, 'shop', FILE), text);
    const { stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'dist/cli.cjs'), ...argv, '--json'],
      {
        cwd: join(home, 'shop'),
        env: { HOME: home, PATH: '/usr/bin:/bin', TMPDIR: scratch },
        encoding: 'utf8',
      },
    );
    return comparable(stdout.replaceAll(home, '/home/you').replaceAll(`${scratch}/`, '/tmp/'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Without what differs from run to run. */
const comparable = (json: string): string =>
  json
    .replace(/\/tmp\/mcp-hooks-home-\w{6}/g, '<scratch home>')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<session>')
    .replace(/"milliseconds": \d+/g, '"milliseconds": 0');

const flagOf = (flags: readonly string[], name: string): string | undefined =>
  flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined;

/** Types a trial into the page, as a reader would. */
async function enter(page: Page, { text, event, flags = [] }: Trial): Promise<void> {
  await page.getByLabel('Declaration').fill(text);
  await settled(page);
  await page.getByLabel('Event').selectOption(event);
  const fields = {
    '--tool': 'Tool',
    '--input': 'Its input, as JSON',
    '--prompt': 'Prompt',
    '--times': 'How many times, in one session',
  };
  for (const [flag, label] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    if (await field.isVisible())
      await field.fill(flagOf(flags, flag) ?? (flag === '--times' ? '1' : ''));
  }
  const failed = page.getByLabel('The call has failed');
  if (await failed.isVisible()) await failed.setChecked(flags.includes('--failed'));
  const allow = flagOf(flags, '--allow')?.split(',') ?? [];
  for (const box of await page
    .getByRole('group', { name: 'You allow' })
    .getByRole('checkbox')
    .all())
    await box.setChecked(
      allow.includes((await box.evaluate((one) => one.nextSibling?.textContent)) ?? ''),
    );
  await settled(page);
}

const statusOf = (page: Page) => page.locator('.status[role="status"]').textContent();

const linkOf = (question: object): string =>
  `#try=${deflateRawSync(JSON.stringify(question)).toString('base64url')}`;

test('it is less than 500 kB, compressed', () => {
  const sizes = ['index.js', 'worker.js', 'style.css'].map(
    (name) => gzipSync(readFileSync(join(OUT, name)), { level: 9 }).length,
  );
  const all = sizes.reduce((sum, one) => sum + one, 0);
  console.log(`The playground has ${all} bytes, compressed.`);
  expect(all).toBeLessThan(500_000);
});

describe.skipIf(!hasChromium)('in Chromium', () => {
  let site: Site;
  let opened: Opened;
  const open = async (link?: string, width?: number) => {
    opened = await site.open(link, width);
    return opened.page;
  };
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(async () => {
    await site?.close();
  });
  afterEach(async () => {
    await opened.context.close();
    expect(opened.errors).toEqual([]);
    const own =
      /^http:\/\/127\.0\.0\.1:\d+\/(?:playground\/(?:index\.js|worker\.js|style\.css))?$|^data:,$/;
    expect(opened.asked.filter((url) => !own.test(url.replace(/#.*/, '')))).toEqual([]);
  });

  test('the first result is there without a key or a click', async () => {
    const page = await open();
    await settled(page);
    const times = await page.evaluate(() => Reflect.get(window, 'times'));
    console.log('Milliseconds after the page was asked for:', times);
    expect(await page.locator('.client').count()).toBe(CLIENTS.length);
    expect(await statusOf(page)).toBe(`1 hook for ${CLIENTS.length} clients.`);
  });

  test.for(TRIALS.map((one) => [one.of, one] as const))(
    'the same as the command line: %s',
    async ([, trial]) => {
      const { text, event, flags = [] } = trial;
      const page = await open();
      await settled(page);
      await enter(page, trial);
      const allow = flags.includes('--allow') ? ['--allow', flagOf(flags, '--allow') ?? ''] : [];
      expect(comparable(await jsonOf(page, 'validate'))).toBe(
        commandLine(text, ['validate', FILE]),
      );
      const diff = comparable(await jsonOf(page, 'diff'));
      expect(diff).toBe(commandLine(text, ['diff', FILE, '--client', ALL, ...allow]));
      if (event === '') {
        expect(diff).toContain('"error"');
        return;
      }
      const fired = comparable(await jsonOf(page, 'fire'));
      expect(fired).toBe(
        commandLine(text, ['fire', `./${FILE}`, event, '--client', ALL, ...flags]),
      );
    },
  );

  const COMMIT: Trial = {
    of: 'a commit',
    text: file('examples/commit-reminder.json'),
    event: 'post_tool_use',
    flags: ['--tool', 'Bash', '--input', '{"command":"git commit -m x"}', '--allow', 'block'],
  };

  test('a link holds all of it, and sends nothing anywhere', async () => {
    const page = await open();
    await settled(page);
    await enter(page, COMMIT);
    const results = comparable(await jsonOf(page, 'fire'));
    await page.getByRole('button', { name: 'Copy a link to this' }).click();
    await page.waitForURL(/#try=/);
    const link = new URL(page.url()).hash;
    await opened.context.close();

    const other = await open(link);
    await settled(other);
    expect(await other.getByLabel('Declaration').inputValue()).toBe(COMMIT.text);
    expect(await other.getByLabel('Tool', { exact: true }).inputValue()).toBe('Bash');
    expect(await other.getByRole('checkbox', { name: 'block' }).isChecked()).toBe(true);
    expect(comparable(await jsonOf(other, 'fire'))).toBe(results);
    expect(opened.asked.join(' ')).not.toContain('try=');
  });

  test('all of it can be done with the keyboard', async () => {
    const page = await open();
    await settled(page);
    const { keyboard } = page;
    /** What has the focus: its label, or its own text. */
    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement;
        const label = one instanceof HTMLElement && 'labels' in one ? one.labels : undefined;
        const [first] = label instanceof NodeList ? label : [];
        return (first ?? one)?.textContent ?? '';
      });
    const order: string[] = [];
    const tabTo = async (name: string) => {
      for (let left = 80; left > 0; left -= 1) {
        await keyboard.press('Tab');
        const now = await focused();
        if (order.at(-1) !== now) order.push(now);
        if (now.startsWith(name)) return;
      }
      throw new Error(`no ${name} among ${order.join(', ')}`);
    };
    await tabTo('Start from');
    await keyboard.type('notify');
    await settled(page);
    expect(await page.getByLabel('Declaration').inputValue()).toBe(file('examples/notify.json'));
    await tabTo('Declaration');
    await keyboard.press('Control+a');
    await keyboard.insertText(guardOf('rm -rf'));
    await settled(page);
    await tabTo('Tool');
    await keyboard.type('Bash');
    await tabTo('Its input');
    await keyboard.type('{"command":"rm -rf x"}');
    await tabTo('block');
    await keyboard.press('Space');
    await settled(page);
    expect(await statusOf(page)).toBe(`1 hook for ${CLIENTS.length} clients.`);
    await tabTo('Copy a link');
    await keyboard.press('Enter');
    await page.waitForURL(/#try=/);
    await tabTo('As JSON: mcp-hooks validate');
    await tabTo('Written to');
    const entry = page.locator('.client details').first();
    expect(await entry.getAttribute('open')).toBeNull();
    await keyboard.press('Enter');
    expect(await entry.getAttribute('open')).toBe('');
    // What scrolls has the focus, too.
    await keyboard.press('Tab');
    expect(await focused()).toContain('+++');
    expect(order.slice(0, 2)).toEqual(['Start from', 'Declaration']);
    const named = await page.evaluate(() =>
      [...document.querySelectorAll('input, select, textarea')].filter(
        (one) => (one as HTMLInputElement).labels?.length !== 1,
      ),
    );
    expect(named).toEqual([]);
  });

  test('its worker ends when the page takes the playground away', async () => {
    const page = await open();
    await settled(page);
    expect(page.workers().length).toBe(1);
    const closed = page.workers()[0]?.waitForEvent('close');
    await page.evaluate(() => document.getElementById('playground')?.remove());
    await closed;
    expect(page.workers()).toEqual([]);
  });

  test('no server is asked, whatever a declaration names', async () => {
    const hook = { event: 'session_start', context_tool: 'look' };
    for (const url of ['https://annal.example/mcp', 'http://127.0.0.1:1/mcp']) {
      const declared = { version: 2, name: 'x', server: { url }, hooks: { declarations: [hook] } };
      const question = { text: JSON.stringify(declared), allow: ['context-tool'] };
      const page = await open(linkOf(question));
      await settled(page);
      expect(await page.locator('.read').first().textContent()).toContain('ENOTFOUND');
      expect(opened.asked.filter((one) => one.includes('mcp'))).toEqual([]);
      if (url.startsWith('https')) await opened.context.close();
    }
  });

  test('a pattern that would never end is stopped, and the next declaration is tried', async () => {
    const text = guardOf('^(a+)+$');
    const input = JSON.stringify({ command: `${'a'.repeat(60)}!` });
    const page = await open(linkOf({ text, tool: 'Bash', input, allow: ['block'] }));
    await settled(page, 'stopped');
    expect(await statusOf(page)).toMatch(/^Stopped after 5 seconds\. /);
    // What was known before stays.
    expect(await jsonOf(page, 'diff')).toContain('"block"');
    expect(await page.locator('details', { hasText: 'mcp-hooks fire ' }).count()).toBe(0);
    await page.getByLabel('Declaration').fill(guardOf('a!'));
    await settled(page);
    expect(await page.locator('.read').first().textContent()).toContain('Blocked.');
  });

  const MARKUP = '<img src=x onerror="window.isHarmed=true"><script>window.isHarmed=true</script>';

  test.for([
    ['in a mistake', MARKUP, MARKUP, '"name"'],
    ['in a text', 'x', 'post_tool_use', '\\u{202E}abc\\u{200B}\\u001b[2J'],
  ] as const)('a hostile link shows its text %s, and runs none of it', async (given) => {
    const [, name, event, shown] = given;
    const context = `${MARKUP} \u202eabc\u200b\u001b[2J`;
    const hook = { event: 'post_tool_use', context, priority: 'suggestion' };
    const text = JSON.stringify({ name, hooks: { declarations: [hook] } });
    const page = await open(linkOf({ text, event, tool: MARKUP, prompt: MARKUP, allow: [MARKUP] }));
    await settled(page);
    const all = (await page.locator('.results').textContent()) ?? '';
    expect(all).toContain('<img src=x');
    expect(all).toContain(shown);
    expect(all).not.toMatch(/[\u202e\u200b\u001b]/);
    expect(await page.locator('#playground :is(img, script, iframe)').count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(window, 'isHarmed'))).toBeUndefined();
  });

  test('characters of a declaration that nobody sees are shown', async () => {
    const page = await open(linkOf({ text: '{\n  "name": "a\u202eb"\n}' }));
    await settled(page);
    expect(await page.locator('.checked').textContent()).toContain(
      'Line 2 has characters that nobody sees:  "name": "a\\u{202E}b"',
    );
  });

  test.for([
    ['no base64', '#try=%00', 'The link is damaged'],
    ['no declaration', linkOf({ text: 1 }), 'The link is damaged'],
    ['times without end', linkOf({ text: '', times: 1e9 }), 'The link is damaged'],
    ['too many characters', `#try=${'A'.repeat(70_000)}`, 'The link is too long'],
    ['few that become many', linkOf({ text: ' '.repeat(20_000_000) }), 'The link is too long'],
  ])('nothing is taken from a link with %s', async ([, link, said]) => {
    const page = await open(link);
    await settled(page);
    expect(await page.locator('.typed [role="status"]').textContent()).toContain(said);
    expect(await page.getByLabel('Declaration').inputValue()).toBe(
      file('examples/commit-reminder.json'),
    );
  });

  test.for([360, 1280])('it fits %i pixels', async (width) => {
    const page = await open('', width);
    await settled(page);
    await page
      .locator('.client details')
      .first()
      .evaluate((one) => one.setAttribute('open', ''));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});
