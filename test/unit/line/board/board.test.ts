import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import {
  BOARD_LANES,
  groupNeeds,
  type Board,
  type BoardRow,
  type RepositorySnapshot,
} from '../../../../src/line/board/board.ts';
import { renderBoardText } from '../../../../src/line/board/render-board-text.ts';
import { describeRow, estimateEnd } from '../../../../src/line/board/describe-row.ts';
import { formatBudgetUse } from '../../../../src/line/reports/task-report/format-figures.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { RepositoryNight } from '../../../../src/line/digest/repository-night.ts';
import { A_LINE, ORDER, TO, aNight, digest, journal, task } from '../../../support/nights.ts';
import { AT, aHalt, admitted, called, moved, started, withLimits } from '../../../support/records.ts';
import { held } from '../../../support/held.ts';
import { aScene, EVENING, EVENING_LINES } from '../../../support/scene.ts';

const MERGE = { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' };
const halted = (id: string, changes: Parameters<typeof aHalt>[0] = {}): JournalEntry =>
  moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt: aHalt({ id, ...changes }) });
const heldUntil = (until: string): JournalEntry => held({ until, tokensIn: null, tokensOut: null, usd: null });

/** One of every kind that a board knows. */
const NIGHT = aNight(
  journal(
    task('A-1', halted('A-1-1', { reach: 'task' })),
    task('B-2', started()),
    task('C-3', heldUntil('2026-01-17T08:00:00.000Z')),
    task('D-4', moved('pass', 'review_complete', 'merged', { merge: MERGE })),
    task('E-5', moved('abandon', 'erik_consultation', 'abandoned')),
  ),
  { line: { ...A_LINE, waiting: ['_handoff/queue/F-6.json'], queue: [queued('F-6')] } },
);

function queued(taskId: string): NonNullable<RepositoryNight['line']>['queue'][number] {
  const file = `_handoff/queue/${taskId}.json`;
  return { ...ORDER, file, task_id: taskId, why: 'waits for its turn, behind C-3' };
}

const looked = (night: RepositoryNight, changes: Partial<RepositorySnapshot> = {}): RepositorySnapshot => ({
  id: 'shop-1',
  night,
  at: TO,
  unknown: undefined,
  history: [],
  ...changes,
});
const board = (night: RepositoryNight, changes: Partial<RepositorySnapshot> = {}, now = TO): Board =>
  buildBoard([looked(night, changes)], now);
const lanes = ({ lanes: all }: Board): object =>
  Object.fromEntries(
    BOARD_LANES.map((lane) => [lane, all[lane].map(({ task_id: id, kind }) => `${id ?? ''} ${kind}`)]),
  );

describe('the board', () => {
  it('has a lane for whoever must act, and everything stands in exactly one', () => {
    expect(lanes(board(NIGHT))).toEqual({
      needs_you: ['A-1 halt'],
      working: ['B-2 working'],
      waiting: ['C-3 waits', 'F-6 queued'],
      ended: ['D-4 merged', 'E-5 abandoned'],
    });
  });

  it('has no task at work that a stopped watchdog, a full disk or a pause keeps from moving', () => {
    const between = [moved('code_written', 'pending_implementer', 'pending_local_review')];
    const lane = (entries: readonly JournalEntry[], changes: Partial<typeof A_LINE>) => {
      const night = aNight(journal(task('B-2', ...entries)), { line: { ...A_LINE, ...changes } });
      return board(night).lanes.waiting.map(({ phrase, why }) => [phrase, why]);
    };
    const dog = { pid: 7, doing: 'watch', waits: null } as const;
    const waits = { errno: 'ENOSPC', why: 'no space left', since: AT };
    expect(lane([started()], { watchdog: { ...dog, silent: true } })).toMatchObject([
      ['Nothing moves', expect.stringMatching(/^The watchdog gives no answer/)],
    ]);
    expect(lane([started()], { watchdog: { ...dog, waits } })).toMatchObject([
      [expect.stringMatching(/^Nothing runs: /), ''],
    ]);
    expect(lane(between, { blocked: 'paused by me' })).toEqual([['Nothing starts', 'Paused by me']]);
    expect(lane(between, {})).toEqual([]);
  });

  it('says of needs and waits what the digest says', () => {
    const { lanes: all } = board(NIGHT);
    const told = digest(NIGHT);
    expect(all.needs_you.map(({ task_id: id, phrase, why, halt_id: halt }) => [id, phrase, why, halt])).toEqual(
      told.needs_you.map(({ task_id: id, what, why, halt_id: halt }) => [id, what, why, halt]),
    );
    expect(all.working.length + all.waiting.length).toBe(told.waits.length);
    expect(all.ended).toHaveLength(told.merged.length + told.given_up.length);
  });

  it('has a title and a phrase in words for every row, and what a halt is decided by', () => {
    const { lanes: all } = board(NIGHT);
    const rows = BOARD_LANES.flatMap((lane) => all[lane].map(({ title, phrase }) => `${title}: ${phrase}`));
    expect(rows).toEqual([
      'Merge the two guides: Floor manager and judge disagree',
      'Merge the two guides: Writing',
      expect.stringMatching(/^Merge the two guides: Waits for /),
      'F-6: Waits for its turn, behind C-3',
      'Merge the two guides: Merged into main',
      'Merge the two guides: Given up',
    ]);
    expect(all.needs_you[0]?.halt).toMatchObject({
      question: 'Floor manager and judge disagree. Who is right?',
      suggestion: { path: 2 },
    });
  });

  it('groups halts of one cause in one repository, at the place of the first', () => {
    const [row] = board(NIGHT).lanes.needs_you;
    if (row?.halt == null) throw new Error('the night has a halt');
    const one = (key: string, cause: string | null, repository = 'shop-1'): BoardRow => {
      return { ...row, key, repository, halt: row.halt && { ...row.halt, cause } };
    };
    const groups = groupNeeds([
      one('a', 'red'),
      one('b', null),
      one('c', 'red'),
      one('d', 'red', 'shop-2'),
      one('e', null),
    ]);
    expect(groups.map(({ rows }) => rows.map(({ key }) => key))).toEqual([['a', 'c'], ['b'], ['d'], ['e']]);
    expect(groups.map(({ key }) => key)).toEqual(['shop-1 red', 'b', 'd', 'e']);
  });

  it('counts the rows that it shows', () => {
    const text = renderBoardText(board(NIGHT), 80).map((row) => row.text);
    for (const [head, rows] of Object.entries({ 'Needs you': 1, Working: 1, Waiting: 2, Ended: 2 }))
      expect(text).toContain(`${head} (${rows})`);
    expect(text.filter((line) => line.length > 80)).toEqual([]);
    expect(text.join('\n')).toMatch(/--path 2 --halt \S+  # or path 1\n/); // the suggested one
    const { root } = board(NIGHT).lanes.needs_you[0] ?? { root: '' };
    expect(text.join('\n')).toContain(`    cd ${root} &&\n    andon resume`);
    const there = renderBoardText(board(NIGHT), 10, root).map((row) => row.text);
    expect(there.join('\n')).toMatch(/\n {4}andon resume \S+ --path 2 --halt \S+  # or path 1\n/);
    expect(there.join('\n')).not.toContain('cd /');
    expect(renderBoardText(board(aNight([])), 80).map((row) => row.text)).toContain('Needs you (0): nothing.');
  });

  it('names in a row that waits what blocks it, with its title, and what an ended task cost', () => {
    const { lanes: all } = aScene(EVENING, EVENING_LINES).board();
    expect(all.waiting[0]?.phrase).toBe('Blocked by FIX-103 (Sessions end)');
    const ended = all.ended.find(({ task_id: id }) => id === 'FIX-102');
    expect(ended).toMatchObject({ phrase: 'Merged into main · +7 −1', cost_usd: 0.08 });
    expect(ended && describeRow(ended)).toBe('Merged into main · +7 −1 · $0.08');
  });

  it('keeps what it knew of a repository that cannot be looked at, and says since when it is unknown', () => {
    const now = '2026-01-17T09:00:00.000Z';
    const stale = board(NIGHT, { unknown: 'its disk is gone' }, now);
    expect(stale.repositories[0]).toMatchObject({ watched: 'unknown', as_of: TO, unknown: 'its disk is gone' });
    for (const lane of BOARD_LANES)
      for (const row of stale.lanes[lane]) expect(row).toMatchObject({ as_of: TO, unknown: 'its disk is gone' });
    expect(
      renderBoardText(stale, 300)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('unknown since');
  });

  it('asks you about a wait that has passed its own end', () => {
    const late = board(aNight(journal(task('C-3', heldUntil('2026-01-17T06:00:00.000Z')))));
    expect(late.lanes.needs_you).toMatchObject([{ kind: 'overdue', task_id: 'C-3' }]);
    expect(late.lanes.waiting).toEqual([]);
  });

  it('says when a call is usually over from this history alone, and otherwise that there is none', () => {
    const usual = { station: started().station, model: started().model };
    const history = [1, 2, 30].map((minutes) => ({ ...usual, ms: minutes * 60_000 }));
    const work = (some: RepositorySnapshot['history']) => board(NIGHT, { history: some }).lanes.working[0]?.work;
    expect(work(history)).toMatchObject({ usually_ms: 120_000 });
    expect(work(history.slice(1))).toMatchObject({ usually_ms: null });
    const at = (usually: number | null) =>
      estimateEnd({ station: 'judge', model: '', since: AT, usually_ms: usually }, AT);
    expect([at(null), at(90_000)]).toEqual(['no history', 'about 1 min 30 s more']);
    const later = { station: 'judge', model: '', since: AT, usually_ms: 1000 } as const;
    expect(estimateEnd(later, '2026-01-16T12:01:00.000Z')).toBe('longer than usual (1.0 s)');
  });

  it('shows what is used of a budget, as a lower bound where a part of it is not known', () => {
    const contract = withLimits({ budget: { usd: 2, tokens: undefined, minutes: undefined } });
    const used = (...prices: readonly (number | null)[]): unknown => {
      const calls = prices.flatMap((usd, at): readonly JournalEntry[] => [
        started({ call: at + 1 }),
        called({ call: at + 1, usd }),
      ]);
      const told = [admitted({ contract: { ...contract, taskId: 'B-2' } }), ...calls, started({ call: 9 })];
      const night = aNight(journal(told.map((entry) => ({ seq: 0, taskId: 'B-2', entry }))));
      return board(night).lanes.working[0]?.budget.map(formatBudgetUse);
    };
    expect([used(), used(0.5), used(0.5, null), used(null)]).toEqual([
      ['$0.00 of $2.00'],
      ['$0.50 of $2.00'],
      ['at least $0.50 of $2.00'],
      ['unknown of $2.00'],
    ]);
  });

  it('has rows whose keys are all different, and the same at the next look', () => {
    const keys = ({ lanes: all }: Board): readonly string[] =>
      BOARD_LANES.flatMap((lane) => all[lane].map(({ key }) => key));
    const first = keys(board(NIGHT));
    expect(new Set(first).size).toBe(first.length);
    expect(keys(board(NIGHT, { at: '2026-01-17T07:00:05.000Z' }))).toEqual(first);
  });
});
