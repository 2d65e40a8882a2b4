import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of the distribution; undefined where there is none, and then tests that need one do not run and say so. */
export const CHROMIUM: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** What such a test is called where there is no browser. */
export const WHY_NOT = CHROMIUM === undefined ? ' (not run: no chromium on this machine)' : '';

/** One browser for all tests of a file. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
