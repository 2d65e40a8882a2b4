/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { patience } from '../support/patience.ts';
import { CHROMIUM, WHY_NOT, faultsOf, listen, openBrowser } from '../support/browser.ts';
import { writes } from '../support/scenario.ts';
import { webOf } from '../support/web.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const SCHEMES = ['light', 'dark'] as const;
const [DESK, PHONE] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** Two by one pixel, red and blue. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==',
  'base64',
);
const SOURCE = 'src/session.ts';
const OLD = `import { now } from './clock.ts';

/** Sessions by their ids. */
const sessions = new Map<string, { at: number }>();

export function find(id: string): object | undefined {
  return sessions.get(id);
}

export function end(id: string): boolean {
  return sessions.delete(id);
}
`;
const HOSTILE = "const title = 'Sessions </pre><img src=x onerror=alert(1)> \u202eevil';";
const NEW = OLD.replace(
  '  return sessions.get(id);\n',
  `  const session = sessions.get(id);
  // A session ends after 15 minutes, whoever asks.
  if (session !== undefined && now() - session.at > 15 * 60_000) return undefined;
  return session;
`,
).replace(
  'export function end(id: string)',
  `${HOSTILE}\nconst long = ['${'word '.repeat(60)}'];\n\nexport function endSession(id: string)`,
);

describe.skipIf(CHROMIUM === undefined)(`a change in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  /** A task that halted for its size, with a source file, an image, and a file of which only spaces change. */
  async function aHalt(): Promise<Factory> {
    const factory = await aFactory({
      files: { [SOURCE]: OLD, 'docs/list.md': '- one\n- two\n' },
      scenario: {
        implementer: [
          writes({ [SOURCE]: NEW, 'docs/list.md': '-   one\n- two\n', 'img/logo.png': null, 'img/page.png': null }),
        ],
      },
    });
    mkdirSync(join(factory.repo, 'img'));
    writeFileSync(join(factory.repo, 'img/logo.png'), IMAGE);
    writeFileSync(join(factory.repo, 'img/page.png'), '<script>alert(1)</script>\0');
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=Images');
    const { dog } = await factory.run(
      aContract({
        'constraints.allowed_paths': ['src/', 'docs/', 'img/'],
        'constraints.allow_deletes': true,
        'constraints.max_diff_size': 1,
        'specification.target_file': undefined,
      }),
    );
    await dog.stop();
    return factory;
  }

  async function show(how: Parameters<Browser['newContext']>[0]): Promise<{
    readonly page: Page;
    readonly complaints: () => readonly string[];
  }> {
    const web = await webOf(await aHalt());
    const context = await browser.newContext({ reducedMotion: 'reduce', ...how });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(Math.min(patience(), 60_000));
    const page = await context.newPage();
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    const halt = await page.locator('.row a', { hasText: 'The change exceeds its limits' }).getAttribute('href');
    await page.goto(web.origin + (halt ?? ''));
    await page.getByRole('button', { name: /^src\/session\.ts/ }).waitFor();
    await page.locator('.t-keyword').first().waitFor();
    // The refusal of what is no image is in the console of the browser as well.
    return { page, complaints: () => complaints.filter((one) => !/status of 404 .*page\.png/.test(one)) };
  }

  const fileOf = (page: Page, path: string): Locator =>
    page.locator('.file', { has: page.getByRole('checkbox', { name: `Viewed ${path}` }) });

  /** Nothing is wider than the window or hard to see, and a picture is taken where somebody wants one. */
  async function look(page: Page, name: string): Promise<void> {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page), `${name} ${colorScheme}`).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(wide, name).toBe(0);
      if (SHOTS !== undefined)
        await page.screenshot({ path: join(SHOTS, `diff-${name}-${colorScheme}.png`), fullPage: true });
    }
  }

  test('stands side by side on a desk with its words marked and its code coloured, and the layout is remembered', async () => {
    const { page, complaints } = await show({ viewport: DESK });
    const source = fileOf(page, SOURCE);
    await source.locator('pre.split').waitFor();
    await look(page, 'desk-split');
    expect(await source.locator('.d mark').allInnerTexts()).toEqual(expect.arrayContaining(['return', 'end']));
    expect(await source.locator('.a .t-comment').allInnerTexts()).toContain(
      '// A session ends after 15 minutes, whoever asks.',
    );
    expect(await source.locator('.a .t-name').allInnerTexts()).toEqual(['endSession']);
    const hostile = source.locator('.a', { hasText: '</pre><img src=x onerror=alert(1)> \\u{202e}evil' });
    expect(await hostile.locator('[class^=t-]').count()).toBe(0); // it is not shown as it is: it stays plain
    expect(await page.locator('img').count()).toBe(0);
    const [left, right] = await Promise.all(['.d', '.a'].map((one) => source.locator(one).first().boundingBox()));
    expect(left?.y).toBe(right?.y);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await source.locator('pre.diff:not(.split)').waitFor();
    await look(page, 'desk-unified');
    await page.reload();
    await source.locator('.t-keyword').first().waitFor();
    expect(await page.locator('pre.split').count()).toBe(0);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await source.locator('pre.split').waitFor();
    expect(complaints()).toEqual([]);
  });

  test('hides changes of spaces alone and files that were viewed, and shows an image before it was deleted, but nothing that only has its name', async () => {
    const { page, complaints } = await show({ viewport: DESK });
    const list = fileOf(page, 'docs/list.md');
    await list.locator('.a').waitFor();
    await page.getByRole('button', { name: 'Ignore spaces' }).click();
    await list.getByText('Only spaces differ.').waitFor();
    await fileOf(page, SOURCE).locator('.t-keyword').first().waitFor();
    await page.getByRole('button', { name: 'Ignore spaces' }).click();
    await list.locator('.a').waitFor();
    await page.getByRole('checkbox', { name: 'Viewed docs/list.md' }).check();
    await list.locator('pre').waitFor({ state: 'detached' });
    await page.getByText('· 1 viewed').waitFor();
    await page.reload();
    await page.getByText('· 1 viewed').waitFor();
    expect(await list.locator('pre').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Viewed docs/list.md' }).uncheck();
    await list.locator('.a').waitFor();
    await fileOf(page, 'img/logo.png').getByText('Before: 2 × 1').waitFor();
    const pixels = await page.evaluate<readonly number[]>(
      `[...document.querySelector('canvas[aria-label="img/logo.png before"]').getContext('2d').getImageData(0, 0, 2, 1).data]`,
    );
    expect(pixels).toEqual([255, 0, 0, 255, 0, 0, 255, 255]);
    await fileOf(page, 'img/page.png')
      .getByText(/it is no PNG, JPEG, GIF or WebP image/)
      .waitFor();
    expect(complaints()).toEqual([]);
  });

  test('is commented on by keys alone, and the button of a line is large enough for a mouse', async () => {
    const { page, complaints } = await show({ viewport: DESK });
    const comment = (line: number): Locator =>
      page.getByRole('button', { name: `Comment on line ${line} of ${SOURCE}` });
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    await page.getByRole('checkbox', { name: `Viewed ${SOURCE}` }).focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(`Comment on line 4 of ${SOURCE}`);
    for (let line = 4; line < 8; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(`Comment on line 7 of ${SOURCE}`);
    expect(await page.evaluate('getComputedStyle(document.activeElement).opacity')).toBe('1');
    const { width = 0, height = 0 } = (await comment(7).boundingBox()) ?? {};
    expect([width >= 24, height >= 24]).toEqual([true, true]);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(`Your comment on line 7 of ${SOURCE}`);
    await page.keyboard.type('Name it current');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You: Name it current').waitFor();
    await look(page, 'desk-comment');
    await page.locator('.add-comment').first().focus();
    await page.keyboard.press('Tab'); // one stop for all lines of a file: the next is the next file
    expect(await focused()).toBe('img/logo.png binary, deleted');
    expect(complaints()).toEqual([]);
  });

  test('wraps its long lines on a phone, where a tap on a line leads to a button large enough for a finger', async () => {
    const { page, complaints } = await show({ viewport: PHONE, hasTouch: true, isMobile: true });
    expect(await page.getByRole('button', { name: 'Side by side' }).count()).toBe(0);
    await look(page, 'phone');
    const line = page.locator('.a', { hasText: 'A session ends after 15 minutes' });
    await line.tap();
    const add = line.getByRole('button');
    const { width = 0, height = 0 } = (await add.boundingBox()) ?? {};
    expect([width >= 44, height >= 44]).toEqual([true, true]);
    await add.tap();
    await page.getByLabel(`Your comment on line 8 of ${SOURCE}`).fill('Say why');
    await page.getByRole('button', { name: 'Add comment' }).tap();
    await page.getByText('You: Say why').waitFor();
    expect(complaints()).toEqual([]);
  });
});
