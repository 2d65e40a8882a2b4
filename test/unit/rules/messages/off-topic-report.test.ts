import { describe, expect, it } from 'vitest';
import { offTopicReport } from '../../../../src/rules/messages/off-topic-report.ts';
import { aRecord, aReport } from '../../../support/records.ts';

const diff = 'diff --git a/docs/guide.md b/docs/guide.md\n+Merge both guides here.';
const elsewhere = {
  summary: 'The weather in Oslo will be cloudy with heavy showers towards evening.',
  verdict: 'FAIL' as const,
  blocking: [],
  fixes: [],
  evidence: [],
};

describe('a report', () => {
  it('about something else than contract and change does not count', () => {
    expect(offTopicReport.check(aReport(elsewhere), aRecord(), { unopened: undefined, diff })).toBe(
      'the report speaks neither of what the contract requires nor of anything that the change holds',
    );
  });

  it.each([
    ['about the contract', { ...elsewhere, summary: 'Both guides are merged.' }],
    [
      'about a word of the change',
      { ...elsewhere, summary: 'Heavy showers towards evening: "here" stands twice, once too often.' },
    ],
    ['that quotes a line', { ...elsewhere, evidence: aReport().evidence }],
    ['that says next to nothing', { ...elsewhere, summary: 'ok' }],
    ['that calls a human', { ...elsewhere, verdict: 'CRITICAL_HALT' as const }],
  ])('%s counts', (_, changes) => {
    expect(offTopicReport.check(aReport(changes), aRecord(), { unopened: undefined, diff })).toBeUndefined();
  });

  it('is not held against a change that nobody has at hand', () => {
    expect(offTopicReport.check(aReport(elsewhere), aRecord(), { unopened: undefined })).toBeUndefined();
  });
});
