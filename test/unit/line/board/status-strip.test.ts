import { describe, expect, it } from 'vitest';
import type { Board } from '../../../../src/line/board/board.ts';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import { listStripFacts } from '../../../../src/line/board/status-strip.ts';
import type { CeilingUse, NightFacts } from '../../../../src/agents/budget/night-facts.ts';
import { TO, aNight, journal, task } from '../../../support/nights.ts';
import { started } from '../../../support/records.ts';

const NOW = new Date(2026, 10, 28, 5, 38);
const at = (hour: number): string => new Date(2026, 10, 28, hour, 33).toISOString();
const snapshot = (tasks: number, watched = true) => {
  const night = aNight(journal(...Array.from({ length: tasks }, (_, index) => task(`FIX-${index}`, started()))));
  const line = night.line && { ...night.line, watchdog: watched ? night.line.watchdog : null };
  return { id: 'shop-1', night: { ...night, line }, at: TO, unknown: undefined, history: [] };
};
const use = (more: Partial<CeilingUse>): CeilingUse => ({
  ceiling: 'a ceiling',
  period: 'day',
  account: null,
  of: 'usd',
  from: at(0),
  until: at(13),
  used: 1.03,
  at_least: 1.03,
  set_aside: 0,
  limit: 8,
  ...more,
});
const limits = (more: Partial<NightFacts>): NightFacts => ({ night: null, hours: null, ceilings: [], ...more });
const texts = (board: Board): readonly string[] => listStripFacts(board, NOW).map(({ text }) => text);

describe('the status in one line', () => {
  it('says whether it is live, what works, and how many repositories there are', () => {
    expect(texts(buildBoard([snapshot(1)], TO))).toEqual(['● live', 'FIX-0 writing', '1 repository']);
    expect(texts(buildBoard([snapshot(3)], TO))[1]).toBe('3 tasks are working');
    expect(texts(buildBoard([snapshot(0)], TO))[1]).toBe('nothing is working');
    expect(texts(buildBoard([], TO))).toEqual(['○ no repository is watched yet: andon watch']);
  });

  it('begins with a watchdog that is missing where work waits for it', () => {
    const [first] = listStripFacts(buildBoard([snapshot(1, false)], TO), NOW);
    expect(first).toMatchObject({ tone: 'bad', text: expect.stringMatching(/^○ no watchdog: \S/) as string });
    expect(listStripFacts(buildBoard([snapshot(0, false)], TO), NOW)[0]).toEqual({
      tone: 'wait',
      text: '○ no watchdog',
    });
  });

  it('names the open night, its money and the money of the day, marked where little is left', () => {
    const night = { from: at(0), until: at(13), usd: 8, tokens: null };
    const ceilings = [
      use({ period: 'this night' }),
      use({ account: 'claude', used: null, at_least: 24, limit: 25 }),
      use({ of: 'tokens' }),
    ];
    const board = { ...buildBoard([snapshot(1)], TO), limits: limits({ night, ceilings }) };
    expect(listStripFacts(board, NOW).slice(2)).toEqual([
      { tone: 'plain', text: 'night until 13:33' },
      { tone: 'plain', text: '$1.03 of $8.00' },
      { tone: 'wait', text: 'claude today at least $24.00 of $25.00' },
      { tone: 'plain', text: '1 repository' },
    ]);
    const dead = { ...board, limits: limits({ night: { ...night, attended: false } }) };
    expect(listStripFacts(dead, NOW)[2]).toEqual({
      tone: 'bad',
      text: 'night until 13:33, but its andon is not alive',
    });
  });

  it('says until when the hours are closed', () => {
    const closed = limits({ hours: { open: false, changes: at(22) } });
    expect(texts({ ...buildBoard([snapshot(0)], TO), limits: closed })).toContain('closed until 22:33');
  });
});
