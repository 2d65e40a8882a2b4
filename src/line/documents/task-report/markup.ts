import { toHtml } from '../../../base/plain-text.ts';

/** HTML from andon itself; only `markup` creates it, so external text can never pass for it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content of a page: text (escaped), figures, markup, lists of these; undefined is empty. */
export type MarkupPiece = string | number | Markup | undefined | readonly MarkupPiece[];

/** Joins literal HTML with values; this is the only place that escapes text. */
export const markup = (written: TemplateStringsArray, ...pieces: readonly MarkupPiece[]): Markup =>
  new Markup(written.map((text, index) => text + asText(pieces[index])).join(''));

function asText(piece: MarkupPiece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return toHtml(String(piece));
  return piece.map(asText).join('');
}
