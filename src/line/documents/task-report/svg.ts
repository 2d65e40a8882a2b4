import { markup, type Markup } from './markup.ts';

type Tag = 'defs' | 'pattern' | 'g' | 'title' | 'rect' | 'line' | 'path' | 'circle' | 'text';

/** One element of a picture: its attributes, and its text or children. */
export interface SvgElement {
  readonly tag: Tag;
  readonly is: Readonly<Record<string, string | number>>;
  readonly holds: string | readonly SvgElement[];
}

/** A picture before rendering: as HTML into a report, or by the script of the board. */
export interface Drawing {
  /** The prefix of the ids of title and description, unique on a page. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Title and description for screen readers. */
  readonly title: string;
  readonly said: string;
  readonly parts: readonly SvgElement[];
}

export const createElement = (tag: Tag, is: SvgElement['is'], holds: SvgElement['holds'] = []): SvgElement => ({
  tag,
  is,
  holds,
});

/** Elements with a tooltip. */
export const withTitle = (title: string, ...parts: readonly SvgElement[]): SvgElement =>
  createElement('g', {}, [createElement('title', {}, title), ...parts]);

/** A position or size, rounded to a tenth. */
export const toTenth = (value: number): string => String(Math.round(value * 10) / 10);

export const renderSvg = ({ id, width, height, title, said, parts }: Drawing): Markup =>
  markup`<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${said}</desc>
${parts.map(asMarkup)}
</svg>`;

const asMarkup = ({ tag, is, holds }: SvgElement): Markup => {
  const attributes = Object.entries(is).map(([name, value]) => markup` ${name}="${value}"`);
  return markup`<${tag}${attributes}>${typeof holds === 'string' ? holds : holds.map(asMarkup)}</${tag}>`;
};
