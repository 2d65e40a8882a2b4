import { toPlainTexts } from '../../base/plain-texts.ts';
import { formatMoment } from '../../line/reports/task-report/format-figures.ts';
import type { Digest } from '../../line/digest/digest.ts';
import {
  outlineDigest,
  type OutlineOptions,
  type OutlineItem,
  type Section,
} from '../../line/digest/outline-digest.ts';
import { renderFrame } from './page-frame.tsx';
import { Chip, Items, type PageSection } from './parts.tsx';

export function renderDigestPage(digest: Digest, manner: Omit<OutlineOptions, 'when'>, style: string): string {
  const { lead, sections } = toPlainTexts(outlineDigest(digest, { ...manner, when: formatMoment }));
  const needs = `${digest.needs_you.length} ${digest.needs_you.length === 1 ? 'needs' : 'need'} you`;
  return renderFrame({
    generator: 'andon digest',
    title: `andon digest: ${needs}`,
    style,
    now: digest.to,
    header: (
      <>
        <h1>
          What happened <Chip tone={digest.needs_you.length === 0 ? 'good' : 'bad'} text={needs} />
        </h1>
        <p>{lead}</p>
      </>
    ),
    sections: sections.map(toDigestSection),
  });
}

const TONES = { good: 'good', bad: 'bad', plain: 'soft' } as const;

const DigestItem = ({ item: { name, tone, text, lines, ways } }: { readonly item: OutlineItem }) => (
  <>
    <p>
      {name === '' ? null : (
        <>
          <b class={TONES[tone]}>{name}</b>:{' '}
        </>
      )}
      {text}
    </p>
    <Items items={lines} />
    {ways.length === 0 ? null : (
      <div class="cards">
        {ways.map(({ title, commands }, at) => (
          <div key={at} class="card">
            <b>{title}</b>
            <pre>{commands.join(' &&\n  ')}</pre>
          </div>
        ))}
      </div>
    )}
  </>
);

const toDigestSection = ({ id, title, items }: Section): PageSection => ({
  id,
  title,
  body:
    items.length === 0 ? <p class="soft">Nothing.</p> : items.map((item, at) => <DigestItem key={at} item={item} />),
});
