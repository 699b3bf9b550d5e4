// What a reader sees: pages of the built site in Debian's Chromium, on a phone and on a desk. With UPDATE_SCREENSHOTS=1 it writes
// the pictures in docs/screenshots.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/list.ts';
import { DIST, fileFor, HTML } from './built.ts';
import { hasChromium, type Opened, type Shown, startChromium } from './chromium.ts';

const WIDTHS = [360, 1280];
const PAGES: readonly (readonly [string, string])[] = [
  ['', 'mcp-hooks'],
  ['how-it-works', 'How it works'],
  ['clients/codex', 'Codex CLI'],
  ['codes/gives-orders', 'gives-orders'],
  ['security/attacks', 'Attacks that were tried'],
];

const SCREENSHOTS = join(import.meta.dirname, '../../docs/screenshots');

let shown: Shown;
let opened: Opened;
let page: Page;

describe.skipIf(!hasChromium)('in Chromium', () => {
  beforeAll(async () => {
    shown = await startChromium((path) => {
      const name = fileFor(path);
      return name === undefined ? undefined : [name, readFileSync(join(DIST, name))];
    });
  });

  afterAll(async () => {
    await shown?.close();
  });

  /** Keys and clicks count from then on. */
  const hydrated = () =>
    page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));

  const open = async (width: number, path: string) => {
    opened = await shown.open(width, 800);
    page = opened.page;
    await page.goto(`${shown.site}/${path}`, { waitUntil: 'networkidle' });
    await hydrated();
  };

  afterEach(async () => {
    await opened.context.close();
    const { asked, errors } = opened;
    expect(errors).toEqual([]);
    const elsewhere = asked.filter(
      (url) => !url.startsWith(`${shown.site}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  const shows = () =>
    page.evaluate(() => ({
      heading: document.querySelector('h1')?.firstChild?.textContent?.trim(),
      wide: document.documentElement.scrollWidth,
      dark: document.documentElement.classList.contains('dark'),
      background: getComputedStyle(document.body).backgroundColor,
      scrolling: [...document.querySelectorAll('.vp-doc table')].filter(
        (table) => table.scrollWidth > table.clientWidth,
      ).length,
    }));

  async function picture(name: string, width: number): Promise<void> {
    if (!process.env.UPDATE_SCREENSHOTS) return;
    const chromium = await opened.context.newCDPSession(page);
    const quality = { format: 'webp', quality: 20 } as const;
    const { data } = await chromium.send('Page.captureScreenshot', quality);
    writeFileSync(join(SCREENSHOTS, `${name}-${width}.webp`), Buffer.from(data, 'base64'));
  }

  for (const width of WIDTHS)
    test.for(PAGES)(`/%s is readable at ${width} pixels`, async ([path, heading]) => {
      await open(width, path);
      expect(await shows()).toMatchObject({ heading, wide: width });
      await picture(path.replaceAll('/', '-') || 'start', width);
    });

  test.for(WIDTHS)('the playground has its first result at %i pixels', async (width) => {
    await open(width, 'playground');
    await page.locator('#playground[data-state="fired"]').waitFor();
    expect(await page.locator('.client').count()).toBe(CLIENTS.length);
    expect(await shows()).toMatchObject({ heading: 'Playground', wide: width });
    await picture('playground', width);
  });

  test('no page is wider than a phone', async () => {
    await open(360, '');
    const wide: string[] = [];
    for (const name of HTML) {
      await page.goto(`${shown.site}/${name}`);
      if ((await shows()).wide !== 360) wide.push(name);
    }
    expect(wide).toEqual([]);
    expect(HTML.length).toBeGreaterThan(100);
  });

  test('a wide table scrolls by itself', async () => {
    await open(360, 'clients/');
    expect(await shows()).toMatchObject({ wide: 360, scrolling: expect.any(Number) });
    expect((await shows()).scrolling).toBeGreaterThan(3);
  });

  test.for(WIDTHS)('the search finds a heading and leads to it at %i pixels', async (width) => {
    await open(width, '');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('A hook was skipped');
    const found = page.locator('.VPLocalSearchBox .result', { hasText: 'A hook was skipped' });
    await found.first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/troubleshooting#a-hook-was-skipped');
  });

  test.for(WIDTHS)('the reader switches to dark and back at %i pixels', async (width) => {
    await open(width, 'how-it-works');
    const light = await shows();
    // On a phone the switch is in the menu.
    const toggle = async (dark: boolean) => {
      if (width < 768) await page.locator('.VPNavBarHamburger').click();
      await page.locator('.VPSwitchAppearance:visible').first().click();
      await page.waitForFunction(
        (isDark) => document.documentElement.classList.contains('dark') === isDark,
        dark,
      );
    };
    await toggle(true);
    await page.reload({ waitUntil: 'networkidle' });
    await hydrated();
    const dark = await shows();
    await toggle(false);
    const back = await shows();
    expect([light.dark, dark.dark, back.dark]).toEqual([false, true, false]);
    expect(dark.background).not.toBe(light.background);
    expect(back.background).toBe(light.background);
  });
});
