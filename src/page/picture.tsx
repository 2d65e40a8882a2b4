import { createElement, type JSX } from 'preact';
import type { Drawing, SvgElement } from '../line/documents/task-report/svg.ts';

/** A picture for a wide page and one for a phone; the fitting one is shown. */
export const Picture = ({ drawings }: { readonly drawings: Readonly<Record<'wide' | 'narrow', Drawing>> }) => (
  <>
    <div class="for-wide">
      <Drawn drawing={drawings.wide} />
    </div>
    <div class="for-phone">
      <Drawn drawing={drawings.narrow} />
    </div>
  </>
);

const Drawn = ({ drawing: { id, width, height, title, said, parts } }: { readonly drawing: Drawing }) => (
  <svg class="picture" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-desc`}>{said}</desc>
    {parts.map(shape)}
  </svg>
);

const shape = ({ tag, is, holds }: SvgElement): JSX.Element =>
  createElement(tag, is, typeof holds === 'string' ? holds : holds.map(shape));
