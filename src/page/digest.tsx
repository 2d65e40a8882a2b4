import { withLocalTimes } from '../base/local-time.ts';
import type { DigestResponse } from '../surfaces/web/api-types.ts';
import { toDigestSection } from '../views/digest-section.tsx';
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
      {value.sections.map((section) => {
        const items = section.items.map((item) => ({ ...item, text: words(item.text), lines: item.lines.map(words) }));
        return <SectionPart key={section.id} {...toDigestSection({ ...section, items })} />;
      })}
    </div>
  );
}
