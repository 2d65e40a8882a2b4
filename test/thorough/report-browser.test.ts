/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, WHY_NOT } from '../support/browser.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { HOSTILE, anEventfulTask, page } from '../support/eventful-task.ts';

/** What a browser makes of a page: its elements, what it complains about, and a picture. */
function browse(factory: Factory, html: string, ...flags: string[]) {
  const file = join(factory.folder, 'page.html');
  const picture = join(factory.folder, 'picture.png');
  writeFileSync(file, html);
  const open = (...more: string[]) =>
    spawnSync(
      CHROMIUM ?? '',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        '--enable-logging=stderr',
        `--user-data-dir=${join(factory.folder, 'browser')}`,
        ...flags,
        ...more,
        `file://${file}`,
      ],
      { encoding: 'utf8', timeout: 60_000, env: factory.env },
    );
  const shown = open('--dump-dom');
  open(`--screenshot=${picture}`);
  return {
    dom: shown.stdout,
    said: shown.stderr.split('\n').filter((line) => line.includes(':CONSOLE')),
    picture: existsSync(picture) ? readFileSync(picture) : Buffer.alloc(0),
  };
}

/** Another page that shows the report in a frame as wide as a phone, and writes down how wide it became. */
const onPhone = (html: string): string =>
  `<title>?</title><iframe width="390" height="800" srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>
<script>onload = () => { document.title = 'wide ' + document.querySelector('iframe').contentDocument.documentElement.scrollWidth }</script>`;

describe('the page in a real browser', () => {
  test.skipIf(CHROMIUM === undefined)(
    `shows everything, runs nothing, complains about nothing, in light, in dark and on a phone${WHY_NOT}`,
    async () => {
      const factory = await anEventfulTask(`Merge both; ${HOSTILE} ${'x'.repeat(300)}`);
      const html = await page(factory);
      const light = browse(factory, html, '--window-size=1100,1500');
      expect(light.said).toEqual([]);
      expect(light.dom).toMatch(/<title>DOC-001: merged \(andon report\)<\/title>/);
      expect(light.dom.match(/<svg class="picture"/g)).toHaveLength(1);
      expect(light.dom.match(/<h2 id=/g)).toHaveLength(11);
      expect(light.dom).toMatch(/<h3>Judge 1: /);
      expect(light.dom).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
      expect(light.dom).not.toMatch(/<(?:script|img|iframe|object|link)\b/);
      const dark = browse(factory, html, '--window-size=1100,1500', '--blink-settings=preferredColorScheme=0');
      for (const { picture } of [light, dark]) {
        expect(picture.subarray(1, 4).toString()).toBe('PNG');
        expect(picture.length).toBeGreaterThan(40_000);
      }
      expect(dark.picture.equals(light.picture)).toBe(false);
      expect(browse(factory, onPhone(html), '--window-size=500,900').dom).toContain('<title>wide 390</title>');
    },
  );

  test.skipIf(CHROMIUM === undefined)(`would be heard to complain${WHY_NOT}`, async () => {
    const factory = await aFactory();
    const bad = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p>x<img src="http://127.0.0.1:9/x.png">`;
    expect(browse(factory, bad).said.join()).toContain('Content Security Policy');
  });
});
