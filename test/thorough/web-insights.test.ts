/** @module-tag thorough */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CHROMIUM, WHY_NOT, faultsOf, openBrowser } from '../support/browser.ts';
import { EVENING, EVENING_LINES, MONTH, aScene, type Scene } from '../support/scene.ts';
import { showScene } from '../support/scene-browser.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const [DESK, PHONE] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

describe.skipIf(CHROMIUM === undefined)(`insights, the line and the queue in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  interface Shown {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly complaints: readonly string[];
    readonly go: (path: string) => Promise<void>;
  }

  async function show(scene: Scene, how: Parameters<Browser['newContext']>[0] = {}): Promise<Shown> {
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: DESK, ...how });
    const { origin } = await showScene(context, scene, inject('andon'));
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const go = async (path: string): Promise<void> => {
      await page.goto(origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    };
    return { page, context, complaints, go };
  }

  const check = async ({ page, go }: Shown, path: string, of: string): Promise<void> => {
    await go(`/${path}`);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${of}.png`) });
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(wide, of).toBe(0);
    expect(await faultsOf(page), of).toEqual([]);
  };

  test('teaches on every page that has nothing to show yet', async () => {
    const shown = await show(aScene([]), { viewport: PHONE });
    for (const path of ['', 'tasks', 'queue', 'insights', 'rules', 'new']) {
      await check(shown, path, `${path === '' ? 'inbox' : path}-empty`);
      await shown.page.getByText('andon init', { exact: true }).waitFor();
    }
    expect(shown.complaints).toEqual([]);
    await shown.context.close();
  });

  test('says the numbers of every picture in words, of the chosen days and repository, and shows them as a table', async () => {
    const scene = aScene([...EVENING, ...MONTH], EVENING_LINES);
    const merged = scene.insights().days.reduce((sum, day) => sum + day.merged, 0);
    const { page, context, go, complaints } = await show(scene);
    await go('/insights');
    const spark = (name: RegExp) => page.getByRole('img', { name });
    await spark(new RegExp(`^Merged per day: ${merged} in 30 days, at most \\d+ on \\d{4}-`)).waitFor();
    await spark(/^Share merged at the first attempt per day: \d+ of \d+ in 30 days/).waitFor();
    await spark(/^Dollars per day: \$\d+\.\d\d in 30 days/).waitFor();
    await spark(/^Halts per day: \d+ in 30 days/).waitFor();
    const answered = MONTH.filter(({ wasHaltedBy }) => wasHaltedBy !== undefined).length; // each after a minute
    await page.getByText(`waited ${answered} min for you`).waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'insights-month-desk.png') });
    expect(await page.locator('.spark').first().locator('rect').count()).toBe(30);
    await page.getByText('Day by day, in numbers').click();
    const rows = page.getByRole('region', { name: 'every day' }).locator('tbody tr');
    const cells = await rows.locator('td:nth-child(2)').allInnerTexts();
    expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(merged);
    await page.getByRole('link', { name: '7 days' }).click();
    await spark(/^Merged per day: \d+ in 7 days/).waitFor();
    await page.getByRole('link', { name: 'docs-site' }).click();
    const docs = scene.insights().days.filter(({ repository }) => repository === 'docs-site');
    const since = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
    const halts = docs.filter(({ day }) => day >= since).flatMap((day) => day.halts);
    await spark(new RegExp(`^Halts per day: ${halts.reduce((sum, { count }) => sum + count, 0)} in 7 days`)).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('leads from a waiting contract to the task that blocks it, and from a chip on the line to its task', async () => {
    const { page, context, go, complaints } = await show(aScene(EVENING, EVENING_LINES));
    await go('/queue');
    await page.getByRole('link', { name: 'Sessions end (FIX-103)' }).click();
    await page.getByText('Reviewer and judge disagree: is this a security flaw?').waitFor();
    await go('/');
    const stations = await page.locator('.line .name').allInnerTexts();
    expect(stations).toEqual(['Writing', 'Gates', 'Local review', 'Judge', 'Floor manager', 'Merged in 24 h']);
    const writing = page.locator('.station', { hasText: 'Writing' });
    await writing.getByRole('link', { name: 'FIX-105, Refund ledger: Writing' }).click();
    await page.getByRole('heading', { level: 1, name: /Refund ledger/ }).waitFor();
    const step = page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');
    expect(await step.innerText()).toBe('Writing');
    await go('/task/shop-api/FIX-102');
    expect(await step.innerText()).toBe('Merged');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('draws a line in the queue from a contract to the one that waits for it, past those between them', async () => {
    const line = EVENING_LINES['shop-api'] ?? {};
    const [logout, night] = line.queue ?? [];
    if (logout === undefined || night === undefined) throw new Error('the evening has no queue');
    const after = { ...logout, waits_for: 'another task', tasks: ['FIX-106'] } as const;
    const report = { ...after, file: '_handoff/queue/FIX-109.json', task_id: 'FIX-109', title: 'Report of log-outs' };
    const queue = [logout, night, report];
    const lines = { ...EVENING_LINES, 'shop-api': { ...line, waiting: queue.map(({ file }) => file), queue } };
    const shown = await show(aScene(EVENING, lines));
    await check(shown, 'queue', 'queue-ties');
    const ties = (task: string) =>
      shown.page
        .locator(`[data-of="${task}"]`)
        .evaluate((row) => [...row.classList].filter((name) => name.startsWith('tie-')).join(' '));
    expect(await ties('FIX-106')).toBe('tie-below tie-end');
    expect(await ties('FIX-107')).toBe('tie-above tie-below');
    expect(await ties('FIX-109')).toBe('tie-above tie-end');
    expect(shown.complaints).toEqual([]);
    await shown.context.close();
  });
});
