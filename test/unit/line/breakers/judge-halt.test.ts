import { describe, expect, it } from 'vitest';
import { judgeHalt } from '../../../../src/line/breakers/judge-halt.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aFinding, aJudgedRecord, aReport, type Changes, pathsOf } from '../../../support/records.ts';

const report = aReport({
  verdict: 'CRITICAL_HALT',
  summary: 'This removes the login.',
  blocking: [aFinding()],
  fixes: ['Put the login back'],
});
const halted = (changes: Changes = {}): TaskRecord => aJudgedRecord({ report, lastFacts: { report }, ...changes });

describe('a judge who pulls the cord', () => {
  it.each([
    ['CRITICAL_HALT', halted(), true],
    ['a FAIL', halted({ report: aReport({ verdict: 'FAIL' }) }), false],
    ['no report', halted({ report: undefined }), false],
    ['a step later, after a human has taken a side', halted({ sided: 'FAIL' }), false],
    ['a step later, without a new report', halted({ lastFacts: {} }), false],
  ])('%s', (_, record, trips) => {
    expect(judgeHalt.check(record) !== undefined).toBe(trips);
  });

  it('is quoted with summary and findings', () => {
    const says = judgeHalt.check(halted())?.sides[0]?.says ?? '';
    expect(says).toContain('This removes the login.');
    expect(says).toContain('[high] docs/guide.md:3 the second guide is missing');
  });

  it('can be answered by its required fixes, or by the end of the task', () => {
    const [fix, end] = pathsOf(judgeHalt, halted());
    expect(fix.effect).toEqual({
      to: 'pending_implementer',
      verdict: 'FAIL',
      say: 'Required by the judge: Put the login back',
    });
    expect(end.effect).toEqual({ to: 'abandoned' });
    const without = halted({ report: { ...report, fixes: [] } });
    expect(pathsOf(judgeHalt, without)[0].effect.say).toContain('This removes the login.');
  });
});
