import { describe, expect, it } from 'vitest';
import { measureWidth } from '../../../../src/base/text-width.ts';
import { buildBoard } from '../../../../src/line/board/build-board.ts';
import type { Board } from '../../../../src/line/board/board.ts';
import { formatShortAge } from '../../../../src/line/board/describe-row.ts';
import type { Key } from '../../../../src/app/top/handle-key.ts';
import { TO, aNight, journal, task } from '../../../support/nights.ts';
import { started } from '../../../support/records.ts';
import { aScene, EVENING, EVENING_LINES, SCENE_HALTS, type SceneTask } from '../../../support/scene.ts';
import { sceneDetails, showTop } from '../../../support/top-screen.ts';

const SCENE = aScene(EVENING, EVENING_LINES).board();
const char = (text: string): Key => ({ char: text });
const DETAILS = sceneDetails('paradox');

/** The words of a list, whatever lines they were wrapped into; `columns` is the width of the list. */
const wordsOf = (lines: readonly string[]): string => lines.join(' ').replace(/\s+/g, ' ');

/** Every halt whose row begins on the screen, with the lines of its row. */
function shownHalts(board: Board, lines: readonly string[]) {
  return board.lanes.needs_you
    .filter(({ kind }) => kind === 'halt')
    .flatMap((row) => {
      const at = lines.findIndex(
        (line) => line.startsWith(` ! ${row.task_id ?? ''} `) || line.startsWith(`>! ${row.task_id ?? ''} `),
      );
      if (at === -1) return [];
      const next = lines.findIndex((line, index) => index > at && !line.startsWith('    '));
      return [{ row, lines: lines.slice(at, next) }];
    });
}

/** Whether all words of a text are in these lines, each whole or in pieces at the ends of lines. */
function isUncut(text: string, lines: readonly string[]): boolean {
  const shown = lines.join('').replace(/\s+/g, '');
  return text.split(/\s+/).every((word) => shown.includes(word)) && !lines.some((line) => line.includes('…'));
}

const tasks = (count: number, more: Partial<SceneTask> = {}): readonly SceneTask[] =>
  Array.from({ length: count }, (_, at) => ({
    repository: 'shop-api',
    id: `T-${at}`,
    title: `Task number ${at}`,
    requirements: ['It is done'],
    age: at,
    halt: SCENE_HALTS.paradox,
    ...more,
  }));

describe('the list', () => {
  it.each([
    [80, 24],
    [60, 20],
    [120, 40],
    [200, 60],
  ])('shows id, title, cause and age of every visible halt uncut at %i columns and %i rows', (columns, rows) => {
    const { lines } = showTop(SCENE, { columns, rows: rows - 1, details: DETAILS });
    const width = columns < 100 ? columns : Math.min(104, columns / 2);
    const halts = shownHalts(
      SCENE,
      lines.map((line) => line.slice(0, width).trimEnd()),
    );
    expect(halts.length).toBeGreaterThanOrEqual(columns === 60 ? 3 : 5);
    for (const { row, lines: own } of halts)
      for (const text of [row.task_id ?? '', row.title, row.phrase, formatShortAge(row.since ?? '', SCENE.at)])
        expect(isUncut(text, own), `${text}\n${own.join('\n')}`).toBe(true);
  });

  it.each([80, 120])('keeps its columns with wide, long and hostile titles at %i columns', (columns) => {
    const titles = [
      '請求書の番号を国ごとに変える、古い番号はそのままにする',
      'A title that is far longer than any column of the board can ever be, and that goes on and on',
      '\u001b[2J\u001b]0;owned\u0007 red \u202e drawkcab \u200b hidden',
      '👩‍👩‍👧 emoji in front',
      'x'.repeat(120),
    ];
    const scene = aScene(titles.flatMap((title, at) => tasks(1, { id: `W-${at}`, title }))).board();
    const { lines } = showTop(scene, { columns, rows: 39, details: DETAILS });
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e]/);
    expect(lines.filter((line) => measureWidth(line) > columns)).toEqual([]);
    const width = columns < 100 ? columns : columns / 2;
    for (const line of lines.slice(1, -1))
      if (columns >= 100) expect(measureWidth(line.split('│')[0] ?? '')).toBe(width + 1);
    expect(wordsOf(lines)).toContain('\\u{1b}');
    expect(lines.join('').replace(/\s+/g, '')).toContain('請求書');
  });

  it('says the counts of its rows, which row is chosen without a colour, and the keys', () => {
    const { lines } = showTop(SCENE, { rows: 39, columns: 80, details: DETAILS }, 'down');
    expect(lines[0]).toBe('andon  ● live · FIX-105 writing · 3 repositories');
    for (const head of ['Needs you (7)', 'Working (1)', 'Waiting (2)', 'Ended (4)']) expect(lines).toContain(head);
    expect(lines.filter((text) => text.startsWith('>'))).toEqual([expect.stringMatching(/^>! FIX-104 /)]);
    expect(lines.at(-1)).toMatch(/^j k move .*\? help {2}q quit$/);
    expect(lines.join('\n')).toContain('Blocked by FIX-103 (Sess');
    expect(lines.join('\n')).toMatch(/FIX-102 .*Merged into main.* \$0\.08 +1h/);
  });

  it.each(['pageDown', 'end', 'down'] as const)(
    'shows the chosen one of 200 rows after %s, and counts the others',
    (key) => {
      const board = aScene(tasks(200)).board();
      for (const [columns, rows] of [
        [80, 24],
        [120, 40],
        [40, 12],
      ] as const) {
        const { lines } = showTop(board, { rows, columns, details: DETAILS }, key, key, key);
        expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(1);
        expect(lines.length).toBe(rows);
        expect(lines.join('\n')).toMatch(/\d+ more (above|below)/);
      }
      const [first, second] = [1, 2].map(
        (pages) =>
          showTop(board, { rows: 23, columns: 80 }, ...Array.from({ length: pages }, (): Key => 'pageDown')).state.at,
      );
      expect(second).toBe((first ?? 0) * 2);
      expect(first).toBeGreaterThan(5);
    },
  );

  it('shows the last line of an agent below its row, and more of it beside the list', () => {
    const call = { repository: 'shop-1', task_id: 'C-3', call: 2, station: 'implementer', first: 0 };
    const output = [{ ...call, lines: Array.from({ length: 90 }, (_, at) => `line ${at}`) }];
    const night = aNight(journal(task('C-3', started())));
    const board = buildBoard([{ id: 'shop-1', night, at: TO, unknown: undefined, history: [] }], TO);
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
    ] as const) {
      const list = showTop(board, { rows, columns, output }).lines;
      const row = list.findIndex((text) => text.includes('* C-3  '));
      expect(list.slice(row, row + 3).join('\n')).toContain('    line 89');
      expect(list.filter((text) => text.includes('line 89'))).toHaveLength(2);
      expect(list.join('\n')).toContain('implementer, call 2, live');
    }
    for (const rows of [24, 10, 8]) {
      const { lines } = showTop(board, { rows, columns: 80, output }, 'enter');
      expect(lines).toHaveLength(rows);
      expect(lines.at(-2)).toBe('line 89');
    }
    expect(showTop(board, { rows: 24, columns: 80 }, 'enter').lines.join('\n')).not.toContain('line 89');
  });
});

describe('what is beside the list', () => {
  it('uses nine of ten rows at 120 columns and 40 rows for every halt', () => {
    for (const [at, row] of SCENE.lanes.needs_you.filter(({ kind }) => kind === 'halt').entries()) {
      const details = sceneDetails(row.halt?.breaker as keyof typeof SCENE_HALTS);
      const keys = Array.from({ length: at }, (): Key => 'down');
      const { lines } = showTop(SCENE, { columns: 120, rows: 39, details }, ...keys);
      const used = lines.filter((line) => line.replaceAll('│', '').trim() !== '').length;
      expect(used, lines.join('\n')).toBeGreaterThanOrEqual(36);
    }
  });

  it('has both sides of a halt, its answers with the suggested one, and its change with the finding at its line', () => {
    const keys = Array.from({ length: 4 }, (): Key => 'down');
    const { lines } = showTop(SCENE, { columns: 160, rows: 59, details: DETAILS }, ...keys);
    const beside = lines.map((line) => line.split(' │ ')[1] ?? '');
    const order = [
      /^Sessions end$/,
      /^FIX-103 · shop-api · attempt 1/,
      /^- Nobody is logged out at work/,
      /^Reviewer and judge disagree: is this a security flaw\?/,
      /^Local review$/,
      /moving the clock back keeps a session/,
      /^Judge$/,
      /PASS: Sessions older/,
      /^─ answers /,
      /^1 {2}.*\(suggested\)$/,
      /^2 {2}/,
      /^c {2}Send it back with a comment$/,
      /^─ change /,
      /^src\/session\.js {2}\+7 −1, 1 finding$/,
      /^ {3}14 \+/,
      /\^ local-reviewer, critical: the wall clock can be moved back/,
      /^ {3}15 \+/,
      /^─ story /,
    ];
    const found = order.map((text) => beside.findIndex((line) => text.test(line)));
    expect(found, beside.join('\n')).toEqual(found.toSorted((a, b) => a - b));
    expect(found).not.toContain(-1);
  });

  it('is below the list in a narrow window, and opens into all of the window', () => {
    const narrow = showTop(SCENE, { columns: 80, rows: 23, details: DETAILS });
    expect(narrow.lines.slice(-5, -1)).toEqual([
      'FAQ',
      expect.stringMatching(/^DOC-4 · docs-site · attempt 1 · \$0\.44 of \$0\.30 · 12 min/),
      '- A session ends after fifteen minutes',
      '- Nobody is logged out at work',
    ]);
    const open = showTop(SCENE, { columns: 80, rows: 23, details: DETAILS }, 'enter').lines;
    expect(open[1]).toMatch(/^DOC-4 \(1 of \d+\)$/);
    expect(open.at(-1)).toMatch(/^j k move {2}1 2 answer {2}c comment {2}d diff {2}l log .* {2}esc back$/);
  });

  it('says why a change cannot be shown', () => {
    const { lines } = showTop(SCENE, { columns: 120, rows: 39, details: 'the disk is gone' }, char('d'));
    expect(lines[2]).toBe('The disk is gone');
  });
});

describe('the screen', () => {
  const views: readonly (readonly Key[])[] = [
    [],
    ['enter'],
    [char('?')],
    ['down', char('1')],
    [char('/'), ...Array.from('sessions', char)],
    [char('c'), ...Array.from('x'.repeat(300), char)],
  ];

  it.each([
    [80, 24],
    [200, 60],
    [120, 40],
    [60, 20],
    [40, 8],
    [20, 3],
  ])('is never wider than %i columns or taller than %i rows', (columns, rows) => {
    for (const keys of views) {
      const { lines } = showTop(SCENE, { rows, columns, details: DETAILS }, ...keys);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => measureWidth(line) > columns)).toEqual([]);
    }
  });
});
