/** @module-tag thorough */
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory, type Options } from '../support/factory.ts';
import { patience } from '../support/patience.ts';
import { CHROMIUM, WHY_NOT, listen, openBrowser } from '../support/browser.ts';
import { PATH, write } from '../support/versions.ts';
import { issue, judges, answerOnce, reviewFails, reviewPasses, writes } from '../support/scenario.ts';
import { webOf, type Served } from '../support/web.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const PHONE = { viewport: { width: 390, height: 844 } };
const HOSTILE = 'Merge both </script><img src=x onerror=alert(1)> \u202eevil\u001b[2J';

interface World {
  readonly factory: Factory;
  readonly web: Served;
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained of: a policy that was broken, a script that failed, anything from elsewhere. */
  readonly complaints: string[];
}

describe.skipIf(CHROMIUM === undefined)(`the board in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  /** A board over a repository, and a page that shows it. */
  async function aPage(factory: Factory, how: Parameters<Browser['newContext']>[0] = PHONE): Promise<World> {
    const web = await webOf(factory);
    const context = await browser.newContext({ reducedMotion: 'reduce', ...how });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience());
    const page = await context.newPage();
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    await page.getByRole('heading', { level: 1, name: /need.? you/ }).waitFor();
    return { factory, web, page, context, complaints };
  }

  /** A task that is halted for its size, with others in the queue, and a page that shows the board. */
  async function aWorld(options: Options = {}): Promise<World> {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(write(1)), write(2)] }, ...options });
    const { dog } = await factory.run(
      aContract({ 'constraints.max_diff_size': 1, 'specification.requirements': [HOSTILE] }),
    );
    await dog.stop();
    factory.drop(aContract({ task_id: 'DOC-002' }), 'queue/DOC-002.json');
    factory.drop(aContract({ task_id: 'DOC-003' }), 'queue/DOC-003.json');
    return aPage(factory);
  }

  test('a halt is answered with a tap and a confirmation, and the merge is seen; nothing hostile runs', async () => {
    const { factory, page, complaints } = await aWorld({ repoName: 'Project-\u202e\u001b[31mA' });
    await expect.poll(() => page.locator('.row.needs_you').count()).toBe(2);
    expect(await page.locator('body').innerText()).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
    await page.getByRole('link', { name: /The change exceeds its limits/ }).click();
    await page.getByRole('heading', { name: 'Two paths' }).waitFor();
    await page.locator('pre.diff').waitFor();
    await page.locator('#question', { hasText: 'exceeds the limits of its contract' }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
    const dog = await factory.watch();
    await page.locator('#path-1').dblclick(); // a second tap confirms nothing
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.locator('#path-2').click();
    await page.reload(); // in the middle of it: nothing was taken
    await page.locator('#path-1').click();
    await page.getByText('Change limits, files or model with it').click();
    await page.locator('#answer-1-max_diff_size').fill('321');
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');
    await page.getByRole('button', { name: /^Confirm: / }).click();
    await page.getByText('Answered. DOC-001 goes on.').waitFor(); // also when the halt is gone from the page
    await eventually(() => factory.isMerged('DOC-001'), 'the task is merged');
    const { story } = await factory.show('DOC-001');
    expect(story.some(({ text }) => text.includes('321'))).toBe(true);
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.locator('.row.ended', { hasText: 'DOC-001' }).waitFor();
    await dog.stop();
    expect(complaints).toEqual([]);
  });

  test('two comments, one at a line, send a halted change back; the next attempt has both and is merged', async () => {
    const { factory, page, complaints } = await aWorld({
      scenario: {
        implementer: [
          answerOnce(write(1)),
          writes({ [PATH]: 'A token is valid for 15 minutes and can be renewed once.\n' }),
        ],
      },
    });
    await page.getByRole('link', { name: /The change exceeds its limits/ }).click();
    const send = page.getByRole('button', { name: 'Send back with 0 comments' });
    await expect.poll(() => send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: `Comment on line 3 of ${PATH}` }).click();
    await page.getByLabel(`Your comment on line 3 of ${PATH}`).fill(HOSTILE);
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.reload(); // the draft stays in this browser
    await page.getByText('You: Merge both').waitFor();
    await page.locator('#path-1').click();
    await page.getByText('Your comment is not sent with a path').waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: `Comment on line 5 of ${PATH}` }).click();
    await page.getByLabel(`Your comment on line 5 of ${PATH}`).fill('Half a com');
    expect(await countFixedPixels(page)).toBe(0); // while one writes, the text has the screen
    await page.reload(); // so does a box that is open
    await page.locator('#path-1').click();
    await page.getByText('Your 2 comments are not sent with a path').waitFor();
    await page.getByLabel(/^Anything the agents should know/).fill('In your time');
    await page.reload();
    await page.locator('#path-1').click();
    await expect.poll(() => page.getByLabel(/^Anything the agents should know/).inputValue()).toBe('In your time');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    expect(await page.getByLabel(`Your comment on line 5 of ${PATH}`).inputValue()).toBe('Half a com');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('About the whole change').fill('One line is enough');
    const dog = await factory.watch();
    await page.getByRole('button', { name: 'Send back with 2 comments' }).click(); // the bars do not come back under it
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'comment-phone.png'), fullPage: true });
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');
    await page.getByRole('button', { name: 'Confirm: send back with 2 comments' }).click();
    await page.getByText('noted: the change goes back to the implementer').waitFor();
    await eventually(() => factory.isMerged('DOC-001'), 'the task is merged');
    const [, next] = factory.calls('implementer');
    expect(next?.prompt).toContain(`- attempt 1, ${PATH}:3`);
    expect(next?.prompt).toContain('- attempt 1, the whole change: One line is enough');
    await dog.stop();
    expect(complaints).toEqual([]);
  });

  test('a task that halts again after an answer asks again on the same page', async () => {
    const { factory, page, complaints } = await aWorld();
    await page.getByRole('link', { name: /The change exceeds its limits/ }).click();
    const dog = await factory.watch();
    await page.locator('#path-2').click();
    await page.getByRole('button', { name: /^Confirm: / }).click();
    await page.getByText('Your answer was taken. The task has halted again since').waitFor();
    await page.getByText(/ chose “Discard this attempt and try again”, /).waitFor();
    await page.locator('#path-1').waitFor();
    await dog.stop();
    expect(complaints).toEqual([]);
  });

  test('two tabs answer at once: one wins, the other is told', async () => {
    const { factory, page, context, web } = await aWorld();
    const other = await context.newPage();
    const path = await page.getByRole('link', { name: /The change exceeds its limits/ }).getAttribute('href');
    await Promise.all([page, other].map((one) => one.goto(web.origin + (path ?? ''))));
    for (const one of [page, other]) await one.locator('#path-2').click();
    const confirm = (one: Page): Promise<void> =>
      one.getByRole('button', { name: /^Confirm: / }).click({ timeout: 5000 });
    const clicked = await Promise.allSettled([page, other].map(confirm)); // the winner takes the button away from the other
    expect(clicked.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const one of [page, other]) await one.locator('.decide form').waitFor({ state: 'detached' });
    const { story } = await factory.show('DOC-001');
    expect(story.filter(({ text }) => /path 2/.test(text))).toHaveLength(1);
  });

  test('an entry of the journal comes to the page by itself; a board that ends says so, and one that comes back is heard', async () => {
    const { factory, page, context, web } = await aWorld();
    const paused = page.getByText(/, paused/);
    const took: number[] = []; // ms; the bench measures the speed, this only that no reload is waited for
    for (let tries = 0; tries < 5 && !took.some((ms) => ms < 5000); tries += 1) {
      if (tries > 0) await factory.andon('unpause');
      await paused.waitFor({ state: 'hidden' });
      await page.evaluate(`delete document.body.dataset.seen; new MutationObserver((_, own) => {
        if (!/, paused/.test(document.body.textContent)) return;
        document.body.dataset.seen = String(Date.now());
        own.disconnect();
      }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
      await factory.andon('pause');
      await paused.waitFor();
      const at = (await factory.status()).paused as unknown as { readonly at: string };
      took.push(Number(await page.evaluate('document.body.dataset.seen')) - Date.parse(at.at));
    }
    expect(Math.min(...took)).toBeLessThan(5000);
    await page.reload();
    await paused.waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'DOC-001' }).click();
    await page.getByText('andon web did not answer').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Two paths' }).waitFor(); // it is looked up by itself
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await web.stop();
    await page.getByRole('alert').waitFor();
    const { port } = new URL(web.origin);
    const again = factory.start(['web', '--port', port], factory.folder);
    await eventually(() => again.output().includes('/in?token='), 'it is there again');
    await page.getByRole('alert').waitFor({ state: 'detached' }); // the browser is known to the next board
    await page.reload();
    await paused.waitFor();
    await page.getByLabel('More pages').click();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByText(/^Chrome on Linux/).waitFor();
    await page.getByRole('button', { name: 'Open on your phone' }).click();
    await page.getByText('A phone cannot reach 127.0.0.1').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Confirm: revoke' }).click();
    await page.getByText(/^Session ended\./).waitFor();
    await page.getByLabel('More pages').click();
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByText(/this board opens with the link/).waitFor();
    await page.goto(`${web.origin}/queue?at=1`);
    await page.getByText(/^Session ended\./).waitFor();
    await page.goto(/open once: (\S+)/.exec(again.output())?.[1] ?? '');
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    expect(page.url()).toBe(`${web.origin}/queue?at=1`); // where it was led to before it was let in
  });

  test('a merged task is read tab by tab and saved as a page; what is not there is said; the board can be installed', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), write(4)],
        reviewer: [answerOnce(reviewFails('The first line says nothing')), reviewPasses()],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('Tokens are not explained')] })), judges('PASS')],
      },
    });
    const { dog } = await factory.run(aContract());
    factory.drop(aContract({ task_id: 'DOC-002', 'constraints.max_diff_size': 1 }));
    await dog.until(() => factory.isHalted());
    await dog.stop();
    const { page, context, web, complaints } = await aPage(factory, { viewport: { width: 1440, height: 900 } });
    const hrefs = await Promise.all((await page.locator('.row a').all()).map((link) => link.getAttribute('href')));
    const merged = hrefs.find((href) => /^\/task\/.*DOC-001$/.test(href ?? '')) ?? '';
    await page.goto(web.origin + merged);
    await page.getByRole('img', { name: 'What happened when' }).waitFor();
    await page.getByRole('button', { name: 'Attempt 1' }).click();
    await page.locator('pre.diff .f', { hasText: 'local-reviewer, high: The first line says nothing' }).waitFor();
    await page.getByRole('button', { name: /^Review/ }).click();
    await page.getByText('found', { exact: true }).first().waitFor();
    await page.goto(`${web.origin}/task/%E0%A4%A/x`);
    await page.getByText('there is no such repository').waitFor();
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/api\/tasks\/.*\/x$/.test(one))); // the one refusal that was asked for
    await page.goto(`${web.origin}/digest`);
    await page.locator('.digest .row', { hasText: 'merged into main' }).getByRole('link').click();
    await page.getByRole('img', { name: 'What happened when' }).waitFor();
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.getByRole('heading', { level: 1, name: /need.? you/ }).waitFor();
    await page.getByRole('link', { name: 'Project-A', exact: true }).click();
    await page.getByRole('link', { name: 'All repositories' }).click();
    await page.getByRole('link', { name: 'All repositories' }).waitFor({ state: 'detached' });
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a watchdog that is killed under an open page is missed within seconds, and seen when it is back; the task goes on', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { implementer: [answerOnce({ ...write(1), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }), write(2)] },
    });
    const dog = await factory.begin(aContract(), 'at');
    const { page, complaints } = await aPage(factory);
    const row = (lane: string): ReturnType<Page['locator']> => page.locator(`.row.${lane}`, { hasText: 'DOC-001' });
    await row('working').getByText('Writing').waitFor();
    await dog.kill9();
    await row('waiting').getByText('Waits for a watchdog').waitFor();
    await page.getByText('no watchdog is running').waitFor();
    factory.signal.give('go');
    const again = await factory.watch();
    await row('ended').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Nothing needs you' }).waitFor();
    await again.stop();
    expect(complaints).toEqual([]);
  });

  test('a change of 200,000 lines and an answer of 50 MB are shown in part, and say so; the page stays awake', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `line ${at}`).join('\n');
    const evil = '\u202eevil </pre><img src=x onerror=alert(1)>';
    const { factory, page, complaints } = await aWorld({
      scenario: { implementer: [writes({ [PATH]: `${evil}\n${lines}\n`, 'docs/later.md': 'one line\n' })] },
    });
    const calls = join(factory.folder, 'state/andon/repositories');
    const [answer = ''] = readdirSync(calls, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('DOC-001/1.answer.txt'),
    );
    writeFileSync(join(calls, answer), 'The answer begins. é');
    truncateSync(join(calls, answer), 50 * 1024 * 1024);
    await page.getByRole('link', { name: /The change exceeds its limits/ }).click();
    await page.getByText('+200001').first().waitFor();
    await page.getByText('\\u{202e}evil </pre><img').waitFor();
    await page.getByRole('button', { name: /more lines$/ }).waitFor();
    await page.getByText('The rest of it is not shown here: andon show DOC-001 --diff').waitFor();
    expect(await page.locator('pre.diff > span').count()).toBe(1500);
    await page.getByRole('button', { name: /^docs\/later\.md/, expanded: false }).waitFor();
    await page.getByRole('button', { name: /more lines$/ }).click();
    await page.locator('pre.diff > span').nth(2999).waitFor();
    await page.getByRole('link', { name: 'The whole task' }).click();
    await page.getByRole('button', { name: /^Calls/ }).click();
    await page.getByRole('button', { name: 'answer of call 1', exact: true }).click();
    await page.getByText('The answer begins.').waitFor();
    await page.getByText('1 to 100,000 of 52,428,800').waitFor();
    await page.getByRole('button', { name: 'Further' }).click();
    await page.getByText('100,001 to 200,000 of 52,428,800').waitFor();
    await page.getByRole('button', { name: 'Before' }).click();
    await page.getByText('The answer begins.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('by keys alone the order is changed, and a contract is refused at its field and dropped', async () => {
    const { factory, page, web, complaints } = await aWorld();
    const press = async (name: string, key = 'Enter'): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press(key);
    };
    const halted = (await page.locator('a[href^="/halt/"]').first().getAttribute('href')) ?? '';
    await page.getByRole('link', { name: 'Queue' }).focus();
    await page.keyboard.press('Enter');
    await press('DOC-003 up');
    await page.getByText('1. DOC-003').waitFor();
    await page.keyboard.press('Enter'); // the row that moved has kept the keys: down again
    await page.getByText('1. DOC-002').waitFor();
    await page.getByText('2. DOC-003').dragTo(page.getByText('1. DOC-002'));
    const held = page.getByText('1. DOC-003');
    await held.dispatchEvent('dragstart');
    await factory.andon('queue', 'move', 'DOC-002', '--first'); // while it is held, others change the order
    await page.getByText('1. DOC-002').waitFor();
    await page.getByText('1. DOC-002').dispatchEvent('drop');
    await held.waitFor();
    await page.getByRole('link', { name: /2\. DOC-002/ }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('1. DOC-002').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await held.waitFor();
    await page.getByLabel('More for DOC-002').focus();
    await page.keyboard.press('Enter');
    await press('Withdraw DOC-002');
    await page.keyboard.press('Enter'); // the way back has the keys: a key that is held confirms nothing
    await press('Withdraw DOC-002');
    await expect.poll(() => page.getByRole('button', { name: 'Confirm: withdraw DOC-002' }).isEnabled()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2. DOC-002').waitFor({ state: 'detached' });
    expect(factory.paper('queue/DOC-002.json')).toBeUndefined();
    await page.goto(`${web.origin}/new`);
    await press('Add task');
    await page.getByText('Write one sentence, such as').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('requirements');
    expect(await page.getByLabel('Id').getAttribute('placeholder')).toBe('DOC-004'); // the next one here
    await page.getByLabel('Id').fill('DOC-009');
    await page.getByLabel('What should be true afterwards?').fill('Say hello');
    await page.getByLabel('Paths that may change').fill('../etc/');
    await page.locator('#allowed_paths-fault').waitFor(); // while it is written
    await page.getByText('1 field needs attention.').waitFor();
    await page.reload();
    expect(await page.getByLabel('Id').inputValue()).toBe('DOC-009');
    await page.getByLabel('Paths that may change').fill('');
    await page.getByText('More: criteria, order, budget').click();
    await page.getByLabel('Target file').fill('docs/hello.md'); // which then is the one that may change
    await page.getByText(/^Valid/).waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'new-valid-phone.png'), fullPage: true });
    await press('Add task');
    await page.getByText(/^DOC-009 is queued/).waitFor();
    expect(factory.paper('queue/DOC-009.json')).toContain('docs/hello.md');
    await page.getByRole('link', { name: 'See the queue' }).click();
    await page.getByText('2. DOC-009').waitFor();
    await page.goto(`${web.origin}/task/${new URL(halted, web.origin).pathname.split('/')[2]}/DOC-001`);
    await page.getByRole('button', { name: 'Contract' }).click();
    await page.getByRole('link', { name: 'New task like this' }).click();
    await expect.poll(() => page.getByLabel('What should be true afterwards?').inputValue()).toContain('Merge both');
    expect(await page.getByLabel('Id').inputValue()).toBe('');
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/\b422\b.*api\/contracts/.test(one))); // the refusal that was asked for
    expect(complaints).toEqual([]);
  });

  test('another port of this machine gets nothing from the browser that opens the board', async () => {
    const { factory, web, page, context } = await aWorld();
    const received: IncomingHttpHeaders[] = [];
    const other = createServer((asked, answer) => {
      received.push(asked.headers);
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>another server</h1>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      for (const open of [page, await context.newPage()]) {
        await open.goto(`http://127.0.0.1:${port}/`);
        await open.getByRole('heading', { name: 'another server' }).waitFor();
        const stored = await open.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
        );
        expect(stored).toBe('[{},{},""]');
        await open.evaluate(`fetch('/again', { method: 'POST', credentials: 'include' }).then(() => undefined)`);
      }
      expect(received.length).toBeGreaterThanOrEqual(4);
      for (const headers of received) {
        const { host: _, origin: __, connection: ___, ...kept } = headers; // an attacker would say these rightly
        const replayed = await get(`${web.origin}/api/start`, {
          ...(kept as Record<string, string>),
          origin: web.origin,
        });
        expect([replayed, headers.cookie]).toEqual([401, undefined]);
      }
      await page.goto(web.link); // it is spent, and this browser was let in before
      await page.getByRole('heading', { level: 1, name: /need.? you/ }).waitFor(); // the board still knows this browser
      const stranger = await browser.newContext();
      const refused = await stranger.newPage();
      await refused.goto(web.link);
      await refused.getByText(/^This link was opened before/).waitFor();
      expect(refused.url()).toBe(`${web.origin}/`);
      await stranger.close();
      expect((await factory.status()).paused).toBeNull();
    } finally {
      other.closeAllConnections();
      other.close();
      await context.close();
    }
  });

  test('a page of another origin reads nothing and asks for nothing, also under a name that was bound to this address', async () => {
    const { factory, web, context } = await aWorld();
    const evil = await context.newPage();
    await evil.route('http://evil.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>evil</h1>' }),
    );
    await evil.goto('http://evil.example/');
    const tried = await evil.evaluate(async (origin) => {
      const got = async (path: string, init?: RequestInit): Promise<string> => {
        try {
          return (await (await fetch(origin + path, { credentials: 'include', ...init })).text()).slice(0, 20);
        } catch {
          return 'nothing';
        }
      };
      return [
        await got('/api/start'),
        await got('/api/links', { method: 'POST', body: '{}' }),
        await got('/in?token=x'),
      ];
    }, web.origin);
    expect(tried).toEqual(['nothing', 'nothing', 'nothing']);
    const rebound = await browser.newContext();
    const page = await rebound.newPage();
    const answer = await page.goto(web.origin.replace('127.0.0.1', 'andon.localhost')).catch(() => undefined);
    expect([undefined, 421]).toContain(answer?.status());
    expect((await factory.status()).paused).toBeNull();
    await Promise.all([context.close(), rebound.close()]);
  });
});

/** How much of a phone's height is covered by bars that stay in place. */
const countFixedPixels = (page: Page): Promise<number> =>
  page.evaluate<number>(`[...document.querySelectorAll('.bar, .bar nav, .decide')].reduce((sum, one) => {
    const { visibility } = getComputedStyle(one);
    return sum + (visibility === 'visible' ? one.getBoundingClientRect().height : 0);
  }, 0)`);

/** The status of a request with headers that no page may choose. */
function get(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => resolve(answer.resume().statusCode));
    asked.on('error', reject).end();
  });
}
