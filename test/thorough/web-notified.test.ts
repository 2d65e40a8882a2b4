/** @module-tag thorough */
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WHY_NOT, faultsOf, listen, openBrowser } from '../support/browser.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { patience } from '../support/patience.ts';
import { aPushService } from '../support/push-service.ts';
import { webOf } from '../support/web.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const PHONE = { width: 390, height: 844 };
/** An address of this machine that others could reach it by. */
const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** The id of the service worker's registration, as the browser tells its driver. */
function registrationOf(devtools: CDPSession): Promise<string> {
  return new Promise((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
      if (one !== undefined) resolve(one.registrationId);
    });
    void devtools.send('ServiceWorker.enable');
  });
}

describe.skipIf(CHROMIUM === undefined)(`notifications in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  test('a tap asks for them; what the watchdog pushes is shown, counted on the icon, and gone with the device', async () => {
    const service = await aPushService();
    const { endpoint, p256dh, auth } = service.subscribe('phone');
    const factory = await aFactory();
    const web = await webOf(factory);
    const context = await browser.newContext({ viewport: PHONE, permissions: ['notifications'] });
    context.setDefaultTimeout(patience());
    // Its push service is out of reach here, so the browser gets the address of the imitation.
    await context.addInitScript(`
      const made = { endpoint: '${endpoint}', keys: { p256dh: '${p256dh}', auth: '${auth}' } };
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        document.documentElement.dataset.key = applicationServerKey;
        return { toJSON: () => made };
      };
      navigator.setAppBadge = async (needs) => void (document.documentElement.dataset.badge = needs);
    `);
    const page = await context.newPage();
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    await page.getByRole('heading', { level: 1, name: 'Nothing needs you' }).waitFor();
    await page.goto(`${web.origin}/devices`);
    await page.getByRole('button', { name: 'Notify this browser', exact: true }).click();
    await page.getByText(', notified').waitFor();
    expect(await page.locator('html').getAttribute('data-key')).toMatch(/^[\w-]{87}$/);
    expect(await faultsOf(page)).toEqual([]);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'notified-phone.png') });
    const devtools = await context.newCDPSession(page);
    const registrationId = await registrationOf(devtools);

    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
    await eventually(() => service.messages.length === 1, 'the halt is pushed');
    await expect.poll(() => page.locator('html').getAttribute('data-badge')).toBe('1');
    const data = service.messages[0]?.text ?? '';
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: web.origin, registrationId, data });
    const shown = (): Promise<unknown> =>
      page.evaluate(`navigator.serviceWorker.ready
        .then((one) => one.getNotifications())
        .then((all) => all.map(({ title, body, data }) => ({ title, body, page: data })))`);
    const { title, body, page: path } = JSON.parse(data) as Readonly<Record<string, string>>;
    await expect.poll(shown).toEqual([{ title, body, page: path }]);
    const needs = (): Promise<unknown> =>
      page.evaluate(`caches.open('andon').then((one) => one.match('/needs')).then((kept) => kept.text())`);
    await expect.poll(needs).toBe('2'); // one more than the page has said
    await dog.stop();
    await page.evaluate(
      `navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { page: ${JSON.stringify(path)} } }))`,
    );
    await page.locator('#path-1').waitFor();
    expect(page.url()).toBe(web.origin + path);

    await page.goto(`${web.origin}/devices`);
    await page.getByRole('button', { name: 'Do not notify this browser' }).click();
    await page.getByText('This browser is not notified any more.').waitFor();
    await page.getByText(', notified').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('are also a count in the title of a tab that is hidden', async () => {
    const factory = await aFactory();
    const web = await webOf(factory);
    const page = await browser.newPage();
    await page.clock.install();
    await page.goto(web.link);
    await page.getByRole('heading', { level: 1, name: 'Nothing needs you' }).waitFor();
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
    await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
    expect(await page.title()).toBe('Inbox · andon');
    const titleLater = async (): Promise<string> => {
      await page.clock.fastForward(60_000);
      return page.title();
    };
    await expect.poll(titleLater).toBe('(1) Inbox · andon');
    await page.context().close();
  });

  test.skipIf(OUTSIDE === undefined)('says that they need HTTPS where there is none', async () => {
    const factory = await aFactory();
    const web = await webOf(factory, '--bind', OUTSIDE ?? '', '--answers');
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${web.origin}/devices`);
    await page.getByText('Not possible here: needs HTTPS').waitFor();
    expect(await page.getByRole('button', { name: 'Notify this browser' }).count()).toBe(0);
    expect(complaints.filter((one) => !/Cross-Origin-Opener-Policy/.test(one))).toEqual([]);
    await context.close();
  });
});
