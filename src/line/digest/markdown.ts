import { forMarkdown, inMarkdownLine } from '../../base/plain-text.ts';
import { moment } from '../documents/task-report/words.ts';
import type { Digest } from './digest.ts';
import { outlineOf } from './outline.ts';
import type { Item, Manner, Section } from './outline.ts';

/** How a digest is known as andon's own, so that only such a file is ever replaced. */
export const MARKDOWN_MARK = '<!-- andon digest -->';

/** The digest as Markdown; everything from elsewhere is escaped, commands stand in blocks of their own. */
export function renderMarkdown(digest: Digest, manner: Omit<Manner, 'when'>): string {
  const { lead, sections } = outlineOf(digest, { ...manner, when: moment });
  return `${[MARKDOWN_MARK, '# andon digest', safe(lead), ...sections.map(sectionPart)].join('\n\n')}\n`;
}

const safe = (text: string): string => inMarkdownLine(text, 2000);

const sectionPart = ({ title, items }: Section): string =>
  [`## ${title}`, ...(items.length === 0 ? ['Nothing.'] : items.map(itemPart))].join('\n\n');

/** An item with commands is a part of its own, the others are points of a list. */
function itemPart({ name, text, lines, ways }: Item): string {
  const head = `${name === '' ? '' : `**${safe(name)}**: `}${safe(text)}`;
  if (ways.length === 0) return [`- ${head}`, ...lines.map((line) => `  - ${safe(line)}`)].join('\n');
  return [
    head,
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${safe(line)}`).join('\n')]),
    ...ways.flatMap(({ title, commands }) => [
      `${safe(title)}${/[.:]$/.test(title) ? '' : ':'}`,
      forMarkdown(commands.join(' &&\n  '), 'sh'),
    ]),
  ].join('\n\n');
}
