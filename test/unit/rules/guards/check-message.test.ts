import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { GUARDS, checkMessage } from '../../../../src/rules/guards/check-message.ts';
import { DOWNGRADED } from '../../../../src/rules/guards/review-gate.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const CLEAN = 'Changed line 42. Tests pass (628/628).';
const delegated = { isDelegation: true, modified: [] };

describe('a message through the chain', () => {
  it('meets the guards in their order', () => {
    expect(checkMessage(CLEAN, delegated, standardMessages())).toMatchObject({
      passed: true,
      asked: GUARDS,
      text: CLEAN,
    });
  });

  it('ends at the first that refuses it', () => {
    expect(checkMessage('Perfect! APPROVED!', delegated, standardMessages())).toMatchObject({
      passed: false,
      stage: 'ResponseValidator',
      asked: ['ResponseValidator'],
    });
    expect(checkMessage('Reads fine to me. APPROVED.', delegated, standardMessages())).toMatchObject({
      passed: false,
      stage: 'ReviewGate',
      asked: ['ResponseValidator', 'ReviewGate'],
    });
  });

  it.each([
    'Done. L\u200bGTM',
    'Done. L\u202dGTM',
    'Done. AP\u00adPROVED',
    '끝났어요. 승\u200d인합니다.',
    '防护已就位。批\u2060准。',
  ])('is read without signs that nobody sees: %j', (text) => {
    expect(checkMessage(text, delegated, standardMessages())).toMatchObject({ passed: false, stage: 'ReviewGate' });
    const last = checkMessage(text, { ...delegated, retries: { ReviewGate: 2 } }, standardMessages());
    expect(last.text.split('\n')[0]).toContain('NEEDS_REVIEW');
  });

  it('that approves by its words alone is handed on, and that nothing is on record is said', () => {
    const text = 'npm test: 628/628 passed. APPROVED.';
    const why = [expect.stringContaining('nothing is on record') as string];
    expect(checkMessage(text, delegated, standardMessages())).toMatchObject({ passed: true, unsure: why });
    const records = { runs: [{ command: 'npm test', isGreen: true, passed: 628, all: 628 }], changed: [], read: [] };
    expect(checkMessage(text, { ...delegated, records }, standardMessages())).toMatchObject({
      passed: true,
      unsure: [],
    });
    expect(checkMessage(CLEAN, delegated, standardMessages())).toMatchObject({ unsure: [] });
  });

  it('that is meant for a human is left alone, and so is any with the master switch off', () => {
    const text = 'Perfect! Excellent! APPROVED!';
    expect(checkMessage(text, { isDelegation: false }, standardMessages())).toMatchObject({
      passed: true,
      asked: [],
      text,
    });
    expect(checkMessage(text, delegated, { ...standardMessages(), enabled: false })).toMatchObject({
      passed: true,
      asked: [],
    });
  });

  it('meets those guards alone that are switched on', () => {
    const { review_gate: reviewGate } = standardMessages();
    const settings = { ...standardMessages(), review_gate: { ...reviewGate, enabled: false } };
    expect(checkMessage(CLEAN, delegated, settings).asked).toEqual(GUARDS.filter((guard) => guard !== 'ReviewGate'));
  });

  it('of praise is handed on with a warning after two refusals', () => {
    const refused = checkMessage(
      'Perfect! Excellent!',
      { ...delegated, retries: { ResponseValidator: 2 } },
      standardMessages(),
    );
    expect(refused).toMatchObject({ passed: true, warnings: [expect.stringContaining('praise/flattery') as string] });
  });

  it('that approves without evidence is turned down after two refusals', () => {
    const said = 'The code reads well and follows the conventions. APPROVE';
    const refused = checkMessage(said, { ...delegated, retries: { ReviewGate: 2 } }, standardMessages());
    expect(refused.passed).toBe(true);
    expect(refused.text).toBe(`The code reads well and follows the conventions. NEEDS_REVIEW\n\n${DOWNGRADED}`);
  });

  it('goes back three times in all, whichever guard objects', () => {
    const retries = { ResponseValidator: 2, ReviewGate: 1 };
    expect(
      checkMessage('The code reads well to me. APPROVE', { ...delegated, retries }, standardMessages()).passed,
    ).toBe(true);
  });

  it('carries what was changed beyond its scope and what is left', () => {
    const context = {
      ...delegated,
      expectedOutcome: 'EXPECTED OUTCOME:\n- Create src/a.ts\n- Update docs',
      modified: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }],
      records: { changed: ['src/a.ts'], read: [], runs: [] },
    };
    expect(checkMessage(CLEAN, context, standardMessages()).text).toBe(
      `${CLEAN}\n\n[SYSTEM] Scope violation: modified src/b.ts not in expected outcome\n\n[SYSTEM] Remaining: 1 items. Next: Update docs`,
    );
  });

  it('of any text ends, and is handed on unchanged where nothing is refused', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        const { passed, warnings, reminder, text: handed } = checkMessage(text, delegated, standardMessages());
        expect(!passed || warnings.length > 0 || reminder !== '' || handed === text).toBe(true);
      }),
    );
  });
});
