import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';
import { issue, judges, once } from '../support/scenario.ts';
import { PATH, resume, write } from '../support/versions.ts';

/** What somebody writes who wants to break out of a page, a Markdown reader or a terminal. */
const HOSTILE =
  '</script><img src=x onerror=alert(1)> "><svg onload=alert(2)> [x](javascript:alert(3)) <!-- \u001b]0;t\u0007\u001b[31m \u202eevil';

/** A task that met everything: a red gate, a FAIL, a halt with a choice, and a merge. */
async function anEventfulTask(requirement = 'Merge both documents into one'): Promise<Factory> {
  const factory = await aFactory({
    projectConfig: { gates: [{ name: 'not one', run: `! grep 'Version 1' ${PATH}` }] },
    scenario: {
      implementer: [once(write(1)), once(write(2)), once(write(3)), write(4)],
      judge: [
        once(judges('FAIL', { blocking_issues: [issue(`The link to tokens is missing ${HOSTILE}`)] })),
        once(judges('CRITICAL_HALT', { summary: `Look at this ${HOSTILE}` })),
        judges('PASS'),
      ],
    },
  });
  const { dog } = await factory.run(aContract({ 'specification.requirements': [requirement] }));
  expect(factory.breaker()).toBe('judge_halt');
  await resume(factory, 1);
  await dog.until(() => factory.isMerged());
  await dog.stop();
  return factory;
}

/** A merged task without any adventure. */
async function aMergedTask(): Promise<Factory> {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract());
  await dog.stop();
  return factory;
}

const page = async (factory: Factory): Promise<string> => {
  const { code, stdout, stderr } = await factory.andon('report', 'DOC-001', '--html');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('andon report', () => {
  test('tells a task with a red gate, a FAIL, a halt and a merge, and writes nothing by itself', async () => {
    const factory = await anEventfulTask(`Merge both; ${HOSTILE}`);
    const before = [factory.snapshot(), readdirSync(factory.repo)];
    const { code, stdout, stderr } = await factory.andon('report', 'DOC-001');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of [
      /^DOC-001 was merged into main .* 4 attempts; sent back once by gates, once by the judge and once by a human; stopped by judge\\?_halt, .* chose path 1; judged PASS in round 3 and merged on andon’s policy\.$/m,
      /^\| Judge 1 \| 2 \| FAIL \| 1 \| 1 \| 0 \| 0 \| 1 of 1 \|$/m,
      /^\| Judge 2 \| 3 \| CRITICAL_HALT \|/m,
      /^\| 1 \| not one \| red \| 1 \|/m,
      /^- Path 1 \*\*\(chosen\)\*\*: /m,
      /^\+Version 4\.$/m,
      new RegExp(`^\\| Merge commit \\| ${factory.merges()[0]} \\|$`, 'm'),
      new RegExp(`^\\| 4 \\| .* refs/andon/DOC-001/4 \\| merged into main`, 'm'),
    ])
      expect(stdout).toMatch(text);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    const html = await page(factory);
    expect(html).toContain('refs/andon/DOC-001/4');
    expect(html).not.toMatch(/<script|<img|<svg onload/);
    const facts = JSON.parse((await factory.andon('report', 'DOC-001', '--json')).stdout) as object;
    expect(facts).toMatchObject({
      status: 'merged',
      journal_is_whole: true,
      halts: [{ trip: { breaker: 'judge_halt' }, choice: { path: 1, how: 'andon resume' } }],
      rounds: { 1: { by: 'judge', verdict: 'FAIL', blocking: [{ gone_in_next_round: true }] } },
      attempts: [{ gates: [{ outcome: 'red' }] }, {}, {}, { ref: 'refs/andon/DOC-001/4' }],
    });
    expect([factory.snapshot(), readdirSync(factory.repo)]).toEqual(before);
  });

  test('tells a task that waits for you, and one that nobody knows is refused', async () => {
    const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
    await factory.run(aContract());
    const { stdout } = await factory.andon('report', 'DOC-001');
    expect(stdout).toMatch(/^# DOC-001: waits for you$/m);
    expect(stdout).toContain('Nobody has chosen yet.');
    for (const text of [stdout, await page(factory)])
      expect(text).toMatch(/andon resume DOC-001 --path 2 --halt DOC-001-\d/);
    expect(await factory.andon('report', 'NO-1')).toMatchObject({ code: 2, stdout: '' });
  });

  test('goes where --out says, as the name of the file says, and replaces only a report', async () => {
    const factory = await aMergedTask();
    const write = (...args: string[]) => factory.andon('report', 'DOC-001', ...args);
    for (const round of ['new', 'replaced'])
      for (const [file, start] of [
        ['report.html', '<!doctype html>'],
        ['report.md', '<!-- andon report -->'],
      ] as const) {
        expect([round, (await write('--out', file)).stdout]).toEqual([round, `wrote ${join(factory.repo, file)}\n`]);
        expect(factory.read(file).startsWith(start)).toBe(true);
      }
    expect((await write('--md', '--out', 'page.html')).code).toBe(0);
    expect(factory.read('page.html').startsWith('<!-- andon report -->')).toBe(true);
    expect(readdirSync(factory.repo).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('refuses a place where something could be lost, in one sentence, and leaves it as it was', async () => {
    const factory = await aMergedTask();
    symlinkSync('.git', join(factory.repo, 'sneaky'));
    symlinkSync('README.md', join(factory.repo, 'link.html'));
    mkdirSync(join(factory.repo, 'folder'));
    writeFileSync(join(factory.repo, 'mine.html'), '<!doctype html><title>mine</title>');
    const readme = factory.read('README.md');
    const states = join(factory.folder, 'state/andon/repositories');
    const state = join(states, readdirSync(states)[0] ?? '');
    for (const [place, sentence] of [
      ['README.md', 'is there already and is no report of andon'],
      ['mine.html', 'is there already and is no report of andon'],
      ['.git/report.html', 'lies inside .git'],
      ['sneaky/report.html', 'lies inside .git'],
      ['sneaky', 'is no plain file'],
      ['link.html', 'is no plain file'],
      ['_handoff/TASK_CONTRACT.json', 'belongs to the line'],
      ['folder', 'is a folder'],
      ['nowhere/report.html', 'lies in a folder that is not there'],
      [join(state, 'report.html'), "lies in andon's own state"],
    ] as const) {
      const { code, stdout, stderr } = await factory.andon('report', 'DOC-001', '--out', place);
      expect({ place, code, stdout }).toEqual({ place, code: 2, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
    }
    expect(factory.read('README.md')).toBe(readme);
    expect(factory.read('mine.html')).toBe('<!doctype html><title>mine</title>');
    expect(existsSync(join(factory.repo, '.git/report.html'))).toBe(false);
    expect(existsSync(join(factory.handoff, 'TASK_CONTRACT.json'))).toBe(false);
    const two = await factory.andon('report', 'DOC-001', '--html', '--md');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--html and --md are two forms')]);
    const kept = await factory.andon('report', 'DOC-001', '--json', '--out', 'facts.json');
    expect([kept.code, existsSync(join(factory.repo, 'facts.json'))]).toEqual([2, false]);
  });
});

/** A real browser on PATH; undefined where there is none. */
const BROWSER = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((file) => existsSync(file));

/** What a browser makes of a page: its elements, what it complains about, and a picture. */
function browse(factory: Factory, html: string, ...flags: string[]) {
  const file = join(factory.folder, 'page.html');
  const picture = join(factory.folder, 'picture.png');
  writeFileSync(file, html);
  const open = (...more: string[]) =>
    spawnSync(
      BROWSER ?? '',
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
  const title =
    BROWSER === undefined
      ? 'NOT TESTED HERE: no chromium or google-chrome on PATH'
      : 'shows everything, runs nothing, complains about nothing, in light, in dark and on a phone';
  test.skipIf(BROWSER === undefined)(title, async () => {
    const factory = await anEventfulTask(`Merge both; ${HOSTILE}`);
    const html = await page(factory);
    const light = browse(factory, html, '--window-size=1100,1500');
    expect(light.said).toEqual([]);
    expect(light.dom).toMatch(/<title>DOC-001: merged \(andon report\)<\/title>/);
    expect(light.dom.match(/<svg class="picture"/g)).toHaveLength(4);
    expect(light.dom.match(/<h2 id=/g)).toHaveLength(10);
    expect(light.dom).toMatch(/<td class="k">Judge 1<\/td>/);
    expect(light.dom).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(light.dom).not.toMatch(/<(?:script|img|iframe|object|link)\b/);
    const dark = browse(factory, html, '--window-size=1100,1500', '--blink-settings=preferredColorScheme=0');
    for (const { picture } of [light, dark]) {
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect(picture.length).toBeGreaterThan(40_000);
    }
    expect(dark.picture.equals(light.picture)).toBe(false);
    expect(browse(factory, onPhone(html), '--window-size=500,900').dom).toContain('<title>wide 390</title>');
  });

  test.skipIf(BROWSER === undefined)(
    BROWSER === undefined ? 'NOT TESTED HERE: no browser, so no proof that it is heard' : 'would be heard to complain',
    async () => {
      const factory = await aFactory();
      const bad = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p>x<img src="http://127.0.0.1:9/x.png">`;
      expect(browse(factory, bad).said.join()).toContain('Content Security Policy');
    },
  );
});
