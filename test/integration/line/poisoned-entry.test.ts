import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readJournal } from '../../../src/line/journal/open-journal.ts';
import { loadWorkspace } from '../../../src/project/workspace/load-workspace.ts';
import { openForReading } from '../../../src/project/workspace/open-reader.ts';
import { verify } from '../../../src/line/upkeep/verify.ts';
import { LiveFloor } from '../../support/live-floor.ts';

const TASK = 'PLAIN-1';
const choose = (path: 1 | 2) => ({ taskId: TASK, path, haltId: undefined, by: 'erik', how: 'test' }) as const;

async function aFloor(): Promise<LiveFloor> {
  const live = await LiveFloor.make([{ 'one.txt': 'one\n' }]);
  onTestFinished(() => live.close());
  await live.start();
  return live;
}

const stateOf = (live: LiveFloor): string => {
  const repositories = join(live.state, 'andon/repositories');
  return join(repositories, readdirSync(repositories)[0] ?? '');
};

/** Adds an entry as another andon would have written it: its place in the chain is right, what it says cannot be read. */
function poison(live: LiveFloor, body: object, taskId = TASK): number {
  const db = new DatabaseSync(join(stateOf(live), 'journal.sqlite'));
  const newest = db.prepare('SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1').get();
  const last = (newest ?? { seq: 0, hash: '0'.repeat(64) }) as { seq: number; hash: string };
  const [seq, text] = [last.seq + 1, JSON.stringify(body)];
  const hash = createHash('sha256').update(`${last.hash}\n${seq}\n${taskId}\n${text}`).digest('hex');
  db.prepare('INSERT INTO entries (seq, task_id, body, hash) VALUES (?, ?, ?, ?)').run(seq, taskId, text, hash);
  db.close();
  return seq;
}

async function verified(live: LiveFloor) {
  const place = await loadWorkspace(live.repo, { ...process.env, XDG_STATE_HOME: live.state });
  const journal = readJournal(place);
  try {
    if (journal === undefined) throw new Error('there is no journal');
    return await verify(journal, await openForReading(place));
  } finally {
    journal?.close();
  }
}

/** A daemon that was ended while the reviewer had not answered yet. */
async function killedAtReview(): Promise<LiveFloor> {
  const live = await aFloor();
  live.drop(TASK);
  await live.until(({ status }) => status === 'pending_local_review');
  live.kill();
  return live;
}

describe('an outcome that cannot be written into the journal', { tags: 'thorough' }, () => {
  test('halts the line and names what of it is wrong; it does not end the daemon, nor the next one', async () => {
    const live = await aFloor();
    live.meanwhile = { counts: (files) => files.map((file) => ({ ...file, added: Number.NaN })) };
    live.drop(TASK);
    const { halt } = await live.untilEnd();
    expect(halt?.trip).toMatchObject({ breaker: 'fault' });
    expect(halt?.trip.reason).toMatch(/code_written.* cannot be written into the journal: facts\.change\./);
    live.kill();
    await live.start();
    expect((await live.untilEnd()).halt?.id).toBe(halt?.id);
    await live.resume(choose(1)); // git counts again, and rightly
    expect((await live.untilEnd()).status).toBe('merged');
    expect(live.merges(TASK)).toHaveLength(1);
  });

  test('of a call halts it too, and path 1 asks anew instead of failing over the same answer for ever', async () => {
    const live = await aFloor();
    let asked = 0;
    live.meanwhile = { answers: (answer) => ((asked += 1) === 1 ? { ...answer, exit: 0.5 } : answer) };
    live.drop(TASK);
    expect((await live.untilEnd()).halt?.trip.reason).toMatch(/"called" .*exit/);
    await live.resume(choose(1));
    expect((await live.untilEnd()).status).toBe('merged');
    expect(asked).toBe(4);
  });
});

describe('an entry of the journal that cannot be read', { tags: 'thorough' }, () => {
  const NEWER = { kind: 'called', at: '2026-11-23T00:00:00.000Z', station: 'implementer', ms: null };

  test('halts its task at the next start, says which entry and why, and path 1 goes on without it', async () => {
    const live = await killedAtReview();
    const seq = poison(live, NEWER);
    expect((await verified(live)).discrepancies).toMatchObject([
      { taskId: TASK, what: expect.stringMatching(new RegExp(`entry ${seq} .*cannot be read.*called: `)) as string },
    ]);
    await live.start();
    const { halt, history } = await live.untilEnd();
    expect(halt?.trip.reason).toMatch(new RegExp(`entry ${seq} of the journal cannot be read \\(called: .+\\)`));
    expect(halt?.paths[0]).toMatchObject({ title: 'Go on without that entry', effect: { to: 'pending_local_review' } });
    expect(history.at(-1)).toMatchObject({ from: 'pending_local_review', to: 'erik_consultation' });
    live.kill();
    await live.start();
    expect((await live.untilEnd()).halt?.id).toBe(halt?.id);
    await live.resume(choose(1));
    expect(await live.untilEnd()).toMatchObject({ status: 'merged', spent: { unknownUsd: 1 } });
    expect(live.merges(TASK)).toHaveLength(1);
    expect(await verified(live)).toMatchObject({ brokenAt: undefined, discrepancies: [] });
    live.drop('PLAIN-2');
    await live.until(({ taskId, status }) => taskId === 'PLAIN-2' && status === 'merged');
  });

  test('is told of by a halt of its own, also where it came while the line was halted for something else', async () => {
    const live = await aFloor();
    live.meanwhile = { counts: (files) => files.map((file) => ({ ...file, added: Number.NaN })) };
    live.drop(TASK);
    const first = await live.untilEnd();
    live.kill();
    const seq = poison(live, NEWER);
    await live.start();
    expect((await live.untilEnd()).halt?.id).toBe(first.halt?.id);
    await live.resume(choose(1));
    const second = await live.until(({ halt }) => halt !== undefined && halt.id !== first.halt?.id);
    expect(second.halt?.trip.reason).toContain(`entry ${seq} of the journal cannot be read`);
    await live.resume(choose(1));
    expect((await live.untilEnd()).status).toBe('merged');
  });

  test('lets the task be abandoned, and other tasks run', async () => {
    const live = await killedAtReview();
    poison(live, { kind: 'of tomorrow', at: 'some time' });
    await live.start();
    await live.untilEnd();
    await live.resume(choose(2));
    expect((await live.untilEnd()).status).toBe('abandoned');
    live.drop('PLAIN-2');
    await live.until(({ taskId, status }) => taskId === 'PLAIN-2' && status === 'merged');
  });

  test('of a task that the target holds already is no reason to halt', async () => {
    const live = await aFloor();
    live.meanwhile = { afterLanding: () => live.kill() };
    live.drop(TASK);
    await live.until(() => false);
    poison(live, { kind: 'moved', to: 'merged', at: '2026-11-23T00:00:00.000Z' });
    await live.start();
    expect((await live.untilEnd()).status).toBe('merged');
    expect(live.merges(TASK)).toHaveLength(1);
  });

  test('about the line as a whole counts as a pause: nothing starts until somebody lets it go on', async () => {
    const live = await aFloor();
    live.kill();
    poison(live, { kind: 'paused', at: '2026-11-23T00:00:00.000Z', by: 7 }, '(line)');
    await live.start();
    live.drop(TASK);
    await live.line.poll();
    expect(live.record).toBeUndefined();
  });
});

describe('a journal that was edited', { tags: 'thorough' }, () => {
  test('is refused with both ways out: a backup, or to start again without it, which loses no work and merges nothing twice', async () => {
    const live = await aFloor();
    live.drop('PLAIN-0');
    await live.untilEnd();
    live.meanwhile = { counts: (files) => files.map((file) => ({ ...file, added: Number.NaN })) };
    live.drop(TASK);
    await live.until(({ taskId, halt }) => taskId === TASK && halt !== undefined);
    await live.untilEnd();
    live.kill();
    const lock = live.read('_handoff/TASK_CONTRACT.json.lock');
    const db = new DatabaseSync(join(stateOf(live), 'journal.sqlite'));
    db.exec(`UPDATE entries SET body = replace(body, 'answered', 'denied'), hash = 'no' WHERE seq = 3`);
    db.close();
    const refused = await live.start().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: expect.stringContaining('is damaged at entry 3') as string,
      remedy: expect.stringMatching(/backup.*start again without it: .*mv .*journal\.sqlite\*/) as string,
    });
    for (const name of readdirSync(stateOf(live)).filter((name) => name.startsWith('journal.sqlite')))
      renameSync(join(stateOf(live), name), join(live.state, name));
    await live.start();
    live.drop('PLAIN-2');
    await live.until(({ taskId, status }) => taskId === 'PLAIN-2' && status === 'merged');
    expect(live.read(`_handoff/archive/${TASK}/TASK_CONTRACT.json.lock`)).toBe(lock);
    expect(live.read(`_handoff/archive/${TASK}/ERIK_HALT.md`)).toContain(TASK);
    live.drop('PLAIN-0'); // merged before: it is refused, not merged again
    await live.line.poll();
    expect(live.read('_handoff/CONTRACT_REJECTED.md')).toContain('was merged already');
    renameSync(live.path(`_handoff/archive/${TASK}/TASK_CONTRACT.json.lock`), live.path('_handoff/TASK_CONTRACT.json'));
    await live.line.poll(); // its calls are forgotten, so it is not run again with fresh counters
    const page = live.read('_handoff/CONTRACT_REJECTED.md');
    expect(page).toContain('the journal has no entry of it');
    const [, remove = ''] = /or run (git for-each-ref .*--stdin)/.exec(page) ?? [];
    execFileSync('sh', ['-c', remove], { cwd: live.repo });
    await live.until(({ taskId, status }) => taskId === TASK && status === 'merged');
    for (const id of ['PLAIN-0', TASK, 'PLAIN-2']) expect(live.merges(id)).toHaveLength(1);
  });
});
