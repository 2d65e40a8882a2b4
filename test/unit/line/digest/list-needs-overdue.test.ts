import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import { listNeeds } from '../../../../src/line/digest/list-needs.ts';
import { listStories } from '../../../../src/line/digest/repository-night.ts';
import { listWaiting } from '../../../../src/line/digest/list-waits.ts';
import { A_LINE, TO, aNight, digest, journal, task } from '../../../support/nights.ts';
import { AT, started } from '../../../support/records.ts';

const held = (until: string) => ({
  kind: 'held' as const,
  at: AT,
  station: 'judge' as const,
  call: 1,
  agent: 'claude',
  reason: 'usage limit',
  until,
  tokensIn: null,
  tokensOut: null,
  usd: null,
  ms: 5,
});

const RED = { name: 'target branch', detail: 'there is none', remedy: 'name one', at: AT };

/** Everything that needs somebody without being a halt: a wait past its time, a red of the doctor, a disk, a proposal. */
const NIGHT = aNight(journal(task('C-3', held('2026-01-17T06:00:00.000Z'))), {
  line: {
    ...A_LINE,
    watchdog: { pid: 1, doing: 'watch', waits: { errno: 'ENOSPC', why: 'no space left', since: AT } },
    proposal: 'a proposal waits for your approval',
    unwell: [RED],
  },
});
const told = [
  ['decision', null, null],
  ['stopped', null, AT],
  ['unwell', null, AT],
  ['overdue', 'C-3', AT],
];

describe('what needs you without being a halt', () => {
  it('is told by digest and board alike, and nowhere a second time', () => {
    const { needs_you: needs, waits } = digest(NIGHT);
    const board = buildBoard([{ id: 'x', night: NIGHT, at: TO, unknown: undefined, history: [] }], TO);
    const of = (rows: readonly { kind: string; task_id: string | null; since: string | null }[]) =>
      rows.map(({ kind, task_id: id, since }) => [kind, id, since]);
    expect(of(needs)).toEqual(told);
    expect(of(board.lanes.needs_you)).toEqual(told);
    expect({ waits, waiting: board.lanes.waiting }).toEqual({ waits: [], waiting: [] });
    expect(needs[2]).toMatchObject({ why: 'there is none; name one', ways: [{ command: 'andon doctor' }] });
    expect(needs.at(-1)).toMatchObject({ ways: [{ command: 'andon resume C-3 --again' }] });
  });

  it('is no proposal that is approved, but the missing watchdog that makes its contracts', () => {
    const line = { ...A_LINE, watchdog: null, proposal: 'it is approved' };
    const kinds = (more: object) => {
      const night = aNight(journal(), { line: { ...line, ...more } });
      return listNeeds(night, listStories(night), TO).map(({ kind }) => kind);
    };
    expect(kinds({})).toEqual(['decision']);
    expect(kinds({ proposal_approved: true })).toEqual(['unwatched']);
    expect(kinds({ proposal: null })).toEqual([]);
  });

  it('is a wait only ten minutes after the time at which it was to end', () => {
    const at = (now: string) =>
      listNeeds(NIGHT, listStories(NIGHT), now).filter(({ kind }) => kind === 'overdue').length;
    expect([at('2026-01-17T06:09:00.000Z'), at('2026-01-17T06:11:00.000Z')]).toEqual([0, 1]);
  });

  it('is no wait any more once the call is made anew, however long that takes', () => {
    const call = started({ at: '2026-01-17T06:01:00.000Z', station: 'judge', call: 2 });
    const night = aNight(journal(task('C-3', held('2026-01-17T06:00:00.000Z'), call)), { line: A_LINE });
    expect(listNeeds(night, listStories(night), TO)).toEqual([]);
    expect(listWaiting(night, listStories(night), TO)).toMatchObject([{ task_id: 'C-3' }]);
  });
});
