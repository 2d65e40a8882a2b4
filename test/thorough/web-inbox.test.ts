/** @module-tag thorough */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { CHROMIUM, WHY_NOT, openBrowser, faultsOf, zoneAtHour } from '../support/browser.ts';
import {
  EVENING,
  EVENING_LINES,
  MONTH,
  SCENE_HALTS,
  aScene,
  type Scene,
  type SceneHalt,
  type SceneTask,
} from '../support/scene.ts';
import { countInWindow, showScene } from '../support/scene-browser.ts';
import { BREAKERS } from '../../src/line/record/trip.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const [DESK, PHONE] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const halts = (count: number, halt: SceneHalt): readonly SceneTask[] =>
  Array.from({ length: count }, (_, at) => ({
    repository: 'shop-api',
    id: `FIX-${at}`,
    title: `Change number ${at}`,
    requirements: ['It is changed'],
    age: at + 1,
    halt,
  }));
const needRows = '.row.needs_you > a';

describe.skipIf(CHROMIUM === undefined)(`the inbox in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  interface Shown {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly answers: readonly string[];
    readonly complaints: readonly string[];
    readonly go: (path: string) => Promise<void>;
  }

  async function show(scene: Scene, how: Parameters<Browser['newContext']>[0] = {}): Promise<Shown> {
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: DESK, ...how });
    onTestFinished(() => context.close());
    const { origin, answers } = await showScene(context, scene, inject('andon'));
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const go = async (path: string): Promise<void> => {
      await page.goto(origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    };
    await go('/');
    return { page, context, answers, complaints, go };
  }

  const shot = async (page: Page, name: string): Promise<void> => {
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
  };

  test('shows at least 14 needs on a desk and 8 on a phone, each a row of 44 or 64 px that is a link as a whole', async () => {
    const scene = aScene(halts(40, SCENE_HALTS.paradox));
    const { page, complaints } = await show(scene);
    expect(await countInWindow(page, needRows)).toBeGreaterThanOrEqual(14);
    expect((await page.locator(needRows).first().boundingBox())?.height).toBe(44);
    await page.setViewportSize(PHONE);
    expect(await countInWindow(page, needRows)).toBeGreaterThanOrEqual(8);
    expect((await page.locator(needRows).first().boundingBox())?.height).toBe(64);
    expect(await page.locator('.list button').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('leads with titles and phrases: no machine name of a state or a breaker is on it', async () => {
    const { page, go } = await show(aScene(EVENING, EVENING_LINES));
    const list = await page.locator('.list').innerText();
    for (const words of [
      'Sessions end',
      'Reviewer and judge disagree',
      'The base is already red',
      'Blocked by FIX-103',
      'Starts at',
    ])
      expect(list).toContain(words);
    expect(list).not.toMatch(/_[a-z]+ |\d\d\d\d-\d\d-\d\dT/);
    await go('/halt/shop-api/FIX-103');
    expect(
      await page
        .locator('main')
        .innerText()
        .then((text) => text.match(/[a-z]+_[a-z]+/g)),
    ).toBeNull();
  });

  test('puts both paths of every breaker on the first screen of a phone, and marks at most one of them', async () => {
    const tasks = BREAKERS.map((breaker): SceneTask => ({
      ...(EVENING[1] as SceneTask),
      id: breaker.toUpperCase().replaceAll('_', '-'),
      halt: (SCENE_HALTS as Partial<Record<string, SceneHalt>>)[breaker] ?? {
        breaker,
        trip: { sides: [{ who: 'judge', says: 'Not like this. '.repeat(60) }] },
      },
    }));
    const { page, go, complaints } = await show(aScene(tasks), { viewport: PHONE });
    const withoutSendBack: string[] = [];
    const withoutButton: string[] = [];
    for (const { id } of tasks) {
      await go(`/halt/shop-api/${id}`);
      await page.locator('#path-2').waitFor();
      expect(await countInWindow(page, '#path-1, #path-2'), id).toBe(2);
      expect(await countInWindow(page, '.halt h1, .halt .ask'), id).toBe(2);
      expect(await page.locator('.choices .main').count(), id).toBe(id === 'CORD' ? 0 : 1);
      expect(await page.locator('.crumb').innerText(), id).not.toContain(id.toLowerCase().replaceAll('-', '_'));
      const bar = await page.locator('.decide').boundingBox();
      expect(bar?.height, id).toBeLessThanOrEqual(160); // the change needs the screen
      if ((await page.locator('#change').count()) === 0) continue;
      await page.locator('pre.diff').first().waitFor();
      if ((await page.getByText('Send it back with comments').count()) === 0) withoutSendBack.push(id);
      if ((await page.getByRole('button', { name: /^Comment on line/ }).count()) === 0) withoutButton.push(id);
    }
    // A comment is written only where it can be sent.
    expect(withoutSendBack.toSorted()).toEqual(['CONTRACT-TAMPERED']);
    expect(withoutButton).toEqual(withoutSendBack);
    expect(complaints).toEqual([]);
  });

  test('is moved through and answered by keys alone, and the next halt follows at once', async () => {
    const { page, answers, complaints } = await show(aScene(EVENING, EVENING_LINES));
    await expect.poll(() => page.evaluate('document.activeElement.closest(".row")?.dataset.key')).toMatch(/DOC-4/);
    for (let rows = 0; rows < 4; rows += 1) await page.keyboard.press('j');
    await page.getByText('Reviewer and judge disagree: is this a security flaw?').waitFor();
    await page.getByText(/^Suggested: side with the reviewer: fix it, because a flaw that is merged/).waitFor();
    await page.locator('.file').first().waitFor();
    await page.keyboard.press('d');
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-expanded")')).toBe('true');
    await page.keyboard.press('c');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('whole-comment');
    await page.keyboard.press('c'); // it is text now
    expect(await page.locator('#whole-comment').inputValue()).toBe('c');
    await page.locator('#whole-comment').fill('');
    await page.keyboard.press('Escape'); // leaves the field: the next one leads back
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('');
    await page.keyboard.press('1');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Back');
    await expect
      .poll(() => page.getByRole('button', { name: 'Confirm: side with the reviewer: fix it' }).isEnabled())
      .toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Answered. FIX-103 goes on.').waitFor();
    expect(answers).toEqual(['FIX-103-1 {"path":1}']);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Next: /);
    await page.keyboard.press('Enter');
    await page.locator('.preview h2', { hasText: 'Proposed tasks' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('refund');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('cuts no title and no cause on a phone: a second line shows the rest', async () => {
    const { page, go } = await show(aScene(EVENING, EVENING_LINES), { viewport: PHONE });
    for (const path of ['/', '/tasks', '/queue']) {
      await go(path);
      const cut = await page.locator('.list :is(.title, .phrase), .why').evaluateAll((all) => ({
        all: all.length,
        cut: all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      }));
      expect(cut, path).toEqual({ all: expect.any(Number) as number, cut: [] });
      expect(cut.all, path).toBeGreaterThan(0);
    }
  });

  test('begins what a gate printed with its first failure', async () => {
    const { page, go } = await show(aScene(EVENING), { viewport: PHONE });
    await go('/halt/billing-worker/BILL-7');
    const printed = await page.locator('.side pre').first().innerText();
    expect(printed.split('\n').map((line) => line.trim())).toEqual([
      'not ok 2 - numbers are padded',
      "error: 'Expected values to be strictly equal'",
      "expected: 'INV-00007'",
      "actual: 'INV-7'",
    ]);
  });

  test('takes a path that asks for the id by holding a button too, where the screen is touched', async () => {
    const { page, answers, go } = await show(aScene(EVENING), { viewport: PHONE, hasTouch: true });
    await go('/halt/shop-api/FIX-103');
    await page.locator('#path-2').tap();
    const button = page.getByRole('button', { name: 'Hold to confirm' });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await button.hover();
    await page.mouse.down();
    await page.waitForTimeout(300); // a tap that is too short
    await page.mouse.up();
    await page.waitForTimeout(1300);
    expect(answers).toEqual([]);
    await shot(page, 'hold-phone');
    await page.mouse.down();
    await page.getByText('Answered. FIX-103 goes on.').waitFor();
    expect(answers).toEqual(['FIX-103-1 {"path":2,"confirm":"FIX-103"}']);
  });

  test('answers forty halts of one cause in three taps, each by itself in the journal', async () => {
    const scene = aScene([...halts(40, SCENE_HALTS.base_red), ...EVENING.slice(1)], EVENING_LINES);
    const { page, answers, complaints } = await show(scene, { viewport: PHONE });
    await page.getByText('40 tasks: The base is already red').click();
    await page.getByRole('button', { name: 'Answer all 40: Compare it test by test' }).click();
    await shot(page, 'group-phone');
    await page.getByRole('button', { name: 'Confirm 40 answers' }).click();
    await page.getByText('Answered 40 of 40.').waitFor();
    expect(new Set(answers).size).toBe(40);
    expect(answers.every((one) => one.endsWith('{"path":2}'))).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('offers sums that carry the next call, and takes none that does not', async () => {
    const { page, answers, go } = await show(aScene(EVENING), { viewport: PHONE });
    await go('/halt/docs-site/DOC-4');
    await page.getByText('The task has used $0.44 of its $0.30. Give it more?').waitFor();
    await page.locator('#path-1').click();
    await page.getByText('Allows $0.99 for the whole task, $0.55 more than is used.').waitFor();
    await page.getByLabel('Another sum in dollars').fill('0.50');
    await page.getByText('It leaves $0.06, and the next call takes about $0.22.').waitFor();
    expect(await page.getByRole('button', { name: /^Confirm: / }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /one more round/ }).click();
    await shot(page, 'budget-phone');
    await page.getByRole('button', { name: /^Confirm: / }).click();
    await page.getByText('Answered. DOC-4 goes on.').waitFor();
    expect(answers).toEqual(['DOC-4-1 {"path":1,"budget_usd":0.99}']);
  });

  test('offers the comments that are written first, and shows a refusal beside its button', async () => {
    const { page, go } = await show(aScene(EVENING), { viewport: PHONE, hasTouch: true });
    await go('/halt/shop-api/FIX-103');
    expect(await page.locator('#path-1 kbd').isVisible()).toBe(false);
    const line = page.locator('pre.diff > span.a').first();
    await line.tap();
    await line.getByRole('button').tap();
    await page.getByLabel(/^Your comment on line/).fill('Use a clock that only goes forward');
    await page.getByRole('button', { name: 'Add comment' }).tap();
    const bar = page.locator('.decide');
    await expect.poll(() => bar.locator('.main').allInnerTexts()).toEqual(['Send back with 1 comment']);
    await shot(page, 'comment-first-phone');
    await bar.locator('#path-1').tap();
    await page.getByText('Your comment is not sent with a path.').waitFor();
    await bar.getByRole('button', { name: 'Send back with 1 comment' }).tap();
    await bar.getByText('Use a clock that only goes forward').waitFor();
    await bar.getByRole('button', { name: 'Confirm: send back with 1 comment' }).tap(); // this board takes none
    await expect.poll(() => countInWindow(page, '.decide .bad')).toBe(1);
    await bar.getByRole('button', { name: 'Back', exact: true }).tap();
    const below = page.locator('.path');
    await below.getByRole('button', { name: 'Send back with 1 comment' }).tap();
    expect(await page.locator('main .main:visible').count()).toBe(1);
    await below.getByRole('button', { name: 'Confirm: send back with 1 comment' }).tap();
    await expect.poll(() => countInWindow(page, '.path .bad')).toBe(1);
  });

  test('shows on a phone the undo and the change of a merged task first, and which stations were skipped', async () => {
    const { page, go } = await show(aScene(EVENING), { viewport: PHONE });
    await go('/task/shop-api/FIX-102');
    const steps = page.getByRole('list', { name: 'Steps' });
    expect((await steps.boundingBox())?.height).toBeLessThan(64);
    const names = await steps.locator('.station').allInnerTexts();
    expect(names).toEqual([
      'Writing',
      'Gates skipped',
      'Local review skipped',
      'Judge',
      'Floor manager skipped',
      'Merged',
    ]);
    expect((await page.getByRole('button', { name: 'Undo this merge' }).boundingBox())?.y).toBeLessThan(400);
    expect(await countInWindow(page, '#change')).toBe(1);
    await shot(page, 'merged-phone');
    await page.getByText('Time and cost').click();
    const labels = await page
      .locator('.picture text.tick:visible')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
    expect(labels.length).toBeGreaterThan(1);
    for (const [at, { left }] of labels.entries()) expect(left).toBeGreaterThan(labels[at - 1]?.right ?? 0);
  });

  test('is usable with 200 tasks: nothing lies beside its lane, and any task is found by a few letters', async () => {
    const many = Array.from({ length: 160 }, (_, at): SceneTask => {
      const end = at % 2 === 0 ? { ends: 'merged' as const } : {};
      return { repository: 'shop-api', id: `T-${at}`, title: `Task ${at}`, requirements: ['Done'], age: at, ...end };
    });
    const { page, go } = await show(aScene([...halts(40, SCENE_HALTS.base_red), ...many]));
    const height = await page.evaluate<number>('document.querySelector(".list").scrollHeight');
    expect(height).toBeLessThan(6000);
    await go('/tasks');
    const began = Date.now();
    await page.getByRole('searchbox').fill('T-118');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(Date.now() - began).toBeLessThan(5000);
  });

  test('finds the tasks that the board lists no more, and says so when there is none', async () => {
    const monthBefore = MONTH.map((one) => ({ ...one, id: `${one.id}-B`, title: `Again ${one.id}` }));
    const { page, go } = await show(aScene([...EVENING, ...MONTH, ...monthBefore]), { viewport: PHONE });
    await go('/tasks');
    await page.getByRole('heading', { name: /^Older \d+$/ }).waitFor();
    await page.getByText(/^(\d+) of \1 tasks$/).waitFor(); // the older ones are counted too
    const listed = await page.locator('.list .row').count();
    await page.getByRole('button', { name: /^\d+ more$/ }).click();
    await expect.poll(() => page.locator('.list .row').count()).toBeGreaterThan(listed);
    await page.getByRole('searchbox').fill('part 60');
    const older = page.locator('.list .row', { hasText: 'part 60' });
    await older.waitFor();
    expect(await older.getByRole('link').getAttribute('href')).toMatch(/^\/task\/[a-z-]+\/[A-Z]+-60$/);
    await page.getByRole('searchbox').fill('no such task');
    await page.getByText('No task has “no such task”').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await page.locator('.list .row').count()).toBeGreaterThan(10);
    await go('/insights');
    const costs = page.getByRole('region', { name: 'costs by task' }).locator('tbody tr');
    expect(await costs.count()).toBe(10);
    await costs.last().scrollIntoViewIfNeeded();
    await shot(page, 'costs-phone');
    expect((await costs.first().boundingBox())?.height).toBeLessThan(60);
    const agents = page.getByRole('region', { name: 'records of agents' });
    expect(await agents.locator('td[data-head="Calls"]').first().isVisible()).toBe(true);
    const zeros = agents.locator('td[data-head="Failed"][data-zero]');
    expect(await zeros.count()).toBeGreaterThan(0);
    expect(await zeros.first().isVisible()).toBe(false);
    await page.getByRole('button', { name: '10 more' }).click();
    expect(await costs.count()).toBe(20);
    await go('/'); // what names a task is never cut
    expect(await page.locator('.row.needs_you .phrase').first().innerText()).toMatch(/^docs-site DOC-4 · /);
  });

  test('has targets of 44 px for a finger on every page', async () => {
    const touch = { viewport: PHONE, hasTouch: true, isMobile: true, timezoneId: zoneAtHour(7) };
    const { page, go } = await show(aScene(EVENING, EVENING_LINES), touch);
    for (const path of [
      '/',
      '/halt/shop-api/FIX-103',
      '/tasks',
      '/queue',
      '/new',
      '/insights',
      '/devices',
      '/digest',
      '/task/shop-api/FIX-102',
    ]) {
      await go(path);
      const small = await page
        .locator('a, button:not(.add-comment), summary, input:not([type=checkbox]), select, textarea')
        .evaluateAll((all) =>
          all
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43)
            .map((one) => `${one.outerHTML.slice(0, 90)} ${one.getBoundingClientRect().height}`),
        );
      expect(small, path).toEqual([]);
    }
  });

  test('has no serious fault on any page in either scheme, and no page is wider than its window', async () => {
    const scene = aScene(EVENING, EVENING_LINES);
    for (const [name, viewport] of [
      ['desk', DESK],
      ['phone', PHONE],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, context, go, complaints } = await show(scene, { viewport, colorScheme });
        for (const path of [
          '/',
          '/halt/shop-api/FIX-103',
          '/halt/billing-worker/BILL-7',
          '/tasks',
          '/queue',
          '/new',
          '/rules',
          '/devices',
          '/insights',
          '/digest?since=2026-01-01T00:00:00.000Z',
          '/task/shop-api/FIX-102',
        ]) {
          await go(path);
          await page.waitForTimeout(50);
          const wide = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect(wide, `${path} ${name}`).toBe(0);
          const of = path === '/' ? 'inbox' : path.includes('BILL-7') ? 'red' : (path.split(/[?/]/)[1] ?? '');
          await shot(page, `${of}-${name}${colorScheme === 'dark' ? '-dark' : ''}`);
          expect(await faultsOf(page), `${path} ${name} ${colorScheme}`).toEqual([]);
        }
        expect(complaints).toEqual([]);
        await context.close();
      }
  });

  test('begins in the morning with what was merged, what it cost, and the suggested answers', async () => {
    const morning = { viewport: PHONE, timezoneId: zoneAtHour(7) };
    const { page, go, complaints } = await show(aScene(EVENING, EVENING_LINES), morning);
    await page.getByText(/^4 merged, \$0\.\d+ spent\./).waitFor();
    await page.locator('.digest .row', { hasText: 'Orders: newest first, in pages' }).waitFor();
    await page.getByText('Suggested: Side with the reviewer: fix it').waitFor();
    expect(await countInWindow(page, needRows)).toBeGreaterThanOrEqual(2);
    const merged = page.locator('.digest .row', { hasText: 'Orders: newest first, in pages' }).locator('.phrase');
    expect(await merged.first().innerText()).toMatch(/^shop-api FIX-102 · \d\d:\d\d · \+7 −1 · \$0\.08$/);
    expect(await merged.last().innerText()).toMatch(/not judged; .*merged into main as 9{12}$/);
    await page.locator('.digest').getByRole('link', { name: '1 more' }).waitFor();
    await shot(page, 'morning-phone');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'The whole digest' }).click();
    await page.getByRole('heading', { level: 1, name: 'Digest' }).waitFor();
    expect(await page.locator('.digest pre').count()).toBe(0);
    const words = await page.locator('.digest').innerText();
    expect(words).toMatch(/From \d+ [A-Z][a-z]+ 18:00 to \d+ [A-Z][a-z]+ \d\d:\d\d/); // of both days
    expect(words).toContain('Nightly export of orders for the warehouse');
    expect(words).toContain('waits until later');
    expect(words).toContain('the implementer works, since ');
    expect(words).toContain('shop-api: FIX-102: 2 calls, $0.08, 240 tokens');
    expect(words).not.toMatch(/_handoff\/queue\/FIX|waits for until|which works/);
    expect(await page.locator('.digest .night').count()).toBeGreaterThan(3);
    await shot(page, 'digest-phone');
    await page.locator('.row.needs_you', { hasText: 'Sessions end' }).getByRole('link').click();
    await page.locator('#path-1').waitFor();
    await go('/');
    await page.clock.setFixedTime(Date.now() + 5 * 3_600_000); // after eleven it is the inbox again
    await page.reload();
    await page.locator(needRows).first().waitFor();
    await expect.poll(() => page.getByText('Last night').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('lets a phone in by a QR code that fits its screen', async () => {
    const { page, go, complaints } = await show(aScene(EVENING), { viewport: PHONE });
    await go('/devices');
    await page.getByRole('button', { name: 'Open on your phone' }).click();
    const code = await page.getByRole('img', { name: 'QR code of the link' }).boundingBox();
    expect(code?.width).toBeGreaterThan(250);
    expect(await countInWindow(page, 'svg.code')).toBe(1);
    await page.getByText('https://board.example.org/in?token=').waitFor();
    await shot(page, 'devices-code-phone');
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('says how to begin where no repository is watched', async () => {
    const { page } = await show(aScene([]));
    for (const command of ['andon init', 'andon new', 'andon watch'])
      await page.getByText(command, { exact: true }).waitFor();
    await shot(page, 'empty-desk');
  });

  test('needs at most 140 kB of script', () => {
    expect(statSync(join(dirname(inject('andon')), 'page/app.js')).size).toBeLessThanOrEqual(140_000);
  });
});
