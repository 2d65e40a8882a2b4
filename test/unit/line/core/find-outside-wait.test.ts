import { describe, expect, it } from 'vitest';
import { readDecision } from '../../../../src/line/record/decision-file.ts';
import { checkHumanDecision } from '../../../../src/line/core/decide-on-change.ts';
import { findOutsideWait } from '../../../../src/line/core/find-outside-wait.ts';
import { aJudgedRecord, aReport } from '../../../support/records.ts';

describe('the example of a decision that the line waits for', () => {
  it.each([
    ['PASS', ['quote it'], 'merge'],
    ['CONDITIONAL', ['quote it'], 'fix'],
    ['FAIL', ['quote it'], 'fix'],
    ['FAIL', [], 'fix'],
    ['NEEDS_REVIEW', [], 'fix'],
  ] as const)('can be taken after %s with the fixes %j: %s', (verdict, fixes, decision) => {
    const judged = aJudgedRecord({ report: aReport({ verdict, fixes: [...fixes] }) });
    const { contract } = judged;
    const record = {
      ...judged,
      status: 'review_complete' as const,
      contract: { ...contract, roles: { ...contract.roles, floorManager: 'human' } },
    };
    const [, example = ''] =
      /such as (\{.*\})$/.exec(findOutsideWait(record, { judgeIsOutside: false })?.phrase ?? '') ?? [];
    const read = readDecision(example);
    if (!read.ok || read.value.about !== 'report') throw new Error(example);
    expect(read.value.decision.decision).toBe(decision);
    expect(checkHumanDecision(read.value.decision, record)).toMatchObject({ do: decision });
  });
});
