/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { CHROMIUM, WHY_NOT, faultsOf, listen, openBrowser } from '../support/browser.ts';
import { eventually } from '../support/factory.ts';
import { patience } from '../support/patience.ts';
import { TALKERS_TASK, aTalker, letAnswer } from '../support/talker.ts';
import { webOf } from '../support/web.ts';

const HOSTILE = String.raw`printf '</pre><script>alert(1)</script> \342\200\256evil\033[2J\n'`;

describe.skipIf(CHROMIUM === undefined)(`an agent at work in a browser${WHY_NOT}`, () => {
  test('is watched on its row and on the page of its task, as text, until its call ends', async () => {
    const factory = await aTalker(HOSTILE);
    const dog = await factory.begin(TALKERS_TASK);
    const web = await webOf(factory);
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(patience());
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    const strip = page.getByRole('list', { name: 'Status' });
    await strip.getByText('● live').waitFor();
    await strip.getByText('DOC-001 writing').waitFor();
    const line = page.locator('.row.working .live-line');
    await line.getByText(/^looked at \d+$/).waitFor();
    const before = await line.innerText();
    await expect.poll(() => line.innerText(), { timeout: patience() }).not.toBe(before);
    expect((await line.boundingBox())?.height).toBeLessThan(30);
    expect(await faultsOf(page)).toEqual([]);

    await page.locator('.row a', { hasText: 'DOC-001' }).click();
    const tail = page.getByRole('region', { name: 'Live' }).locator('pre');
    await expect.poll(() => tail.innerText(), { timeout: patience() }).toMatch(/looked at \d+\n.*looked at \d+/);
    await expect
      .poll(async () => (await tail.innerText()).split('\n').length, { timeout: patience() })
      .toBeGreaterThan(20);
    const below = await page.evaluate(
      "{ const one = document.querySelector('.live-tail'); one.scrollHeight - one.scrollTop - one.clientHeight }",
    );
    expect(below).toBeLessThan(30);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Queue' }).click();
    await strip.getByText('● live').waitFor(); // on every page
    await page.goBack();
    await tail.waitFor();

    letAnswer(factory);
    await eventually(() => factory.isMerged(), 'the task is merged');
    await tail.waitFor({ state: 'detached' });
    await strip.getByText('nothing is working').waitFor();
    await web.stop();
    await strip.getByText('○ offline').waitFor();
    expect(complaints.filter((one) => !/ERR_CONNECTION|net::/.test(one))).toEqual([]);
    await dog.stop();
    await browser.close();
  });

  test('shows what it writes as text alone', async () => {
    const factory = await aTalker(`${HOSTILE}; sleep 600`);
    const dog = await factory.begin(TALKERS_TASK);
    const web = await webOf(factory);
    const browser = await openBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(patience());
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    await page.locator('.live-line').getByText('</pre><script>alert(1)</script> \\u{202e}evil').waitFor();
    await page.locator('.row a', { hasText: 'DOC-001' }).click();
    await page.locator('.live-tail').getByText('</pre><script>alert(1)</script> \\u{202e}evil').waitFor();
    expect(complaints).toEqual([]);
    await web.stop();
    await dog.stop();
    await browser.close();
  });
});
