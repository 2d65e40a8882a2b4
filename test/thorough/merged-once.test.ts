/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import { filesNamed } from '../support/files-named.ts';
import { hasProgram } from '../support/has-program.ts';
import { LiveFloor } from '../support/live-floor.ts';

const TASK = 'PLAIN-1';
const choice = { taskId: TASK, haltId: undefined, by: 'erik', how: 'test' } as const;

async function aFloor(): Promise<LiveFloor> {
  const live = await LiveFloor.make([{ 'one.txt': 'one\n' }, { 'two.txt': 'two\n' }]);
  onTestFinished(() => live.close());
  await live.start();
  return live;
}

const reaches = (entry: JournalEntry, status: string): boolean => entry.kind === 'moved' && entry.to === status;

/** A look at the folder begins, and gets every chance to end before what is under way goes on. */
async function lookMeanwhile(live: LiveFloor): Promise<void> {
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
  };
  await Promise.race([live.line.poll(), turns()]);
}

const TROUBLE: Readonly<Record<string, (live: LiveFloor) => void>> = {
  'an edited contract': (live) =>
    live.write(
      '_handoff/TASK_CONTRACT.json',
      live.read('_handoff/TASK_CONTRACT.json').replace('Write the note anew', 'Write quite another note'),
    ),
  'a contract that is no JSON any more': (live) => live.write('_handoff/TASK_CONTRACT.json', '{"schema_version": 1}'),
  'an edited report': (live) => live.write('_handoff/JUDGE_REPORT.json', '{"verdict": "FAIL"}'),
  STOP: (live) => live.write('_handoff/STOP', 'enough\n'),
};

/** The target holds one merge, and journal, contract and commands say so. */
function expectMergedOnce(live: LiveFloor): void {
  const [merge = '', ...others] = live.merges(TASK);
  expect(others).toEqual([]);
  const { record } = live;
  expect([record?.status, record?.merge?.commit]).toEqual(['merged', merge]);
  expect(live.entries.filter((entry) => reaches(entry, 'merged'))).toHaveLength(1);
  expect(live.entries.filter((entry) => entry.kind === 'moved' && entry.to === 'erik_consultation')).toEqual([]);
}

describe('Whatever comes while the merge is being made', () => {
  const moments = Object.keys(TROUBLE).flatMap((what) => [
    [what, 'beforeLanding'] as const,
    [what, 'afterLanding'] as const,
  ]);

  test.each(moments)('(%s, %s) a merge that came about is merged, and there is no halt', async (what, moment) => {
    const live = await aFloor();
    live.meanwhile = {
      [moment]: async () => {
        TROUBLE[what]?.(live);
        await lookMeanwhile(live);
      },
    };
    live.drop(TASK);
    await live.untilEnd();
    expectMergedOnce(live);
  });

  test.each(Object.keys(TROUBLE))('(%s, and a kill behind the fast-forward) the restart says merged', async (what) => {
    const live = await aFloor();
    live.meanwhile = { afterLanding: () => new Promise(() => {}) };
    live.drop(TASK);
    await live.until(() => live.merges(TASK).length > 0);
    live.kill();
    TROUBLE[what]?.(live);
    await live.start();
    await live.untilEnd();
    expectMergedOnce(live);
  });

  test('(an effect that fails behind the fast-forward) it is merged, and the failure is no halt', async () => {
    const live = await aFloor();
    live.meanwhile = {
      afterLanding: () => {
        throw new Error('nobody foresaw this');
      },
    };
    live.drop(TASK);
    await live.untilEnd();
    expectMergedOnce(live);
  });
});

describe('A state folder from before the merge', () => {
  test.each(['pending_local_review', 'pending_judge_review', 'review_complete'])(
    '(restored at %s) is recognised as done: nothing is reviewed, judged or merged again',
    async (status) => {
      const live = await aFloor();
      const saved = join(live.state, '..', 'saved');
      live.meanwhile = {
        noted: (entry) => void (reaches(entry, status) && cpSync(live.state, saved, { recursive: true })),
      };
      live.drop(TASK);
      await live.untilEnd();
      const tip = live.git('rev-parse', 'main');
      live.kill();
      rmSync(live.state, { recursive: true });
      cpSync(saved, live.state, { recursive: true });
      await live.start();
      const calls = live.entries.filter(({ kind }) => kind === 'started').length;
      await live.untilEnd();
      expectMergedOnce(live);
      expect(live.git('rev-parse', 'main')).toBe(tip);
      expect(live.entries.filter(({ kind }) => kind === 'started')).toHaveLength(calls);
    },
  );

  test('(restored at a halt) no path of that halt leads to a second merge', async () => {
    const live = await aFloor();
    const saved = join(live.state, '..', 'saved');
    live.meanwhile = {
      noted(entry) {
        if (!reaches(entry, 'pending_judge_review')) return;
        live.meanwhile = {};
        live.write('_handoff/STOP', 'a moment\n');
      },
    };
    live.drop(TASK);
    const halted = await live.untilEnd();
    expect(halted.halt?.trip.breaker).toBe('cord');
    cpSync(live.state, saved, { recursive: true });
    rmSync(live.path('_handoff/STOP'));
    await live.resume({ ...choice, path: 1 });
    expect((await live.untilEnd()).status).toBe('merged');
    live.kill();
    rmSync(live.state, { recursive: true });
    cpSync(saved, live.state, { recursive: true });
    await live.start();
    await expect(live.resume({ ...choice, path: 1 })).rejects.toThrow(/has been merged already, as [0-9a-f]{12}/);
    await live.untilEnd();
    expect(live.merges(TASK)).toHaveLength(1);
    expect(live.record?.status).toBe('merged');
  });

  test('(none at all: another journal) refuses the same contract, naming the merge', async () => {
    const live = await aFloor();
    live.drop(TASK);
    await live.untilEnd();
    const [merge = ''] = live.merges(TASK);
    live.kill();
    rmSync(live.state, { recursive: true });
    await live.start();
    live.drop(TASK);
    await live.line.poll();
    expect(live.record).toBeUndefined();
    expect(live.read('_handoff/CONTRACT_REJECTED.md')).toContain(`was merged already (${merge.slice(0, 12)})`);
  });

  test('(another journal that is at the same task) notes the merge of the other one', async () => {
    const live = await aFloor();
    live.meanwhile = {
      noted(entry) {
        if (entry.kind !== 'started' || entry.station !== 'judge') return;
        live.meanwhile = {};
        // What the other andon made: the same task, merged in another clone and fetched.
        const tree = live.git('rev-parse', 'HEAD^{tree}');
        const message = `Merge task/${TASK}: Write the note anew\n\nAndon-Task: ${TASK}\nAndon-Attempt: 1\nAndon-Report: sha256-0\nAndon-Contract: sha256-0\n`;
        const made = live.git('commit-tree', tree, '-p', 'HEAD', '-m', message);
        live.git('reset', '--quiet', '--hard', made);
        live.commit({ 'later.txt': 'later\n' });
      },
    };
    live.drop(TASK);
    await live.untilEnd();
    expectMergedOnce(live);
  });
});

describe('A merge that the user takes back before andon has noted it', () => {
  async function takenBack(): Promise<LiveFloor> {
    const live = await aFloor();
    live.meanwhile = { afterLanding: () => new Promise(() => {}) };
    live.drop(TASK);
    await live.until(() => live.merges(TASK).length > 0);
    live.kill();
    live.git('reset', '--quiet', '--hard', 'HEAD~1');
    await live.start();
    return live;
  }

  test('is noted as made and taken back: the line halts with two paths, and merges nothing', async () => {
    const live = await takenBack();
    const halted = await live.untilEnd();
    expect(halted.halt?.trip.breaker).toBe('merge_blocked');
    expect(halted.halt?.trip.reason).toContain('was merged as');
    expect(halted.halt?.trip.reason).toContain('taken back');
    expect(live.merges(TASK)).toEqual([]);
    expect(halted.halt?.paths.map(({ title }) => title)).toEqual(['Merge it again', 'Leave it out']);
  });

  test('is merged again by path 1, once', async () => {
    const live = await takenBack();
    await live.untilEnd();
    await live.resume({ ...choice, path: 1 });
    expect((await live.untilEnd()).status).toBe('merged');
    expect(live.merges(TASK)).toHaveLength(1);
  });

  test('stays out by path 2', async () => {
    const live = await takenBack();
    await live.untilEnd();
    await live.resume({ ...choice, path: 2 });
    expect((await live.untilEnd()).status).toBe('abandoned');
    expect(live.merges(TASK)).toEqual([]);
  });

  test('is no halt where it was never made: a kill before the fast-forward', async () => {
    const live = await aFloor();
    live.meanwhile = { beforeLanding: () => new Promise(() => {}) };
    live.drop(TASK);
    await live.until(({ merge }) => merge !== undefined);
    live.kill();
    await live.start();
    await live.untilEnd();
    expectMergedOnce(live);
  });
});

describe('The journal on which a merge rests', () => {
  const WALS: Readonly<Record<string, (wal: Buffer) => Buffer>> = {
    overwritten: () => Buffer.alloc(200_000, 'x'),
    emptied: () => Buffer.alloc(0),
    'cut short': (wal) => wal.subarray(0, Math.floor(wal.length / 2)),
    'changed in one word': (wal) =>
      Buffer.from(wal.toString('latin1').replaceAll('"code_written"', '"code_mistaken"'), 'latin1'),
  };

  test.each(Object.keys(WALS))(
    'is looked at on the disk after the last agent: with its WAL %s by the judge nothing is merged',
    async (how) => {
      const live = await aFloor();
      live.meanwhile = {
        noted(entry) {
          if (entry.kind !== 'started' || entry.station !== 'judge') return;
          for (const file of filesNamed(live.state, 'journal.sqlite-wal'))
            writeFileSync(file, WALS[how]?.(readFileSync(file)) ?? '');
        },
      };
      live.drop(TASK);
      await expect(live.untilEnd()).rejects.toThrow(/journal/);
      expect(live.merges(TASK)).toEqual([]);
      expect(existsSync(live.path('one.txt'))).toBe(true);
    },
  );
});

describe.skipIf(!hasProgram('ssh-keygen'))(
  'A merge that is signed, so that no two of its commits are alike (needs ssh-keygen)',
  () => {
    test.each(['beforeLanding', 'afterLanding'] as const)('is there once after a kill (%s)', async (moment) => {
      const live = await aFloor();
      const key = join(live.repo, '.git', 'key');
      execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', key]); // its signatures differ each time
      for (const [name, value] of Object.entries({
        'commit.gpgSign': 'true',
        'gpg.format': 'ssh',
        'user.signingKey': key,
      }))
        live.git('config', name, value);
      live.meanwhile = { [moment]: () => new Promise(() => {}) };
      live.drop(TASK);
      await live.until(
        ({ merge }) => merge !== undefined && (moment === 'beforeLanding' || live.merges(TASK).length > 0),
      );
      live.kill();
      live.meanwhile = {};
      await live.start();
      await live.untilEnd();
      expectMergedOnce(live);
      expect(live.git('cat-file', '-p', live.merges(TASK)[0] ?? '')).toContain('BEGIN SSH SIGNATURE');
    });
  },
);
