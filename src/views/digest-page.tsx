import { toPlainTexts } from '../base/plain-texts.ts';
import { formatMoment } from '../line/documents/task-report/words.ts';
import type { Digest } from '../line/digest/digest.ts';
import { outlineDigest, type OutlineItem, type OutlineOptions } from '../line/digest/outline.ts';
import { renderFrame } from './page-frame.tsx';
import { Chip } from './parts.tsx';

/** The digest as one self-contained page; `back` is the link back, on a page of a board. */
export function renderDigestPage(
  digest: Digest,
  manner: Omit<OutlineOptions, 'when'>,
  style: string,
  back?: string,
): string {
  const { lead, sections } = toPlainTexts(outlineDigest(digest, { ...manner, when: formatMoment }));
  const needs = `${digest.needs_you.length} ${digest.needs_you.length === 1 ? 'needs' : 'need'} you`;
  return renderFrame({
    generator: 'andon digest',
    title: `andon digest: ${needs}`,
    style,
    now: digest.to,
    header: (
      <>
        {back === undefined ? null : (
          <p class="soft small">
            <a href={back}>Back to the board</a>
          </p>
        )}
        <h1>
          What happened <Chip tone={digest.needs_you.length === 0 ? 'good' : 'bad'} text={needs} />
        </h1>
        <p>{lead}</p>
      </>
    ),
    sections: sections.map(({ id, title, items }) => ({
      id,
      title,
      body: items.length === 0 ? <p class="soft">Nothing.</p> : items.map((item, at) => <Item key={at} item={item} />),
    })),
  });
}

const TONES = { good: 'good', bad: 'bad', plain: 'soft' } as const;

const Item = ({ item: { name, tone, text, lines, ways } }: { readonly item: OutlineItem }) => (
  <>
    <p>
      {name === '' ? null : (
        <>
          <b class={TONES[tone]}>{name}</b>:{' '}
        </>
      )}
      {text}
    </p>
    {lines.length === 0 ? null : (
      <ul>
        {lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
    )}
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
