/** @module-tag thorough */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aContract, type Contract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { aNote, notesOf, TOO_LARGE } from '../support/parked.ts';
import { writes } from '../support/scenario.ts';

const HAS_TMUX = spawnSync('tmux', ['-V']).status === 0;

/** An andon in a window of tmux. */
function inTmux(
  factory: Factory,
  columns: number,
  rows: number,
  words = 'top',
  more: Readonly<Record<string, string>> = {},
) {
  const socket = join(factory.folder, 'tmux');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, ...args], { env: factory.env, encoding: 'utf8' });
  const set = Object.entries(more).map(([name, value]) => `${name}='${value}' `);
  const program = `'${process.execPath}' --disable-warning=ExperimentalWarning '${inject('andon')}'`;
  const name = words.replaceAll(/[ .:]/g, '-');
  const size = ['-x', String(columns), '-y', String(rows), '-c', factory.repo];
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', name, ...size, `${set.join('')}exec ${program} ${words}`);
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const screen = (...how: readonly string[]): string => tmux('capture-pane', '-p', ...how, '-t', name);
  const press = (...keys: readonly string[]): string => tmux('send-keys', '-t', name, ...keys);
  const see = (text: string | RegExp): Promise<void> =>
    eventually(
      () => (typeof text === 'string' ? screen().includes(text) : text.test(screen())),
      `${String(text)} is seen`,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${screen()}`);
    });
  return {
    screen,
    press,
    /** Chooses a path of the halt, and is asked back. */
    choose: async (path: '1' | '2'): Promise<void> => {
      press(path);
      await see('y does it');
    },
    resize: (x: number, y: number) => tmux('resize-window', '-t', name, '-x', String(x), '-y', String(y)),
    isThere: (): boolean => spawnSync('tmux', ['-S', socket, 'has-session', '-t', name]).status === 0,
    see,
  };
}

/** An address of this machine that others could reach it by. */
const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const TITLES = {
  'DOC-001': 'Authentication in one document that replaces the two old ones',
  'DOC-002': '請求書の番号を国ごとに変える',
  'DOC-006': 'Notes',
};
const LONG = Array.from({ length: 48 }, (_, at) => `Sentence ${at} of the whole document.`).join('\n');

/** Two repositories: three halts, a task that waits for one of them, one at work, one merged. */
async function aScene(): Promise<Factory> {
  const notes = notesOf(['DOC-002', 'DOC-003', 'DOC-006'], {
    implementer: [writes({ 'docs/auth_final.md': `${LONG}\n` })],
  });
  const atWork = writes({}, { when: { includes: ['Write the note of DOC-005'] }, does: [{ 'wait-for': 'go' }] });
  const factory = await aFactory({
    scenario: { ...notes, implementer: [atWork, ...(notes.implementer ?? [])] },
    apart: true,
  });
  const other = join(factory.folder, 'Project-B');
  execFileSync('git', ['clone', '--quiet', factory.repo, other], { env: factory.env });
  const dog = await factory.watch();
  const titled = (id: keyof typeof TITLES) => ({ title: TITLES[id], ...TOO_LARGE });
  factory.drop(aContract(titled('DOC-001')));
  await dog.until(() => factory.isHalted());
  for (const contract of [aNote('DOC-002', titled('DOC-002')), aNote('DOC-003')]) {
    factory.drop(contract, `queue/${contract.task_id}.json`);
    const ended = contract.task_id === 'DOC-003' ? 'archive/DOC-003' : `tasks/${contract.task_id}`;
    await dog.until(() => factory.has(`_handoff/${ended}`));
  }
  factory.drop(aNote('DOC-004', { after: ['DOC-001'] }), 'queue/DOC-004.json');
  const { output } = factory.start(['watch'], other);
  mkdirSync(join(other, '_handoff/queue'), { recursive: true });
  const give = (contract: Contract): void =>
    writeFileSync(join(other, `_handoff/queue/${contract.task_id}.json`), JSON.stringify(contract));
  give(aNote('DOC-006', titled('DOC-006')));
  await eventually(() => output().includes('DOC-006 is halted'), 'the other repository halts');
  give(aNote('DOC-005'));
  return factory;
}

describe.skipIf(!HAS_TMUX)(`the board in a terminal${HAS_TMUX ? '' : ' (not run: no tmux on this machine)'}`, () => {
  test.skipIf(OUTSIDE === undefined)('andon web draws its link as a QR code where a phone can reach it', async () => {
    const factory = await aFactory();
    const local = inTmux(factory, 100, 40, 'web --port 0');
    await local.see('a phone cannot reach 127.0.0.1');
    expect(local.screen()).not.toContain('█');
    const bound = inTmux(factory, 100, 40, `web --port 0 --bind ${OUTSIDE ?? ''}`);
    await bound.see('scan it with a phone');
    const rows = bound.screen().split('\n');
    const drawn = rows.filter((row) => /^[ ▀▄█]{30,}$/.test(row));
    expect(drawn.length).toBeGreaterThan(15);
    expect(new Set(drawn.map((row) => row.length)).size).toBe(1);
    const narrow = inTmux(factory, 30, 40, `web  --port 0 --bind ${OUTSIDE ?? ''}`);
    await narrow.see('widen this terminal');
  });

  test('shows what needs you, is live, fits any window, and answers a halt after a question', async () => {
    const factory = await aFactory();
    const { dog, status } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
    expect(status).toBe('erik_consultation');
    await dog.stop();
    const top = inTmux(factory, 80, 24);
    await top.see(/^>! DOC-001 .*The change exceeds its/m);
    await top.see('q quit');
    factory.drop(aContract({ task_id: 'DOC-002' }), 'queue/DOC-002.json');
    await top.see(/Waiting \(1\)/);
    top.resize(200, 60);
    await top.see(/Waiting \(1\)/);
    top.resize(40, 12);
    await eventually(
      () =>
        top
          .screen()
          .split('\n')
          .every((line) => line.length <= 40),
      'it fits',
    );
    top.resize(80, 24);
    top.press('d');
    await top.see('diff of DOC-001');
    top.press('Escape');
    await top.see(/^>! DOC-001 /m);
    await top.choose('2');
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');
    top.press('n');
    await top.see('nothing was asked for');
    await top.choose('2');
    top.press('y');
    await top.see('done: pending_implementer');
    expect((await factory.show('DOC-001')).status).toBe('pending_implementer');
    top.press('q');
    await eventually(() => !top.isThere(), 'it has ended');
  });

  test('shows two repositories in columns at every size, looks for a task, and sends a change back from its line', async () => {
    const factory = await aScene();
    const top = inTmux(factory, 80, 24);
    await top.see('Needs you (3)');
    await top.see('DOC-001 · Project-A · attempt 1');
    await top.see('Blocked by DOC-001 (Auth');
    for (const [id, title] of Object.entries(TITLES)) {
      const screen = top.screen();
      const row = screen.slice(screen.indexOf(`! ${id}`)).slice(0, 240);
      for (const word of [...(title.match(/[A-Za-z]+|\S/gu) ?? []), 'The', 'change', 'exceeds', 'its', 'limits'])
        expect(row).toContain(word);
    }
    expect(top.screen()).toMatch(/^ \* DOC-005 /m);

    top.resize(120, 40);
    await top.see('─ change ─');
    const coloured = top.screen('-e');
    for (const code of ['7m', '31m', '32m', '2m']) expect(coloured).toContain(`\u001b[${code}`);
    const used = top
      .screen()
      .split('\n')
      .filter((line) => line.replaceAll('│', '').trim() !== '');
    expect(used.length).toBeGreaterThanOrEqual(36);
    for (const words of ['Contract', 'Implementer', '1  ', '2  ', 'c  Send it back with a comment', '+48 −0'])
      expect(top.screen()).toContain(words);
    top.resize(200, 60);
    await top.see(/ ! DOC-006 +Project-B +/);
    top.resize(60, 20);
    await top.see(/^>! DOC-001 /m);
    top.resize(80, 24);

    top.press('o', 'o');
    await top.see('Only Project-B: 2. esc shows all');
    top.press('Escape');
    await top.see('Needs you (3)');
    top.press('/', '請', '求');
    await top.see('Only “請求”: 1. esc shows all');
    top.press('Enter', 'Enter');
    await top.see('DOC-002 (1 of ');
    top.press('Escape');
    await top.see('Only “請求”');
    top.press('Escape');
    await top.see('Needs you (3)');

    top.press('g', 'd');
    await top.see(/diff of DOC-001 \(1 of \d\d\)/); // it is read
    top.press('Space');
    await eventually(() => !top.screen().includes('(1 of '), 'a page on');
    top.press('c');
    await top.see(/words: docs\/auth_final\.md:\d+ _/);
    const line = /auth_final\.md:(\d+) _/.exec(top.screen())?.[1];
    top.press('-l', 'Say this in one sentence');
    await top.see('in one sentence_');
    top.press('Enter');
    await top.see('done: ');
    await eventually(
      async () => (await factory.show('DOC-001')).story.some(({ text }) => text.includes('sent back with 1 comment')),
      'it was sent back',
    );
    const told = await factory.story();
    expect(told).toContain(`docs/auth_final.md:${line ?? ''}: Say this in one sentence`);
  });

  test('is what andon watch shows in a terminal: answered there, closed without an end, and no worse for a kill', async () => {
    const factory = await aFactory();
    const watch = inTmux(factory, 100, 30, 'watch', { NO_COLOR: '1' });
    await watch.see('Needs you (0)');
    factory.drop(aContract({ 'constraints.max_diff_size': 1 }));
    await watch.see(/^>! DOC-001 /m);
    await watch.see('The change exceeds its limits');
    await watch.see('DOC-001 is halted. Read'); // the watchdog's own word, above the keys
    expect(watch.screen('-e')).not.toContain('\u001b['); // no colour
    watch.press('Enter');
    await watch.see(/^2 {2}/m);
    await watch.see('─ change ─');
    await watch.choose('2');
    watch.press('y');
    await watch.see(/Needs you \(1\)/); // it halts again: the limit stands
    watch.press('w');
    await watch.see('what the watchdog said');
    watch.press('q');
    await watch.see('Needs you (1)');
    watch.press('q');
    await watch.see('the board is closed, andon goes on watching');
    expect(watch.screen()).toContain('is halted');

    const top = inTmux(factory, 100, 30);
    await top.see('The change exceeds its limits');
    const { watchdog } = await factory.status();
    process.kill(watchdog?.pid ?? 0, 'SIGKILL');
    await top.see('No watchdog is running');
    const again = inTmux(factory, 100, 30, 'watch --plain');
    await again.see('watches');
    await eventually(() => !top.screen().includes('No watchdog is running'), 'the board sees the watchdog again');
    again.press('C-c');
    await eventually(() => !again.isThere(), 'it ends');
    const last = inTmux(factory, 60, 20, 'watch');
    await last.see('Needs you (1)');
    last.press('C-c');
    await eventually(() => !last.isThere(), 'the watchdog ends with its board');
    expect((await factory.status()).watchdog).toBeNull();
  });
});
