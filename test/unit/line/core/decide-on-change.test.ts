import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { decideOnChange } from '../../../../src/line/core/decide-on-change.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aFinding, aGate, aGateRun, aJudgedRecord, aReport, aReview, type Changes } from '../../../support/records.ts';

/** The judged tree of these tests: one file of ten lines. */
const treeHas = (file: string, line: number | undefined): boolean =>
  file === 'docs/guide.md' && (line === undefined || line <= 10);
const failed = (changes: Parameters<typeof aReport>[0] = {}, record: Changes = {}): TaskRecord =>
  aJudgedRecord({ report: aReport({ verdict: 'FAIL', blocking: [aFinding()], ...changes }), ...record });
const does = (record: TaskRecord): string => decideOnChange(record, treeHas).do;

const REAL = aFinding();
const NO_FILE = aFinding({ file: 'docs/nowhere.md' });
const NO_LINE = aFinding({ line: 11 });
const RED_GATE = aFinding({ file: undefined as never, line: undefined as never, description: 'The gate tests fails.' });

describe('the floor manager', () => {
  it.each([
    ['merges a PASS', aJudgedRecord(), 'merge'],
    ['fixes a FAIL whose findings stand', failed(), 'fix'],
    ['fixes a CONDITIONAL', failed({ verdict: 'CONDITIONAL', blocking: [], fixes: ['a link'] }), 'fix'],
    ['fixes a FAIL that names nothing', failed({ blocking: [] }), 'fix'],
    ['does not merge an unproven PASS', failed({ verdict: 'NEEDS_REVIEW', blocking: [] }), 'fix'],
    ['rebuts a file that is not in the tree', failed({ blocking: [NO_FILE] }), 'rebut'],
    ['rebuts a line behind the end of the file', failed({ blocking: [NO_LINE] }), 'rebut'],
    ['accepts the last line of the file', failed({ blocking: [aFinding({ line: 10 })] }), 'fix'],
    ['rebuts a gate that is said to fail and is green', failed({ blocking: [RED_GATE] }), 'rebut'],
    [
      'rebuts it by its name first',
      failed({ blocking: [{ ...RED_GATE, description: 'The `tests` gate is red on this tree.' }] }),
      'rebut',
    ],
    ['fixes when one finding of two stands', failed({ blocking: [NO_FILE, REAL] }), 'fix'],
    ['rebuts when none of two stands', failed({ blocking: [NO_FILE, NO_LINE] }), 'rebut'],
    ['merges a FAIL when a human sides with the implementer', failed({}, { sided: 'PASS' }), 'merge'],
    ['fixes a PASS when a human sides against it', aJudgedRecord({ sided: 'FAIL' }), 'fix'],
    ['does not rebut a human', failed({ blocking: [NO_FILE] }, { sided: 'FAIL' }), 'fix'],
  ])('%s', (_, record, decision) => {
    expect(does(record)).toBe(decision);
  });

  it('does not rebut a gate that is red, or that the judge says does not fail', () => {
    const red = aGateRun(aGate({ outcome: 'red', base: 'red', exit: 1 }));
    expect(does(failed({ blocking: [RED_GATE] }, { gates: red }))).toBe('fix');
    expect(does(failed({ blocking: [{ ...RED_GATE, description: 'The gate tests never failed before.' }] }))).toBe(
      'fix',
    );
    expect(does(failed({ blocking: [{ ...RED_GATE, description: 'The gate lint fails.' }] }))).toBe('fix');
  });

  it.each([
    'The permission gate fails open: the latest tests token is accepted.',
    'The tests gate fails to cover the new branch.',
    'A failed login passes the gate, as no tests show.',
    'The gate tests-of-users fails.',
    'No tests gate failed, yet the counter is wrong.',
    'If the flag is off, the tests gate fails with a timeout.',
    'If config.json is missing, the tests gate fails.',
    'When v1.2 is installed the gate tests fails.',
    "It isn't true that the tests gate failed.",
    'Without the flag, the tests gate fails.',
    'If the cache is cold: the gate tests fails.',
    'When TZ is not UTC: the gate tests fails.',
    'What if the disk is full? The gate tests fails.',
    'When I set TZ=UTC, the gate tests fails.',
    'Whenever the cache is cold, the gate tests fails.',
    'With TZ=UTC, the gate tests fails.',
    'On Windows the gate tests fails.',
    'The gate tests fails on Windows.',
    'The gate tests fails, but only under TZ=UTC.',
  ])('sends a finding back that only speaks of a gate: %s', (description) => {
    expect(does(failed({ blocking: [{ ...RED_GATE, description }] }))).toBe('fix');
  });

  it.each([
    'This must not be merged: the tests gate fails.',
    'The change does not compile, so the tests gate fails.',
    'When I ran it, the tests gate failed.',
    'If the flag is off, the tests gate fails. The tests gate fails.',
  ])('rebuts what is denied or limited elsewhere than in the claim: %s', (description) => {
    expect(does(failed({ blocking: [{ ...RED_GATE, description }] }))).toBe('rebut');
  });

  it('rebuts only when every blocking finding is contradicted', () => {
    const finding = fc.constantFrom(REAL, NO_FILE, NO_LINE, RED_GATE);
    fc.assert(
      fc.property(fc.array(finding, { minLength: 1, maxLength: 6 }), (blocking) => {
        const decision = decideOnChange(failed({ blocking }), treeHas);
        expect(decision.do).toBe(blocking.includes(REAL) ? 'fix' : 'rebut');
        if (decision.do === 'rebut')
          expect(decision.points.map(({ finding: number }) => number)).toEqual(blocking.map((__, at) => `B${at + 1}`));
      }),
    );
  });

  it('merges nothing but a PASS, or what a human decided', () => {
    const verdict = fc.constantFrom('PASS', 'CONDITIONAL', 'FAIL', 'CRITICAL_HALT', 'NEEDS_REVIEW');
    const sided = fc.constantFrom('PASS', 'FAIL', undefined);
    fc.assert(
      fc.property(verdict, sided, fc.boolean(), (said, side, blocked) => {
        const record = failed({ verdict: said, blocking: blocked ? [REAL] : [] }, { sided: side });
        expect(does(record) === 'merge').toBe(side === 'PASS' || (said === 'PASS' && side === undefined));
      }),
    );
  });

  it('asks for every fix once: findings with their fix, required fixes, security flags, critical flaws', () => {
    const flaw = aFinding({ source: 'secrets', severity: 'critical', security: true, description: 'adds a key' });
    const record = failed(
      {
        blocking: [aFinding({ fix: 'Add the guide' })],
        fixes: ['Add the guide', 'Repair the link'],
        securityFlags: ['a token in the log'],
      },
      { review: aReview({ critical: true, findings: [flaw, aFinding({ severity: 'low' })] }) },
    );
    expect(decideOnChange(record, treeHas)).toMatchObject({
      do: 'fix',
      fixes: [
        '[high] docs/guide.md:3 the second guide is missing. Fix: Add the guide',
        'Repair the link',
        'a token in the log',
        '[critical] docs/guide.md:3 adds a key',
      ],
      reason: 'FAIL: 4 required fixes',
    });
  });

  it('falls back to the summary when the judge named no fix', () => {
    expect(decideOnChange(failed({ blocking: [], summary: 'Not good.' }), treeHas)).toMatchObject({
      fixes: ['Not good.'],
    });
    expect(decideOnChange(failed({ blocking: [], summary: '' }), treeHas)).toMatchObject({
      fixes: [expect.stringContaining('check every requirement again')],
    });
  });

  it('does not decide without a report', () => {
    expect(() => decideOnChange(aJudgedRecord({ report: undefined }), treeHas)).toThrow('only on a report');
  });
});
