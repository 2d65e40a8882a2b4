import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** What a part of a picture may be. */
type Tag = 'defs' | 'pattern' | 'g' | 'title' | 'rect' | 'line' | 'path' | 'circle' | 'text';

/** One element of a picture: its attributes, and the text or the parts in it. */
export interface Part {
  readonly tag: Tag;
  readonly is: Readonly<Record<string, string | number>>;
  readonly holds: string | readonly Part[];
}

/** A picture before somebody draws it: as HTML into a report, or by the script of the board. */
export interface Drawing {
  /** Begins the ids of title and description, so it is another one for each picture of a page. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** What it is called, and what it says, for who cannot see it. */
  readonly title: string;
  readonly said: string;
  readonly parts: readonly Part[];
}

/** Makes one part. */
export const part = (tag: Tag, is: Part['is'], holds: Part['holds'] = []): Part => ({ tag, is, holds });

/** Parts with words that show when somebody points at them. */
export const entitled = (title: string, ...parts: readonly Part[]): Part =>
  part('g', {}, [part('title', {}, title), ...parts]);

/** A place or a size in a picture, to a tenth of its unit. */
export const fixed = (value: number): string => String(Math.round(value * 10) / 10);

/** The picture as HTML. */
export const drawn = ({ id, width, height, title, said, parts }: Drawing): Markup =>
  markup`<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${said}</desc>
${parts.map(asMarkup)}
</svg>`;

const asMarkup = ({ tag, is, holds }: Part): Markup => {
  const attributes = Object.entries(is).map(([name, value]) => markup` ${name}="${value}"`);
  return markup`<${tag}${attributes}>${typeof holds === 'string' ? holds : holds.map(asMarkup)}</${tag}>`;
};
