import { withLocalTimes } from '../base/local-time.ts';
import type { DigestResponse } from '../surfaces/web/api-types.ts';
import { DigestItem } from '../views/digest-item.tsx';
import { SectionPart } from '../views/parts.tsx';
import { now } from './live.ts';
import { LoadingNotice, useLooked } from './parts.tsx';

export function DigestPage() {
  const { value, why } = useLooked<DigestResponse>('/api/digest');
  if (value === undefined) return <LoadingNotice why={why} />;
  const words = (text: string): string => withLocalTimes(text, new Date(now.value));
  return (
    <div class="narrow">
      <h1>What happened</h1>
      <p>{words(value.lead)}</p>
      {value.sections.map(({ id, title, items }) => (
        <SectionPart
          key={id}
          id={id}
          title={title}
          body={
            items.length === 0 ? (
              <p class="soft">Nothing.</p>
            ) : (
              items.map((item, at) => (
                <DigestItem key={at} item={{ ...item, text: words(item.text), lines: item.lines.map(words) }} />
              ))
            )
          }
        />
      ))}
    </div>
  );
}
