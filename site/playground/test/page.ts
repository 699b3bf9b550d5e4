/** The playground on a page of its own, in Debian's Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export const ROOT = join(import.meta.dirname, '../../..');
export const OUT = join(ROOT, 'site/public/playground');

export const PROGRAM = process.env.MCP_HOOKS_CHROMIUM ?? '/usr/bin/chromium';

const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' };

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Playground</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<div id="playground"></div><script type="module" src="/playground/index.js"></script></html>`;

export interface Site {
  /** A page that shows the playground; @param link What follows the address. */
  readonly open: (link?: string, width?: number) => Promise<Opened>;
  readonly close: () => Promise<void>;
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses that it asked for, and errors that it wrote to the console. */
  readonly asked: readonly string[];
  readonly errors: readonly string[];
}

export async function startSite(): Promise<Site> {
  const server = serve();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const site = `http://127.0.0.1:${address.port}/`;
  // Chromium writes into its home.
  const home = mkdtempSync(join(tmpdir(), 'playground-home-'));
  const browser: Browser = await chromium.launch({
    executablePath: PROGRAM,
    env: { HOME: home, PATH: '/usr/bin:/bin' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    open: async (link = '', width = 1280) => {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const page = await context.newPage();
      const asked: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.addInitScript(noteTimes);
      await page.goto(site + link);
      return { page, context, asked, errors };
    },
    close: async () => {
      await browser.close();
      server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const serve = (): Server =>
  createServer(({ url = '/' }, answer) => {
    const { pathname } = new URL(url, 'http://site');
    const file = join(OUT, pathname.replace(/^\/playground\//, ''));
    const text = pathname === '/' ? PAGE : existsSync(file) && readFileSync(file);
    const type = pathname === '/' ? 'text/html' : (TYPES[extname(file)] ?? 'text/plain');
    answer.writeHead(text ? 200 : 404, { 'content-type': type });
    answer.end(text || '');
  });

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
