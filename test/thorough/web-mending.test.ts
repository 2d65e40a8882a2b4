/** @module-tag thorough */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { patience } from '../support/patience.ts';
import { CHROMIUM, WHY_NOT, faultsOf, listen, openBrowser } from '../support/browser.ts';
import { nonceTold } from '../support/answers.ts';
import { answerOnce, issue, judges } from '../support/scenario.ts';
import { write } from '../support/versions.ts';
import { webOf, type Served } from '../support/web.ts';

const SHOTS = process.env['ANDON_SHOTS'];
const [DESK, PHONE] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const HOSTILE = 'Say hello </textarea><img src=x onerror=alert(1)> \u202eevil';
const PROPOSAL = `# Proposal: Say hello
**Complexity:** minor
## Target
- \`docs/hello.md\`
## Requirements
- [ ] ${HOSTILE}
`;

describe.skipIf(CHROMIUM === undefined)(`what needs you is done in a browser${WHY_NOT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => browser.close());

  interface Shown {
    /** The repository, as the board names it in addresses. */
    readonly id: string;
    readonly web: Served;
    readonly page: Page;
    readonly complaints: () => readonly string[];
  }

  async function show(factory: Factory, viewport = PHONE, ...args: readonly string[]): Promise<Shown> {
    const web = await webOf(factory, ...args);
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(Math.min(patience(), 60_000));
    const page = await context.newPage();
    const complaints = listen(page, web.origin);
    await page.goto(web.link);
    await page.getByRole('heading', { level: 1, name: /need.? you/ }).waitFor();
    const own = await page.locator('a[href^="/?repository="]').first().getAttribute('href');
    // A refusal that was asked for is in the console of the browser as well.
    return {
      id: own?.replace('/?repository=', '') ?? '',
      web,
      page,
      complaints: () => complaints.filter((one) => !/status of 4(?:00|09|22)/.test(one)),
    };
  }

  const confirm = async (page: Page, what: string, sure: string): Promise<void> => {
    await page.getByRole('button', { name: what, exact: true }).click();
    await page.getByRole('button', { name: sure }).click();
  };

  /** What the board answers to a request that no button makes. */
  const send = (page: Page, path: string, body: object): Promise<string> =>
    page.evaluate(
      async ([to = '', text = '']) => {
        const headers = {
          'content-type': 'application/json',
          'x-andon-session': localStorage.getItem('andon-session') ?? '',
        };
        return (await fetch(to, { method: 'POST', headers, body: text })).text();
      },
      [path, JSON.stringify(body)],
    );

  const shot = async (page: Page, name: string): Promise<void> => {
    expect(await faultsOf(page), name).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(wide, name).toBe(0);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
  };

  test('a refused contract is shown at its faulty line, refused again, mended, and merged', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(aContract({ 'constraints.allowed_paths': ['../etc/'] }), 'queue/DOC-001.json');
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md') !== undefined);
    const { page, complaints } = await show(factory);
    await page.getByRole('link', { name: /Contract DOC-001\.json/ }).click();
    await page.locator('.file-fault pre', { hasText: '../etc/' }).waitFor();
    await shot(page, 'refused-phone');
    await page.getByRole('button', { name: /^Line \d+$/ }).click();
    const marked = await page.evaluate('getSelection().toString()');
    expect(marked).toContain('../etc/');
    const text = page.locator('#file-text');
    const written = await text.inputValue();
    await text.fill(written.replace('../etc/', '/etc/'));
    await confirm(page, 'Save', 'Confirm: save');
    await page.getByText('1 fault: nothing was written').waitFor();
    await page.locator('.file-fault pre', { hasText: '"/etc/"' }).waitFor();
    expect(factory.paper('queue/DOC-001.json')).toBe(written);
    await text.fill(written.replace('../etc/', 'docs/'));
    await confirm(page, 'Save', 'Confirm: save');
    await page.getByText('Saved _handoff/queue/DOC-001.json.').waitFor();
    await eventually(() => factory.isMerged(), 'the mended contract is merged');
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('a proposal is read task by task, changed, and approved as it was shown', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md') !== undefined);
    await dog.stop();
    const { page, complaints } = await show(factory, DESK);
    await page.getByRole('link', { name: /Proposed tasks/ }).click();
    await page.getByText('SAY-HELLO').first().waitFor();
    await page.getByText('May change: docs/hello.md').waitFor();
    await shot(page, 'proposal-desk');
    const text = page.locator('#file-text');
    expect(await text.inputValue()).toContain('\\u{202e}evil');
    expect(await text.isEditable()).toBe(false); // a save would write that into the file
    await page.getByText(join(factory.repo, '_handoff/PROPOSAL.md')).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const visible = PROPOSAL.replace('\u202e', '');
    factory.drop(visible.replace('hello.md', 'other.md'), 'PROPOSAL.md'); // meanwhile, by an editor
    await confirm(page, 'Approve this task', 'Confirm: approve');
    await page.getByText('was changed meanwhile').waitFor();
    expect(factory.paper('PROPOSAL_FINAL.md')).toBeUndefined();
    await page.reload();
    await page.getByRole('link', { name: /Proposed tasks/ }).click();
    await page.getByText('May change: docs/other.md').waitFor();
    await text.fill(visible.replace('hello.md', 'evening.md'));
    await confirm(page, 'Save', 'Confirm: save');
    await page.getByText('Saved _handoff/PROPOSAL.md.').waitFor();
    await page.reload();
    await page.getByRole('link', { name: /Proposed tasks/ }).click();
    await page.getByText('May change: docs/evening.md').waitFor();
    await confirm(page, 'Approve this task', 'Confirm: approve');
    await page.getByText('Approved: _handoff/PROPOSAL_FINAL.md.').waitFor();
    expect(factory.paper('PROPOSAL_FINAL.md')).toContain('docs/evening.md');
    expect(complaints()).toEqual([]);
  });

  test('a merge is undone after it was said what happens, and refused with the reason', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'there', run: 'test ! -f strict || test -f docs/auth_final.md' }] },
    });
    const { dog } = await factory.run(aContract());
    factory.write('strict', '');
    factory.git('add', 'strict');
    factory.git('commit', '--quiet', '--message=Stricter');
    const { page, complaints } = await show(factory);
    await page.getByRole('link', { name: /DOC-001/ }).click();
    await page.getByRole('button', { name: 'Undo this merge' }).click();
    await page.getByText(/^A new commit takes this change .* out of main again, if the gates are green/).waitFor();
    await shot(page, 'undo-phone');
    await page.getByRole('button', { name: 'Confirm: undo DOC-001' }).click();
    await page.getByText('these gates are red: there').waitFor();
    expect(factory.has('docs/auth_final.md')).toBe(true);
    factory.git('revert', '--no-edit', 'HEAD');
    await confirm(page, 'Undo this merge', 'Confirm: undo DOC-001');
    await page.getByText('merged, then undone').waitFor();
    await page.getByText('Undone: main does not have this change any more.').waitFor();
    await page.getByLabel('More pages').click();
    await page.getByRole('link', { name: 'Digest' }).click();
    await page.getByRole('heading', { name: /^Undone/ }).waitFor();
    expect(await page.getByRole('heading', { name: /^Merged/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo this merge' }).waitFor({ state: 'detached' });
    expect(factory.has('docs/auth_final.md')).toBe(false);
    expect(factory.git('log', '-1', '--format=%(trailers:key=Andon-Undo,valueonly)').trim()).toBe('DOC-001');
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('a call that waits is made now, and nothing is offered to retry where none waits', async () => {
    const factory = await aFactory(); // by itself it would be a minute until the next try
    const scenario = join(factory.folder, 'agents/scenario.json');
    const server = (runs: boolean): void => {
      const known = JSON.parse(readFileSync(scenario, 'utf8')) as object;
      writeFileSync(`${scenario}.new`, JSON.stringify({ ...known, ollama_server: runs }));
      renameSync(`${scenario}.new`, scenario); // a stand-in may be reading it
    };
    server(false);
    const dog = await factory.begin(aContract());
    await dog.until(/tries implementer again at/);
    const { page, complaints } = await show(factory);
    await page.getByRole('link', { name: /DOC-001/ }).click();
    expect(await page.locator('p.wait').first().innerText()).toMatch(/; asked again at [^TZ]+$/);
    server(true);
    await confirm(page, 'Retry now', 'Confirm: retry now');
    await eventually(() => factory.isMerged(), 'the task is merged');
    await page.getByRole('button', { name: 'Undo this merge' }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('a line that STOP holds goes on once the file that was shown is removed, and a pause ends the same way', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop('Not before lunch', 'STOP');
    factory.drop(aContract());
    await eventually(
      async () => (await factory.andon('status')).stdout.includes('_handoff/STOP is there'),
      'the line is held',
    );
    const { id, page, complaints } = await show(factory);
    await page.getByRole('link', { name: /Nothing starts/ }).click();
    await page.getByText('Not before lunch').waitFor();
    await shot(page, 'stop-phone');
    factory.drop('Not today', 'STOP'); // meanwhile, by another person
    await confirm(page, 'Remove STOP', 'Confirm: the line goes on');
    await page.getByText('was changed meanwhile').waitFor();
    expect(factory.paper('STOP')).toBe('Not today');
    await page.reload();
    await page.getByText('Not today').waitFor();
    await confirm(page, 'Remove STOP', 'Confirm: the line goes on');
    await page.getByText('Removed _handoff/STOP. The line goes on.').waitFor();
    await eventually(() => factory.isMerged(), 'the task is merged');
    await factory.andon('pause');
    factory.drop(aContract({ task_id: 'DOC-002' }));
    await page.goto(new URL('/', page.url()).href);
    await page.getByRole('link', { name: /Nothing starts/ }).click();
    const other = { do: 'unpause', since: '2026-01-01T00:00:00.000Z' };
    expect(await send(page, `/api/asks/${id}`, other)).toContain('the line was paused again');
    await page.getByRole('button', { name: 'Let it go on' }).click();
    await page.getByRole('button', { name: /^Confirm: .* goes on$/ }).click();
    await expect.poll(async () => (await factory.status()).paused).toBeNull();
    await dog.until(/DOC-002/); // it begins
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('a person who is the floor manager sends a change back to fix, and merges the next one, each bound to its report', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('The link is missing')] })), judges('PASS')],
      },
    });
    const dog = await factory.begin(aContract({ 'roles.floor_manager': 'human' }));
    await dog.until('waits for your _handoff/DECISION.json');
    const { id, page, web, complaints } = await show(factory);
    await page.getByRole('link', { name: /Waits for your decision/ }).click();
    await page.getByText(/^B1: .*The link is missing/).waitFor();
    await page.getByText('Only a PASS can be merged.').waitFor();
    await shot(page, 'decision-phone');
    const at = `/api/tasks/${id}/DOC-001/decision`;
    const merge = { nonce: nonceTold(dog), decision: 'merge' };
    expect(await send(page, at, merge)).toContain('only a PASS can be merged');
    expect(await send(page, at, { ...merge, nonce: 'another' })).toContain('outdated-choice');
    expect(factory.paper('DECISION.json')).toBeUndefined();
    factory.write('_handoff/DECISION.json', '{"task_id":"DOC-001","decision":"rebut","nonce":"old"}');
    await dog.until('_handoff/DECISION.json does not count: it names another nonce');
    await page.getByLabel('What the implementer is to do').fill('Say it in Latin');
    await confirm(page, 'Send it back to fix', 'Confirm: fix');
    await page.getByText('Decided: fix.').waitFor();
    await dog.until(() => factory.calls('implementer').some(({ prompt }) => prompt.includes('Say it in Latin')));
    await page.goto(web.origin);
    await page.getByRole('link', { name: /Waits for your decision/ }).click();
    await confirm(page, 'Merge', 'Confirm: merge DOC-001');
    await eventually(() => factory.isMerged(), 'the change is merged');
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('the wait for an external judge is seen, with the command and the file that end it', async () => {
    const factory = await aFactory({ projectConfig: { judge: 'external' } });
    const dog = await factory.begin(aContract());
    await dog.until(/waits for a judge/);
    const { page, complaints } = await show(factory);
    const row = page.locator('.row.waiting', { hasText: 'Waits for a judge' });
    expect(await row.innerText()).not.toContain('andon agents judge');
    await row.getByRole('link').click();
    await page.getByText(/^Waits for a judge\. Type andon agents judge, or rename /).waitFor();
    await shot(page, 'judge-phone');
    await dog.stop();
    expect(complaints()).toEqual([]);
  });

  test('nothing of it is offered where the board is read-only', async () => {
    const factory = await aFactory();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const { page } = await show(factory, PHONE, '--read-only');
    await page.getByRole('link', { name: /Proposed tasks/ }).click();
    await expect.poll(() => page.locator('#file-text').getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: /Approve|Save/ }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('link', { name: /DOC-001/ }).click();
    await page.getByText('Time and cost').waitFor();
    expect(await page.getByRole('button', { name: /Undo/ }).count()).toBe(0);
  });
});
