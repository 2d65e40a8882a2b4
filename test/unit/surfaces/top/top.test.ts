import { describe, expect, it } from 'vitest';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import { measureWidth } from '../../../../src/base/text-width.ts';
import {
  BEGIN,
  findChosenRow,
  handleKey,
  filterRows,
  type KeyEffect,
  type Key,
  type State,
} from '../../../../src/surfaces/top/handle-key.ts';
import { renderScreen } from '../../../../src/surfaces/top/screen.ts';
import { TO, aNight, journal, task } from '../../../support/nights.ts';
import { aHalt, moved, started } from '../../../support/records.ts';

const [one, two] = aHalt().paths;
const halted = (id: string, paths = aHalt().paths) =>
  moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt: aHalt({ id, paths }) });
const NIGHT = aNight(
  journal(
    task('A-1', halted('A-1-1')),
    task(
      'B-2',
      halted('B-2-1', [
        { ...one, typed: true },
        { ...two, reasoned: true },
      ]),
    ),
    task('C-3', started()),
  ),
);
const BOARD = buildBoard([{ id: 'shop-1', night: NIGHT, at: TO, unknown: undefined, history: [] }], TO);
const char = (text: string): Key => ({ char: text });

/** The state after these keys, and the last thing they brought about. */
function after(...keys: readonly Key[]): { readonly state: State; readonly effect: KeyEffect | undefined } {
  let [state, effect]: [State, KeyEffect | undefined] = [BEGIN, undefined];
  for (const key of keys) {
    const pressed = handleKey(state, key, BOARD);
    [state, effect] = [pressed.state, pressed.effect ?? effect];
  }
  return { state, effect };
}

describe('the keys of the board', () => {
  it('ask nothing of the line without a question before', () => {
    for (const key of '12hprdlfjk?q'.split('')) expect(after(char(key)).effect?.do, key).not.toBe('ask');
  });

  it('take a path of exactly the halt that is chosen, once it is confirmed', () => {
    expect(after(char('1'), char('y')).effect).toEqual({
      do: 'ask',
      root: NIGHT.root,
      wish: { do: 'resume', taskId: 'A-1', path: 1, haltId: 'A-1-1', how: 'andon top' },
    });
    expect(after(char('1'), char('n')).effect).toBeUndefined();
    expect(after(char('1'), 'escape').effect).toBeUndefined();
  });

  it('send a change back with a comment at the line that is typed, or with one on all of it', () => {
    const type = (text: string): readonly Key[] => Array.from(text, char);
    const wish = { do: 'comment', taskId: 'A-1', haltId: 'A-1-1', how: 'andon top' };
    expect(after(char('c'), ...type('src/a.ts:12 Use a map'), 'enter').effect).toMatchObject({
      wish: { ...wish, comments: [{ file: 'src/a.ts', line: 12, text: 'Use a map' }] },
    });
    expect(after(char('c'), ...type('Too long'), 'enter').effect).toMatchObject({
      wish: { ...wish, comments: [{ text: 'Too long' }] },
    });
    expect(after(char('c'), 'enter').effect).toBeUndefined();
    expect(after(char('c'), char('x'), 'escape').effect).toBeUndefined();
  });

  it('take a path that must be typed only with the id, and one with a reason only with one', () => {
    const typed = Array.from('B-2', char);
    expect(after('down', char('1'), ...typed, 'enter').effect).toMatchObject({
      wish: { taskId: 'B-2', path: 1, confirm: 'B-2' },
    });
    expect(after('down', char('1'), char('y'), 'enter').effect).toBeUndefined();
    expect(after('down', char('2'), 'enter').effect).toBeUndefined();
    expect(after('down', char('2'), char('w'), char('x'), 'erase', 'enter').effect).toMatchObject({
      wish: { path: 2, reason: 'w' },
    });
  });

  it('move, filter, and open what is chosen', () => {
    expect(findChosenRow(BOARD, after('down', 'down', 'down').state)?.key).toBe(filterRows(BOARD, 'all').at(-1)?.key);
    expect(findChosenRow(BOARD, after(char('j'), char('k')).state)?.task_id).toBe('A-1');
    expect(filterRows(BOARD, after(char('f'), char('f')).state.filter).map((row) => row.task_id)).toEqual(['C-3']);
    expect(after('enter').state.view).toMatchObject({ is: 'text', title: 'A-1' });
    expect(after('enter', 'escape').state.view).toEqual({ is: 'list' });
    expect(after(char('d')).effect).toMatchObject({ do: 'diff', row: { task_id: 'A-1' } });
    expect(after(char('q')).effect).toEqual({ do: 'quit' });
  });

  it('open a halt with its change, and answer it there with the same question', () => {
    expect(after('enter').effect).toMatchObject({ do: 'open', row: { task_id: 'A-1' } });
    expect(after('down', 'down', 'enter').effect).toBeUndefined();
    expect(after('enter', char('2')).state.view).toMatchObject({ is: 'sure', wish: { path: 2, haltId: 'A-1-1' } });
    const another = after('down', 'down', 'enter', char('1')).state;
    expect(another.view).not.toMatchObject({ is: 'sure' });
  });

  it('stop whatever is shown, and show what the watchdog said', () => {
    for (const first of ['enter', char('?'), char('1'), char('f')] as const)
      expect(after(first, 'stop').effect).toEqual({ do: 'stop' });
    expect(after(char('w')).effect).toEqual({ do: 'said' });
    const lines = renderScreen(BOARD, BEGIN, { rows: 24, columns: 80, said: 'DOC-001 is \u001b[31mhalted' });
    expect(lines.at(-2)?.text).toBe('DOC-001 is \\u{1b}[31mhalted');
  });
});

describe('the screen of the board', () => {
  const states: readonly State[] = [
    BEGIN,
    after('enter').state,
    after(char('?')).state,
    after('down', char('1')).state,
  ];

  it.each([
    [80, 24],
    [200, 60],
    [40, 8],
    [20, 3],
  ])('is never wider than %i columns or taller than %i rows', (columns, rows) => {
    for (const state of states) {
      const lines = renderScreen(BOARD, state, { rows, columns });
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter(({ text }) => measureWidth(text) > columns)).toEqual([]);
    }
  });

  it('says the counts of its rows, which row is chosen without a colour, and the keys', () => {
    const lines = renderScreen(BOARD, BEGIN, { rows: 24, columns: 120 }).map(({ text }) => text);
    expect(lines[0]).toBe('andon  ● live · C-3 writing · 1 repository');
    for (const head of ['Needs you (2)', 'Working (1)', 'Waiting (0)', 'Ended (0)']) expect(lines).toContain(head);
    expect(lines.filter((text) => text.startsWith('> '))).toEqual([expect.stringContaining('A-1  Floor manager')]);
    expect(lines.at(-1)).toContain('h halt');
    expect(renderScreen(BOARD, BEGIN, { rows: 24, columns: 80 }).at(-1)?.text).toMatch(/\? help {2}q quit$/);
  });

  it('shows the row that is chosen however many there are', () => {
    const many = aNight(journal(...Array.from({ length: 200 }, (_, at) => task(`T-${at}`, started()))));
    const board = buildBoard([{ id: 'x', night: many, at: TO, unknown: undefined, history: [] }], TO);
    const last = filterRows(board, 'all').at(-1);
    const lines = renderScreen(board, { ...BEGIN, chosen: last?.key }, { rows: 24, columns: 80 });
    expect(lines.filter(({ isChosen }) => isChosen === true)).toHaveLength(1);
  });

  it('shows the last line of an agent below its row, and more of it below the details of the row', () => {
    const call = { repository: 'shop-1', task_id: 'C-3', call: 2, station: 'implementer', first: 0 };
    const output = [{ ...call, lines: Array.from({ length: 90 }, (_, at) => `line ${at}`) }];
    const working = BOARD.lanes.working[0];
    const list = renderScreen(BOARD, BEGIN, { rows: 24, columns: 80, output }).map(({ text }) => text);
    const row = list.findIndex((text) => text.includes('C-3  '));
    expect(list[row + 1]).toBe('    line 89');
    const chosen = { ...BEGIN, chosen: working?.key };
    const { state } = handleKey(chosen, 'enter', BOARD);
    for (const rows of [24, 10, 3]) {
      const lines = renderScreen(BOARD, state, { rows, columns: 80, output }).map(({ text }) => text);
      expect(lines).toHaveLength(rows);
      if (rows > 3) expect(lines).toContain('implementer, call 2, live');
      if (rows > 3) expect(lines.at(-2)).toBe('  line 89');
    }
    expect(renderScreen(BOARD, state, { rows: 24, columns: 80 }).map(({ text }) => text)).not.toContain('line 89');
  });
});
