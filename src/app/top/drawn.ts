import { padToColumn } from '../cli/width.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { fitToWidth, measureWidth, wrapText } from '../../base/text-width.ts';

export type Tone = 'head' | 'bad' | 'good' | 'work' | 'wait' | 'dim' | 'plain';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
  readonly isChosen?: true;
}

export interface Drawn {
  readonly spans: readonly Span[];
  /** The line of a change that it shows: `src/a.ts:12`. */
  readonly place?: string | undefined;
}

export const toDrawn = (text: string, tone: Tone = 'plain'): Drawn => ({ spans: [{ text, tone }] });

export const getText = ({ spans }: Drawn): string => spans.map(({ text }) => text).join('');

export const padToWidth = (text: string, width: number): string => padToColumn(toSingleLine(text), width);

/** A line cut at this width, safe to print whatever it holds; `isFilled` makes it exactly as wide. */
export function fitLine(line: Drawn, width: number, isFilled = false): Drawn {
  let left = width;
  const spans: Span[] = [];
  for (const span of line.spans) {
    if (left <= 0) break;
    const fitted = fitToWidth(toSingleLine(span.text), left);
    spans.push({ ...span, text: fitted });
    left -= measureWidth(fitted);
  }
  return { ...line, spans: isFilled && left > 0 ? [...spans, { text: ' '.repeat(left), tone: 'plain' }] : spans };
}

/** A text of several lines, each wrapped between words. */
export const wrapLines = (text: string, width: number): readonly string[] =>
  text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapText(toSingleLine(line), Math.max(1, width)));

/** The same as lines of one tone; the first begins with this text, the others are indented as far. */
export const drawWrapped = (text: string, width: number, tone: Tone = 'plain', start = ''): readonly Drawn[] =>
  wrapLines(text, width - start.length).map((line, at) =>
    toDrawn(`${at === 0 ? start : ' '.repeat(start.length)}${line}`, tone),
  );

export const markChosen = (line: Drawn): Drawn => ({
  ...line,
  spans: line.spans.map((span) => ({ ...span, isChosen: true })),
});
