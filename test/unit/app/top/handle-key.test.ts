import { describe, expect, it } from 'vitest';
import { measureWidth } from '../../../../src/base/text-width.ts';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import { TERMINAL_KEYS } from '../../../../src/line/board/keys.ts';
import {
  BEGIN,
  findChosen,
  handleKey,
  type KeyEffect,
  type Key,
  type State,
} from '../../../../src/app/top/handle-key.ts';
import { listAllGroups } from '../../../../src/app/top/list-groups.ts';
import { A_LINE, ORDER, TO, aNight, journal, task } from '../../../support/nights.ts';
import { aHalt, moved, started } from '../../../support/records.ts';
import { aScene, EVENING, EVENING_LINES, SCENE_HALTS } from '../../../support/scene.ts';
import { sceneDetails, showTop } from '../../../support/top-screen.ts';

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
const SIZE = { rows: 24, columns: 80 };
const char = (text: string): Key => ({ char: text });
const type = (text: string): readonly Key[] => Array.from(text, char);

/** The state after these keys, and the last thing they brought about. */
function after(...keys: readonly Key[]): { readonly state: State; readonly effect: KeyEffect | undefined } {
  return showTop(BOARD, SIZE, ...keys);
}

/** The one request that was made. */
function asked(...keys: readonly Key[]): unknown {
  const { effect } = after(...keys);
  return effect?.do === 'ask' ? effect.asks[0]?.wish : undefined;
}

const chosenTask = (state: State): string | null | undefined => findChosen(BOARD, state)?.rows[0].task_id;

describe('the keys of the board', () => {
  it('ask nothing of the line without a question before', () => {
    for (const key of '12hprdlfjkscogGyw/?q '.split('')) expect(after(char(key)).effect?.do, key).not.toBe('ask');
  });

  it('are all in the table that help shows', () => {
    const table = TERMINAL_KEYS.map(({ keys }) => keys).join(' ');
    for (const key of '12cdl/foshpryw?qgG') expect(table.split(/[ ,]+/), key).toContain(key);
  });

  it('take a path of exactly the halt that is chosen, once it is confirmed', () => {
    expect(after(char('1'), char('y')).effect).toEqual({
      do: 'ask',
      asks: [{ root: NIGHT.root, wish: { do: 'resume', taskId: 'A-1', path: 1, haltId: 'A-1-1', how: 'andon top' } }],
    });
    expect(after(char('1'), char('n')).effect).toBeUndefined();
    expect(after(char('1'), 'escape').effect).toBeUndefined();
  });

  it('send a change back with a comment at the line that is typed, or with one on all of it', () => {
    const wish = { do: 'comment', taskId: 'A-1', haltId: 'A-1-1', how: 'andon top' };
    expect(asked(char('c'), ...type('src/a.ts:12 Use a map'), 'enter')).toMatchObject({
      ...wish,
      comments: [{ file: 'src/a.ts', line: 12, text: 'Use a map' }],
    });
    expect(asked(char('c'), ...type('Too long'), 'enter')).toMatchObject({ ...wish, comments: [{ text: 'Too long' }] });
    expect(asked(char('c'), 'enter')).toBeUndefined();
    expect(asked(char('c'), char('x'), 'escape')).toBeUndefined();
  });

  it('take a path that must be typed only with the id, and one with a reason only with one', () => {
    expect(asked('down', char('1'), ...type('B-2'), 'enter')).toMatchObject({ taskId: 'B-2', path: 1, confirm: 'B-2' });
    expect(asked('down', char('1'), char('y'), 'enter')).toBeUndefined();
    expect(asked('down', char('2'), 'enter')).toBeUndefined();
    expect(asked('down', char('2'), char('w'), char('x'), 'erase', 'enter')).toMatchObject({ path: 2, reason: 'w' });
  });

  it('move, filter, and open what is chosen', () => {
    expect(chosenTask(after('down', 'down', 'down').state)).toBe('C-3');
    expect(chosenTask(after(char('j'), char('k')).state)).toBe('A-1');
    expect(chosenTask(after('end').state)).toBe('C-3');
    expect(chosenTask(after('pageDown').state)).toBe('C-3');
    expect(chosenTask(after(char('G'), char('g')).state)).toBe('A-1');
    const working = after(char('f'), char('f')).state;
    expect(listAllGroups(BOARD, working).map(({ rows: [row] }) => row.task_id)).toEqual(['C-3']);
    expect(after('enter').state.view).toMatchObject({ is: 'open', what: 'all' });
    expect(after('enter', 'escape').state.view).toEqual({ is: 'list' });
    expect(after('enter', char('?')).state.view).toEqual({ is: 'help' });
    expect(after(char('d')).state.view).toMatchObject({ is: 'open', what: 'change' });
    expect(after(char('l')).state.view).toMatchObject({ is: 'open', what: 'story' });
    expect(after(char('q')).effect).toEqual({ do: 'quit' });
  });

  it('copy the command that the chosen row needs, to be typed in any folder', () => {
    const copied = { do: 'copy', text: `cd ${NIGHT.root} && andon show C-3` };
    expect(after('end', char('y')).effect).toEqual(copied);
    expect(after('end', 'enter', char('y')).effect).toEqual(copied);
    const file = '_handoff/queue/Q-9.json';
    const queue = [{ ...ORDER, file, task_id: 'Q-9', why: 'is next' }];
    const night = aNight([], { line: { ...A_LINE, waiting: [file], queue } });
    const board = buildBoard([{ id: 'shop-1', night, at: TO, unknown: undefined, history: [] }], TO);
    expect(showTop(board, SIZE, char('y')).effect).toMatchObject({ text: `cd ${NIGHT.root} && andon queue` });
  });

  it('answer an opened halt with the same question, and a refusal leads back to it', () => {
    const open = after('enter', char('2'));
    expect(open.state.view).toMatchObject({ is: 'sure', asks: [{ wish: { path: 2, haltId: 'A-1-1' } }] });
    expect(after('enter', char('2'), char('n')).state).toMatchObject({
      view: { is: 'open' },
      message: 'nothing was asked for',
    });
    expect(after('down', 'down', 'enter', char('1')).state.view).not.toMatchObject({ is: 'sure' });
  });

  it('look for a task by its words in every lane, until escape', () => {
    const found = after(char('/'), ...type('c-3')).state;
    expect(listAllGroups(BOARD, found).map(({ rows: [row] }) => row.task_id)).toEqual(['C-3']);
    expect(after(char('/'), ...type('1q?')).state).toMatchObject({ sought: '1q?', view: { is: 'list' } });
    const kept = after(char('/'), ...type('c-3'), 'enter', char('l')).state;
    expect(kept).toMatchObject({ sought: 'c-3', view: { what: 'story' } });
    for (const keys of [['escape'], ['enter', 'escape']] as const)
      expect(after(char('/'), ...type('c-3'), ...keys).state).toMatchObject({ sought: '', isSeeking: false });
  });

  it('stop whatever is shown, and show what the watchdog said', () => {
    for (const first of ['enter', char('?'), char('1'), char('f'), char('/')] as const)
      expect(after(first, 'stop').effect).toEqual({ do: 'stop' });
    const said = ['one', 'DOC-001 is \u001b[31mhalted'];
    expect(showTop(BOARD, { ...SIZE, said }).lines.at(-2)).toBe('DOC-001 is \\u{1b}[31mhalted');
    expect(showTop(BOARD, { ...SIZE, said }, char('w')).lines.slice(1, 4)).toEqual([
      'what the watchdog said (2)',
      'one',
      'DOC-001 is \\u{1b}[31mhalted',
    ]);
  });
});

describe('the keys of the board, on a scene of three repositories', () => {
  const board = aScene(EVENING, EVENING_LINES).board();

  it('show only one repository, then the next', () => {
    const ids = (...keys: readonly Key[]): readonly (string | null)[] =>
      listAllGroups(board, showTop(board, SIZE, ...keys).state).map(({ rows: [row] }) => row.repository);
    expect(new Set(ids(char('o')))).toEqual(new Set(['billing-worker']));
    expect(new Set(ids(char('o'), char('o')))).toEqual(new Set(['shop-api']));
    expect(new Set(ids(char('o'), char('o'), 'escape')).size).toBe(3);
  });

  it('raise a budget to the sum that is suggested, or to another one', () => {
    const ask = (...keys: readonly Key[]): unknown => {
      const { effect } = showTop(board, SIZE, ...keys);
      return effect?.do === 'ask' ? effect.asks[0]?.wish : undefined;
    };
    expect(ask(char('1'), 'enter')).toMatchObject({ taskId: 'DOC-4', path: 1, budget_usd: 0.99 });
    const erased = Array.from({ length: 4 }, (): Key => 'erase');
    expect(ask(char('1'), ...erased, ...type('2.5'), 'enter')).toMatchObject({ budget_usd: 2.5 });
    expect(ask(char('1'), ...erased, ...type('much'), 'enter')).toBeUndefined();
  });

  it('answer halts of one cause together after one question, or one by one', () => {
    const red = (id: string) => ({
      repository: 'shop-api',
      id,
      title: `Task ${id}`,
      requirements: ['It is done'],
      age: 3,
      halt: SCENE_HALTS.base_red,
    });
    const alike = aScene(['R-1', 'R-2', 'R-3'].map(red)).board();
    const { effect, lines } = showTop(alike, SIZE, char('2'), char('y'));
    expect(lines.filter((line) => line.includes('3 tasks  '))).toHaveLength(1);
    expect(effect?.do === 'ask' ? effect.asks.map(({ wish }) => wish) : []).toMatchObject([
      { taskId: 'R-1', path: 2, haltId: 'R-1-1' },
      { taskId: 'R-2', path: 2, haltId: 'R-2-1' },
      { taskId: 'R-3', path: 2, haltId: 'R-3-1' },
    ]);
    expect(showTop(alike, SIZE, char('d')).state.message).toContain('one by one');
    const unfolded = showTop(alike, SIZE, 'enter', 'down', char('2'), char('y')).effect;
    expect(unfolded).toMatchObject({ asks: [{ wish: { taskId: 'R-2' } }] });
    expect(showTop(alike, SIZE, 'enter', 'escape').lines.join('\n')).toContain('3 tasks  ');
  });

  it('comment at the line of the change that is on top of the screen, about the tree that is shown', () => {
    const shown = { ...SIZE, details: sceneDetails('paradox') };
    const paradox = Array.from({ length: 4 }, (): Key => 'down');
    const { state } = showTop(board, shown, ...paradox, char('d'), 'down', 'down', 'down', char('c'));
    expect(state.view).toMatchObject({
      is: 'sure',
      typed: 'src/session.js:12 ',
      asks: [{ wish: { taskId: 'FIX-103', tree: 'd'.repeat(40), haltId: 'FIX-103-1' } }],
    });
  });

  it('stay at the place of a halt that was answered, where the next one is', () => {
    const scene = aScene(EVENING, EVENING_LINES);
    const before = showTop(scene.board(), SIZE, 'down', char('1'), char('y'));
    expect(before.effect).toMatchObject({ asks: [{ wish: { taskId: 'FIX-104' } }] });
    scene.answer('shop-api', 'FIX-104');
    expect(findChosen(scene.board(), before.state)?.rows[0].task_id).toBe('DOC-3');
  });
});

describe('a key', () => {
  it('means nothing where nothing is', () => {
    const nothing = buildBoard([], TO);
    for (const key of ['down', 'enter', 'pageDown', 'end', 'escape', ...type('12cdlfohprs')] as const) {
      const { state, effect, lines } = showTop(nothing, SIZE, key);
      expect(effect).toBeUndefined();
      expect(handleKey(state, 'escape', nothing, () => ({ page: 1, open: [] })).state.view).toEqual(BEGIN.view);
      expect(lines.every((line) => measureWidth(line) <= SIZE.columns)).toBe(true);
    }
  });
});
