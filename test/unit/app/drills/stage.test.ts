import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listChangedPaths, lookAtCheckout } from '../../../../src/app/drills/stage.ts';
import { listHaltFlaws } from '../../../../src/app/drills/run-drill.ts';
import { listDrillProcesses } from '../../../../src/app/drills/stage.ts';
import { TASK } from '../../../../src/app/drills/scenario.ts';
import { renderHalt } from '../../../../src/line/halts/halt-report.ts';
import { aHalt, aRecord } from '../../../support/records.ts';

function aFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-look-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a drill that looks at a halt report', () => {
  const halt = aHalt({ id: `${TASK}-7` });
  const report = renderHalt(aRecord({ taskId: TASK, halt }), halt, '');

  it('is content with the one that andon writes', () => {
    expect(listHaltFlaws(report, halt)).toBeUndefined();
  });

  it.each([
    ['nothing', '', /rebuttal_limit/],
    ['half a report', report.slice(0, report.indexOf('## The State')), /## The State/],
    ['a report without its last byte', report.slice(0, -1), /breaks off/],
    ['a report without the second path', report.replace('### Path 2: ', '### Another way: '), /### Path 2: /],
    ['a report without the command of a path', report.replaceAll(`--path 1`, '--path one'), /--path 1/],
    ['a report without the conflict', report.replace('## The Conflict', '## Conflict'), /## The Conflict/],
    ['the report of another halt', report.replaceAll(`${TASK}-7`, `${TASK}-6`), /--halt /],
    [
      'the report of another breaker',
      report.replace(' (rebuttal_limit): ', ' (not_rebuttal_limit): '),
      /rebuttal_limit/,
    ],
  ])('finds %s', (_, text, flaw) => {
    expect(listHaltFlaws(text, halt)).toMatch(flaw);
  });
});

describe("a drill that looks at the user's checkout", () => {
  const look = (change: (root: string) => void): readonly string[] => {
    const root = aFolder();
    for (const folder of ['docs', '_handoff', '.git/refs/heads/task', '.git/refs/andon/DRILL-1', '.git/objects'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['docs/a.md', '.git/index', '.git/config', '.git/HEAD', '.git/refs/heads/main'])
      writeFileSync(join(root, file), file);
    const before = lookAtCheckout(root);
    change(root);
    return listChangedPaths(before, lookAtCheckout(root));
  };

  it.each([
    ['an edited file', 'docs/a.md', (root: string) => writeFileSync(join(root, 'docs/a.md'), 'other')],
    ['a new file', 'docs/b.md', (root: string) => writeFileSync(join(root, 'docs/b.md'), '')],
    ['a removed file', 'docs/a.md', (root: string) => rmSync(join(root, 'docs/a.md'))],
    ['a changed mode', 'docs/a.md', (root: string) => chmodSync(join(root, 'docs/a.md'), 0o700)],
    ['a changed index', '.git/index', (root: string) => writeFileSync(join(root, '.git/index'), 'other')],
    [
      'a moved branch',
      '.git/refs/heads/main',
      (root: string) => writeFileSync(join(root, '.git/refs/heads/main'), 'x'),
    ],
    ['a hook', '.git/hooks-x', (root: string) => writeFileSync(join(root, '.git/hooks-x'), '')],
  ])('finds %s', (_, path, change) => {
    expect(look(change)).toEqual([path]);
  });

  it("does not mind andon's own folder, objects and refs", () => {
    const own = ['_handoff/x', '.git/objects/x', '.git/refs/andon/DRILL-1/1', '.git/refs/heads/task/DRILL-1'];
    expect(look((root) => own.forEach((path) => writeFileSync(join(root, path), 'x')))).toEqual([]);
  });
});

describe.runIf(existsSync('/proc'))('a drill that looks for processes', () => {
  it.each([
    ['works in the folder', (folder: string) => ({ cwd: folder, env: {} })],
    ['has the folder in its environment', (folder: string) => ({ cwd: '/', env: { SOME: `${folder}/x` } })],
  ])('finds one that %s, until it is gone', async (_, options) => {
    const folder = aFolder();
    const child = spawn('/bin/sleep', ['60'], { ...options(folder), stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => listDrillProcesses(folder, []).map(({ pid }) => pid)).toEqual([child.pid]);
    expect(listDrillProcesses(folder, [child.pid ?? 0])).toEqual([]);
    child.kill('SIGKILL');
    await gone;
    expect(listDrillProcesses(folder, [])).toEqual([]);
  });
});
