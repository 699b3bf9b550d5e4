/** Debian's Chromium, and the site that it is shown. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const PROGRAM = process.env.MCP_HOOKS_CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is one. */
export const hasChromium = existsSync(PROGRAM);
if (!hasChromium)
  console.warn(
    `The tests in a browser are skipped: there is no ${PROGRAM}. Install Debian's chromium, or name another one in MCP_HOOKS_CHROMIUM.`,
  );

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses that the page asked for, and errors: its own, and those of what it asked for. */
  readonly asked: readonly string[];
  readonly errors: readonly string[];
}

export interface Shown {
  /** Where the site is, without a slash at its end. */
  readonly site: string;
  /** A page of a size, before it goes anywhere. */
  readonly open: (width: number, height: number) => Promise<Opened>;
  readonly close: () => Promise<void>;
}

/** @param answerTo The file for a path, as its name and contents; undefined: there is none. */
export async function startChromium(
  answerTo: (path: string) => readonly [name: string, contents: string | Buffer] | undefined,
): Promise<Shown> {
  const server = createServer(({ url = '/' }, answer) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname).slice(1);
    const [name = '', contents] = answerTo(path) ?? [];
    answer.writeHead(contents === undefined ? 404 : 200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    });
    answer.end(contents ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  // Chromium writes into its home.
  const home = mkdtempSync(join(tmpdir(), 'chromium-home-'));
  const browser = await chromium.launch({
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
    site: `http://127.0.0.1:${address.port}`,
    open: async (width, height) => {
      const context = await browser.newContext({ viewport: { width, height } });
      const page = await context.newPage();
      const asked: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('response', (response) => {
        if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
      });
      return { page, context, asked, errors };
    },
    close: async () => {
      await browser.close();
      server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
