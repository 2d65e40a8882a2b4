import { Items, type PageSection } from './parts.tsx';
import type { OutlineItem, Section } from '../../line/digest/outline.ts';

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

export const toDigestSection = ({ id, title, items }: Section): PageSection => ({
  id,
  title,
  body:
    items.length === 0 ? <p class="soft">Nothing.</p> : items.map((item, at) => <DigestItem key={at} item={item} />),
});
