import type { OutlineItem } from '../line/digest/outline.ts';

const TONES = { good: 'good', bad: 'bad', plain: 'soft' } as const;

export const DigestItem = ({ item: { name, tone, text, lines, ways } }: { readonly item: OutlineItem }) => (
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
