import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BOUNDS } from '../../../scripts/bench/bounds.ts';
import { median, percentile } from '../../../scripts/bench/figures.ts';
import { waitOf } from '../../../scripts/bench/lag.ts';
import { NAMES, WrongInput, readOptions } from '../../../scripts/bench/options.ts';
import { judgeFigures } from '../../../scripts/bench/report.ts';

const BENCH = join(import.meta.dirname, '../../../scripts/bench');

/** Runs a program and gives back how it ended. */
function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const bench = (...args: string[]) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(BENCH, 'main.ts'), ...args]);

describe('the bench command', { tags: 'thorough' }, () => {
  test.each([
    [['speed'], 'there is no benchmark "speed"'],
    [[], 'no benchmark is named'],
    [['line', '--repo'], '--repo needs a value'],
    [['line', '--pairs', '0'], '--pairs must be a whole number from 1 on'],
    [['line', '--bound', 'P99=1'], '--bound takes ID=NUMBER'],
    [['line', '--fast'], '"--fast" is not known here'],
  ])('refuses %j in one sentence that says what to type', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(WrongInput);
    expect(() => readOptions(args)).toThrow(sentence);
    expect(() => readOptions(args)).toThrow(/^[^\n]+$/);
    for (const name of NAMES) expect(() => readOptions(args)).toThrow(name);
  });

  test('says what is refused on the error stream alone, and ends with 2', async () => {
    const { code, stdout, stderr } = await bench('line', '--fast');
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(stderr).toContain('"--fast" is not known here');
  });

  test('measures, prints both sides, and ends with 1 when a bound is broken', async () => {
    const { code, stdout } = await bench('start', '--pairs', '1', '--bound', 'P11=0.1', '--json');
    const said = JSON.parse(stdout) as { sides: { label: string; values: number[] }[]; figures: object[] };
    expect(code).toBe(1);
    expect(said.sides.map(({ label }) => label)).toContain('node -e 0');
    expect(said.sides.every(({ values }) => values.length === 1)).toBe(true);
    expect(said.figures).toContainEqual(expect.objectContaining({ id: 'P11', limit: 0.1, kept: false }));
    expect(stdout).toContain('a quick try');
  });
});

describe('the lag of a daemon', () => {
  test('is that of who comes at any moment: a block counts by its length, not as one tick of many', () => {
    const calm = Array.from({ length: 999 }, () => 0);
    expect(waitOf(calm, 99)).toBeCloseTo(0, 3);
    // 99 ticks of 5 ms and one that is 500 ms late: half of the time somebody waits, and only 10 ms are the hundredth part.
    expect(waitOf([...calm.slice(0, 99), 500], 99)).toBeCloseTo(490, 3);
    expect(waitOf([...calm.slice(0, 99), 500], 50)).toBeCloseTo(0, 3);
  });
});

describe('a bound', () => {
  const judged = (key: string, value: number): boolean | undefined =>
    judgeFigures({ name: '', notes: [], sides: [], figures: [{ key, label: '', value }] }, BOUNDS)[0]?.kept;

  test.each([
    ['line.small.wall', 1, true],
    ['line.small.wall', 1.01, false],
    ['line.big.wall', 0.51, false],
    ['throughput.share', 0.6, true],
    ['throughput.share', 0.59, false],
    ['start.version', Number.NaN, false],
    ['start.status', 2.5, true],
    ['start.status', 2.6, false],
    ['flood.share', 1000, true],
  ])('holds %s at %d: %s', (key, value, kept) => {
    expect(judged(key, value)).toBe(kept);
  });

  test('is in the table for every goal that is measured', () => {
    expect([...new Set(BOUNDS.map(({ id }) => id))]).toEqual([
      'P1',
      'P2',
      'P4',
      'P5',
      'P5b',
      'P7',
      'P8',
      'P11',
      'P12',
      'P13',
      'R1',
      'R2',
      'R3',
      'R4',
      'R5',
      'M1',
      'M2',
      'F1',
      'D1',
      'D2',
      'B1',
      'B2',
      'B3',
    ]);
    expect(readOptions(['soak', '50']).tasks).toBe(50);
  });

  test('is held against medians and percentiles', () => {
    expect(median([3, 1, 100])).toBe(3);
    expect(median([1, 2])).toBe(1.5);
    expect(percentile([...Array.from({ length: 101 }).keys()], 99)).toBe(99);
  });
});

describe('the shell script that andon is measured against', () => {
  const hasJq = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'jq')));

  function aRepository(): { readonly folder: string; readonly git: (...args: string[]) => string } {
    const folder = mkdtempSync(join(tmpdir(), 'andon-baseline-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder, stdio: 'pipe' }).toString().trimEnd();
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Erik');
    git('config', 'user.email', 'erik@example.org');
    git('commit', '--quiet', '--allow-empty', '--message=first');
    return { folder, git };
  }

  test.skipIf(!hasJq).each(['switch', 'worktree'])(
    'really merges a task in mode %s',
    { tags: 'thorough' },
    async (mode) => {
      const { folder, git } = aRepository();
      expect(await run('bash', [join(BENCH, 'baseline-task.sh'), folder, 'T-1', mode])).toMatchObject({ code: 0 });
      expect(git('show', '--stat', '--format=%s %p', '-m', 'main')).toMatch(/^Merge task\/T-1 \w+ \w+$/m);
      expect(git('show', 'main:notes/T-1/note.md')).toContain('One line that every task has in common.');
      expect(git('branch', '--list')).toBe('* main');
      expect(git('worktree', 'list').split('\n')).toHaveLength(1);
      expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    },
  );

  test('says in one sentence that jq is missing', async () => {
    const { folder } = aRepository();
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    for (const name of ['git', 'dirname', 'pwd'])
      symlinkSync(execFileSync('which', [name]).toString().trim(), join(programs, name));
    const { code, stderr } = await run('/bin/bash', [join(BENCH, 'baseline-task.sh'), folder, 'T-1', 'switch'], {
      PATH: programs,
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'baseline-task.sh: jq is not installed; install it (apt-get install jq) and try again\n',
    });
  });

  test('refuses a mode that it does not know', async () => {
    const { folder } = aRepository();
    const { code, stderr } = await run('bash', [join(BENCH, 'baseline-task.sh'), folder, 'T-1', 'quickly']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown mode quickly') as string,
    });
  });
});
