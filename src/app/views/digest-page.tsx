import { toPlainTexts } from '../../base/plain-texts.ts';
import { formatMoment } from '../../line/reports/task-report/words.ts';
import type { Digest } from '../../line/digest/digest.ts';
import { outlineDigest, type OutlineOptions } from '../../line/digest/outline.ts';
import { toDigestSection } from './digest-section.tsx';
import { renderFrame } from './page-frame.tsx';
import { Chip } from './parts.tsx';

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
