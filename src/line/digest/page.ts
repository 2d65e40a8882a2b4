import { markup } from '../documents/task-report/markup.ts';
import type { Markup } from '../documents/task-report/markup.ts';
import { framed } from '../documents/task-report/page-frame.ts';
import { moment } from '../documents/task-report/words.ts';
import type { Digest } from './digest.ts';
import { outlineOf } from './outline.ts';
import type { Item, Manner, Shown } from './outline.ts';

/** The mark of andon's own digests: only such a file is ever replaced. */
export const PAGE_MARK = '<meta name="generator" content="andon digest">';

/** The digest as one self-contained page, in the frame of every page of andon; `back` as there. */
export function renderPage(digest: Digest, manner: Omit<Manner, 'when'>, back?: string): string {
  const { lead, sections } = outlineOf(digest, { ...manner, when: moment });
  const needs = digest.needs_you.length;
  return framed({
    title: `andon digest: ${needs} ${needs === 1 ? 'needs' : 'need'} you`,
    mark: PAGE_MARK,
    over: 'andon digest',
    heading: markup`What happened<span class="chip ${needs === 0 ? 'good' : 'stopped'}">${needs} ${needs === 1 ? 'needs' : 'need'} you</span>`,
    lead: markup`<p class="lead">${lead}</p>`,
    sections: sections.map(({ id, title, items }) => ({ id, title, body: bodyOf(items) })),
    now: digest.to,
    back,
  });
}

const bodyOf = (items: readonly Item[]): Markup =>
  items.length === 0 ? markup`<p class="soft">Nothing.</p>` : markup`${items.map(itemPart)}`;

const TONES = { good: 'good', bad: 'stopped', plain: 'soft' } as const;

function itemPart({ name, tone, text, lines, ways }: Item): Markup {
  const marked = name === '' ? undefined : markup`<b class="${TONES[tone]}">${name}</b>: `;
  return markup`<p>${marked}${text}</p>
${lines.length === 0 ? undefined : markup`<ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`}
${ways.length === 0 ? undefined : markup`<div class="paths">${ways.map(wayCard)}</div>`}
`;
}

const wayCard = ({ title, commands }: Shown): Markup =>
  markup`<div class="path"><b>${title}</b><pre>${commands.join(' &&\n  ')}</pre></div>`;
