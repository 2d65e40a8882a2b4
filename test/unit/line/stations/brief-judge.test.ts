import { describe, expect, it } from 'vitest';
import { briefJudge } from '../../../../src/line/stations/brief-judge.ts';
import { COMMIT, DIGEST, aJudgedRecord, aRecord } from '../../../support/records.ts';

const RECORD = aJudgedRecord({ status: 'review_in_progress', report: undefined });

describe("the judge's brief", () => {
  it('names task, commit and contract digest, which the report must repeat', () => {
    const { prompt, schema } = briefJudge(RECORD);
    for (const part of ['DOC-001', COMMIT, DIGEST, 'change.diff', 'CRITICAL_HALT']) expect(prompt).toContain(part);
    expect(schema).toMatchObject({ type: 'object', required: expect.arrayContaining(['verdict', 'evidence']) });
  });

  it('says why the last answer about this change did not count, and only then', () => {
    const step = {
      at: '',
      event: 'report_unproven',
      from: 'review_in_progress',
      to: 'pending_judge_review',
      reason: 'x',
    };
    const started = { ...step, event: 'review_started' };
    const again = briefJudge({ ...RECORD, history: [step, started] as typeof RECORD.history }).prompt;
    expect(again).toContain('Your last answer did not count');
    expect(briefJudge({ ...RECORD, history: [started] as typeof RECORD.history }).prompt).not.toContain(
      'did not count;',
    );
  });

  it('speaks of a rebuttal only when there is one', () => {
    expect(briefJudge(RECORD).prompt).not.toContain('REBUTTAL.md');
    expect(briefJudge({ ...RECORD, rebuttal: [{ why: 'the file is there' }] }).prompt).toContain('REBUTTAL.md');
  });

  it('is not written without a change', () => {
    expect(() => briefJudge(aRecord())).toThrow();
  });
});
