import { formatPlace } from '../../base/format-place.ts';
import type { DiffFile, DiffRow } from '../../base/read-diff.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatFoundAt, type FoundAt } from '../../line/reports/task-report/list-found-in.ts';
import { formatFileChange } from '../../line/reports/task-report/words.ts';
import { drawWrapped, toDrawn, type Drawn, type Tone } from './drawn.ts';

const MOST_LINES = 20_000;

/** A change with the numbers of its lines, each finding below its line. */
export function drawChange(files: readonly DiffFile[], found: readonly FoundAt[], width: number): readonly Drawn[] {
  const lines: Drawn[] = [];
  for (const file of files) {
    if (lines.length >= MOST_LINES) break;
    const own = found.filter((one) => one.file === file.path);
    lines.push(drawFileHead(file, own.length));
    for (const row of file.rows.slice(0, MOST_LINES - lines.length)) {
      if (row.kind === 'header') continue;
      lines.push(drawRow(file, row));
      const here = row.kind === 'removed' ? [] : own.filter(({ line }) => line !== undefined && line === row.line);
      lines.push(...here.flatMap((one) => drawFinding(one, width, NUMBER + 2)));
    }
  }
  return lines;
}

/** Findings at no line of these files, with their places. */
export const drawOtherFindings = (files: readonly DiffFile[], found: readonly FoundAt[], width: number) =>
  found
    .filter(
      ({ file, line }) =>
        !files.some(
          ({ path, rows }) => path === file && rows.some((row) => row.kind !== 'removed' && row.line === line),
        ),
    )
    .flatMap((one) => drawFinding(one, width, 0));

function drawFileHead({ path, from, change, isBinary, rows }: DiffFile, findings: number): Drawn {
  const count = (kind: DiffRow['kind']): number | null =>
    isBinary ? null : rows.filter((row) => row.kind === kind).length;
  const what = formatFileChange(change, count('added'), count('removed'));
  return {
    spans: [
      { text: from === undefined ? path : `${from} to ${path}`, tone: 'head' },
      findings === 0
        ? { text: `  ${what}`, tone: 'dim' }
        : { text: `  ${what}, ${formatCount(findings, 'finding')}`, tone: 'wait' },
    ],
  };
}

const NUMBER = 5;
const TONES: Readonly<Partial<Record<DiffRow['kind'], Tone>>> = {
  added: 'good',
  removed: 'bad',
  hunk: 'dim',
  note: 'dim',
};

function drawRow({ path }: DiffFile, { kind, signs, text, line }: DiffRow): Drawn {
  const tone = TONES[kind] ?? 'plain';
  const shown = text.replaceAll('\t', '    ');
  if (kind === 'hunk') return toDrawn(shown.replace(/^(@@+) .* \1/, '$1'), tone);
  const number = line === undefined || kind === 'removed' ? '' : String(line);
  return {
    spans: [
      { text: `${number.padStart(NUMBER)} `, tone: 'dim' },
      { text: `${signs}${shown}`, tone },
    ],
    place: kind === 'removed' || line === undefined || path === '' ? undefined : `${path}:${line}`,
  };
}

function drawFinding(one: FoundAt, width: number, indent: number): readonly Drawn[] {
  const place = indent > 0 || one.file === undefined ? '' : formatPlace(one.file, one.line);
  return drawWrapped(formatFoundAt(one, place).replace(/\s+/g, ' '), width, 'wait', `${' '.repeat(indent)}^ `);
}
