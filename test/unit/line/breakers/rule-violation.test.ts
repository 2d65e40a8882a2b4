import { describe, expect, it } from 'vitest';
import { ruleViolation } from '../../../../src/line/breakers/rule-violation.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import type { RuledFinding, Ruling } from '../../../../src/rules/model/ruling.ts';
import { aRecord, pathsOf } from '../../../support/records.ts';

const aRuled = (changes: Partial<RuledFinding> = {}): RuledFinding => ({
  rule: 'no-todo',
  title: 'No TODO',
  priority: 'P0',
  handler: 'TERMINATE',
  hard: false,
  does: 'stop',
  message: 'TODO is not allowed',
  file: 'docs/a.md',
  line: 3,
  fingerprint: 'f1',
  ...changes,
});

const ruledAbout = (moment: Ruling['moment'], ...found: readonly RuledFinding[]): TaskRecord =>
  aRecord({
    lastFacts: { rulings: [{ moment, phase: 'IMPLEMENTATION', score: 0, found: [...found], unchecked: [] }] },
  });

describe('the rule_violation breaker', () => {
  it.each([
    ['no rule was asked', aRecord({}), false],
    ['nothing was found', ruledAbout('change'), false],
    ['a P0 rule is violated', ruledAbout('change', aRuled()), true],
    [
      'a hard constraint of a lower priority is violated',
      ruledAbout('change', aRuled({ priority: 'P1', hard: true })),
      true,
    ],
    [
      'a P1 rule goes through the quick channel',
      ruledAbout('change', aRuled({ priority: 'P1', does: 'quick_fix' })),
      false,
    ],
    ['it is suppressed', ruledAbout('change', aRuled({ does: 'suppressed' })), false],
  ])('%s', (_, record, trips) => {
    expect(ruleViolation.check(record) !== undefined).toBe(trips);
  });

  it('lets exactly the findings pass that a human waived', () => {
    const record = ruledAbout('change', aRuled(), aRuled({ fingerprint: 'f2', line: 9 }));
    const waived = { ...record, grants: { ...record.grants, waived: ['f1'] } };
    expect(ruleViolation.check(record)?.reason).toBe('[no-todo] docs/a.md:3 TODO is not allowed (and 1 more)');
    expect(ruleViolation.check(waived)?.reason).toBe('[no-todo] docs/a.md:9 TODO is not allowed');
    expect(pathsOf(ruleViolation, waived)[1].effect.waive).toEqual(['f2']);
  });

  it('found in the change by a review is the implementer’s to put right', () => {
    const record = ruledAbout('review', aRuled());
    const [fix, waive] = pathsOf(ruleViolation, record);
    expect([fix.effect.to, fix.effect.fresh, waive.effect.to]).toEqual([
      'pending_implementer',
      true,
      'pending_judge_review',
    ]);
    expect(ruleViolation.check(record)?.sides[1]?.who).toBe('implementer');
  });

  it.each([
    ['contract', 'abandoned', 'pending_implementer'],
    ['change', 'pending_implementer', 'pending_implementer'],
    ['gates', 'pending_implementer', 'pending_implementer'],
    ['review', 'pending_local_review', 'pending_judge_review'],
    ['report', 'pending_judge_review', 'review_complete'],
    ['fixes', 'pending_judge_review', 'review_complete'],
  ] as const)('leads from a violation in the %s back to %s, or with a reason on to %s', (moment, back, on) => {
    const { file: _file, line: _line, ...words } = aRuled();
    const one = moment === 'change' || moment === 'gates' ? aRuled() : words;
    const [fix, waive] = pathsOf(ruleViolation, ruledAbout(moment, one));
    expect([fix.effect.to, fix.reasoned]).toEqual([back, undefined]);
    expect([waive.effect.to, waive.reasoned, waive.effect.waive]).toEqual([on, true, ['f1']]);
  });

  it.each([
    ['review', 'pending_local_review', { reviewers: ['sec', 'rev'] }],
    ['report', 'pending_judge_review', { judges: ['sec', 'rev'] }],
  ] as const)('waived in the words of one of several, a %s goes on with the others', (moment, on, panel) => {
    const { file: _file, line: _line, ...words } = aRuled();
    const record = ruledAbout(moment, words);
    const contract = { ...record.contract, roles: { ...record.contract.roles, ...panel } };
    expect(pathsOf(ruleViolation, { ...record, contract })[1].effect.to).toBe(on);
  });
});
