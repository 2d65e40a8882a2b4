import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { explain, createMoveEntry } from '../../../../src/line/core/step.ts';
import { aChange, aChoice, aFile, aHalt, aRecord, aStep, admitted, moved } from '../../../support/records.ts';

const huge = { change: aChange({ files: [aFile({ added: 500, deleted: 0 })], added: 500 }) };
const halting = (): JournalEntry => createMoveEntry(aRecord(), aStep('code_written', huge), 'erik_consultation');

describe('a task that is explained', () => {
  it('gives the trips of its halts again, and every question that was answered with no', () => {
    const [step, ...more] = explain([admitted(), halting()]);
    expect(more).toEqual([]);
    expect(step).toMatchObject({ recorded: ['destructive_action'], same: true });
    expect(step?.answers.filter(({ trips }) => trips !== undefined)).toHaveLength(1);
    expect(step?.answers.length).toBeGreaterThan(14);
  });

  it('is told when the journal says something else than its evidence', () => {
    const entry = halting();
    if (entry.kind !== 'moved') throw new Error('a halt is a transition');
    const { halt: _halt, ...facts } = entry.facts;
    const hidden = { ...entry, facts, to: 'pending_local_review' as const };
    expect(explain([admitted(), hidden])[0]).toMatchObject({ recorded: [], same: false });
  });

  it('asks no breaker about what a human chose', () => {
    const choice = aChoice(aHalt());
    const resumed = moved('resume', 'erik_consultation', choice.effect.to, { choice });
    expect(explain([admitted(), halting(), resumed])).toHaveLength(1);
  });
});
