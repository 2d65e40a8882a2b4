import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';

const HAS_TMUX = spawnSync('tmux', ['-V']).status === 0;

/** `andon top` in a window of tmux. */
function inTmux(factory: Factory, columns: number, rows: number) {
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', join(factory.folder, 'tmux'), ...args], { env: factory.env, encoding: 'utf8' });
  const command = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${inject('andon')}' top`;
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    'top',
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-c',
    factory.repo,
    command,
  );
  onTestFinished(() => void spawnSync('tmux', ['-S', join(factory.folder, 'tmux'), 'kill-server']));
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'top');
  return {
    screen,
    press: (...keys: readonly string[]) => tmux('send-keys', '-t', 'top', ...keys),
    resize: (x: number, y: number) => tmux('resize-window', '-t', 'top', '-x', String(x), '-y', String(y)),
    isThere: (): boolean =>
      spawnSync('tmux', ['-S', join(factory.folder, 'tmux'), 'has-session', '-t', 'top']).status === 0,
    see: (text: string | RegExp): Promise<void> =>
      eventually(
        () => (typeof text === 'string' ? screen().includes(text) : text.test(screen())),
        `${String(text)} is seen`,
      ),
  };
}

describe.skipIf(!HAS_TMUX)(`the board in a terminal${HAS_TMUX ? '' : ' (not run: no tmux on this machine)'}`, () => {
  test('shows what needs you, is live, fits any window, and answers a halt after a question', async () => {
    const factory = await aFactory();
    const { dog, status } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
    expect(status).toBe('erik_consultation');
    await dog.stop();
    const top = inTmux(factory, 80, 24);
    await top.see('> DOC-001  halted by destructive_action');
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
    await top.see('> DOC-001');
    top.press('2');
    await top.see('y does it');
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');
    top.press('n');
    await top.see('nothing was asked for');
    top.press('2');
    await top.see('y does it');
    top.press('y');
    await top.see('done: pending_implementer');
    expect((await factory.show('DOC-001')).status).toBe('pending_implementer');
    top.press('q');
    await eventually(() => !top.isThere(), 'it has ended');
  });
});
