import { forHtml } from '../../../base/plain-text.ts';

/** HTML that andon wrote itself; only `markup` makes it, so that text from elsewhere can never pass for it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a page: text (escaped), figures, markup, lists of these; undefined is nothing. */
export type Piece = string | number | Markup | undefined | readonly Piece[];

/** Joins HTML of the source with pieces; every text among them is escaped, here and nowhere else. */
export const markup = (written: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(written.map((text, index) => text + asText(pieces[index])).join(''));

function asText(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return forHtml(String(piece));
  return piece.map(asText).join('');
}
