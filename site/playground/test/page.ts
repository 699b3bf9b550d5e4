/** The playground on a page of its own, in Debian's Chromium. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Opened, startChromium } from '../../test/chromium.ts';

export const ROOT = join(import.meta.dirname, '../../..');
export const OUT = join(ROOT, 'site/public/playground');

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Playground</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<div id="playground"></div><script type="module" src="/playground/index.js"></script></html>`;

export interface Site {
  /** A page that shows the playground; @param link What follows the address. */
  readonly open: (link?: string, width?: number) => Promise<Opened>;
  readonly close: () => Promise<void>;
}

export async function startSite(): Promise<Site> {
  const { site, open, close } = await startChromium((path) => {
    if (path === '') return ['index.html', PAGE];
    const file = join(OUT, path.replace(/^playground\//, ''));
    return existsSync(file) ? [file, readFileSync(file)] : undefined;
  });
  return {
    open: async (link = '', width = 1280) => {
      const opened = await open(width, 900);
      await opened.page.addInitScript(noteTimes);
      await opened.page.goto(`${site}/${link}`);
      return opened;
    },
    close,
  };
}

/** Keeps the milliseconds after which each state of the playground began. */
function noteTimes(): void {
  const times: Record<string, number> = {};
  Reflect.set(window, 'times', times);
  const look = () => {
    const { state } = document.getElementById('playground')?.dataset ?? {};
    if (state !== undefined) times[state] ??= Math.round(performance.now());
  };
  new MutationObserver(look).observe(document, {
    attributes: true,
    childList: true,
    subtree: true,
  });
}

/** Waits until what is shown belongs to what was typed. */
export const settled = (page: Page, state = 'fired') =>
  page.locator(`#playground[data-state="${state}"]`).waitFor({ timeout: 60_000 });

/** The JSON that a command has printed, from the part of the page that shows it. */
export async function jsonOf(page: Page, command: string): Promise<string> {
  const part = page.locator('details', {
    has: page.locator('summary', { hasText: `mcp-hooks ${command} ` }),
  });
  return (await part.locator('pre').textContent()) ?? '';
}
