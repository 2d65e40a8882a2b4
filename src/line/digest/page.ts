import { markup, type Markup } from '../documents/task-report/markup.ts';
import { renderFrame } from '../documents/task-report/page-frame.ts';
import { formatMoment } from '../documents/task-report/words.ts';
import type { Digest } from './digest.ts';
import { outlineDigest, type OutlineItem, type OutlineOptions, type OutlineCommand } from './outline.ts';

/** The mark of andon's own digests: only such a file is ever replaced. */
export const DIGEST_PAGE_MARK = '<meta name="generator" content="andon digest">';

/** The digest as one self-contained page, in the frame of every page of andon; `back` as there. */
export function renderDigestPage(digest: Digest, manner: Omit<OutlineOptions, 'when'>, back?: string): string {
  const { lead, sections } = outlineDigest(digest, { ...manner, when: formatMoment });
  const needs = digest.needs_you.length;
  return renderFrame({
    title: `andon digest: ${needs} ${needs === 1 ? 'needs' : 'need'} you`,
    mark: DIGEST_PAGE_MARK,
    over: 'andon digest',
    heading: markup`What happened<span class="chip ${needs === 0 ? 'good' : 'stopped'}">${needs} ${needs === 1 ? 'needs' : 'need'} you</span>`,
    lead: markup`<p class="lead">${lead}</p>`,
    sections: sections.map(({ id, title, items }) => ({ id, title, body: bodyOf(items) })),
    now: digest.to,
    back,
  });
}

const bodyOf = (items: readonly OutlineItem[]): Markup =>
  items.length === 0 ? markup`<p class="soft">Nothing.</p>` : markup`${items.map(itemPart)}`;

const TONES = { good: 'good', bad: 'stopped', plain: 'soft' } as const;

function itemPart({ name, tone, text, lines, ways }: OutlineItem): Markup {
  const marked = name === '' ? undefined : markup`<b class="${TONES[tone]}">${name}</b>: `;
  return markup`<p>${marked}${text}</p>
${lines.length === 0 ? undefined : markup`<ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`}
${ways.length === 0 ? undefined : markup`<div class="paths">${ways.map(wayCard)}</div>`}
`;
}

const wayCard = ({ title, commands }: OutlineCommand): Markup =>
  markup`<div class="path"><b>${title}</b><pre>${commands.join(' &&\n  ')}</pre></div>`;
