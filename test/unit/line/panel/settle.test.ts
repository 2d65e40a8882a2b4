import { array, assert, constantFrom, integer, property, record, shuffledSubarray, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberFindings, settle, needsSecondRound } from '../../../../src/line/panel/settle.ts';
import type { CitedFinding, PanelTurn } from '../../../../src/line/record/review.ts';
import { AGENT_ROLES } from '../../../../src/project/config/config-words.ts';

const finding = (more: Partial<CitedFinding> = {}): CitedFinding => ({
  file: 'src/a.ts',
  line: 3,
  quote: 'const share = rate;',
  severity: 'high',
  category: 'correctness',
  description: 'the share is not checked',
  security: false,
  ...more,
});
const first = (reviewer: string, verdict: 'PASS' | 'FAIL', ...findings: readonly CitedFinding[]): PanelTurn => ({
  reviewer,
  round: 1,
  tree: 't',
  verdict,
  findings: [...findings],
});
const second = (reviewer: string, says: 'AGREE' | 'DISAGREE' | 'WITHDRAW', id = 'F1'): PanelTurn => ({
  reviewer,
  round: 2,
  tree: 't',
  positions: [{ finding: id, says, why: '' }],
});
const SEC = { name: 'sec', roles: ['security' as const] };
const QA = { name: 'qa', roles: ['qa' as const] };
const NOBODY = { name: 'nobody', roles: [] };

describe('several reviewers', () => {
  test('are asked once more only where something blocks, and there is somebody else to ask', () => {
    expect(needsSecondRound([first('sec', 'PASS'), first('qa', 'PASS', finding({ severity: 'low' }))])).toBe(false);
    expect(needsSecondRound([first('sec', 'PASS'), first('qa', 'PASS', finding())])).toBe(true);
    expect(needsSecondRound([first('qa', 'FAIL', finding())])).toBe(false);
    expect(
      needsSecondRound([{ reviewer: 'sec', round: 1, tree: 't', noVote: 'crash' }, first('qa', 'FAIL', finding())]),
    ).toBe(false);
  });

  test('let only its author take back a critical security flaw', () => {
    const flaw = finding({ security: true, severity: 'critical' });
    const turns = [first('qa', 'FAIL', flaw), first('sec', 'PASS')];
    expect(settle([SEC, QA], [...turns, second('sec', 'DISAGREE')]).consensus.status).toBe('FAIL');
    expect(settle([SEC, QA], [...turns, second('qa', 'WITHDRAW')]).consensus.status).toBe('PASS');
  });

  test('cannot refute what somebody of their own rank found as well', () => {
    const turns = [first('qa', 'FAIL', finding()), first('sec', 'PASS'), first('nobody', 'PASS')];
    const against = second('sec', 'DISAGREE');
    expect(settle([SEC, QA, NOBODY], [...turns, against]).consensus.status).toBe('PASS');
    const other = { name: 'sec2', roles: ['security' as const] };
    const four = [...turns, first('sec2', 'PASS')];
    expect(settle([SEC, QA, NOBODY, other], [...four, against, second('sec2', 'AGREE')]).consensus).toMatchObject({
      status: 'FAIL',
      decidedBy: 'security',
    });
  });

  test('that were not asked, failed, or say FAIL about nothing have no vote, which is never a pass', () => {
    const silent = [first('sec', 'PASS'), { reviewer: 'qa', round: 1 as const, tree: 't', noVote: 'crash: 1' }];
    for (const turns of [silent, [first('sec', 'PASS')], [first('sec', 'PASS'), first('qa', 'FAIL')]]) {
      expect(settle([SEC, QA], turns).consensus.status).toBe('UNDECIDED');
      expect(settle([SEC, QA], turns, { quorum: 1 }).consensus.status).toBe('PASS');
    }
    expect(settle([SEC, QA], [], { quorum: 1 }).consensus.status).toBe('UNDECIDED');
  });

  test('come to the same whatever their order', () => {
    const names = ['a', 'b', 'c', 'd'] as const;
    const findings = array(
      record({
        file: constantFrom('x.ts', 'y.ts'),
        line: integer({ min: 1, max: 9 }),
        quote: constantFrom('one line', 'two lines'),
        severity: constantFrom('low', 'high', 'critical' as const),
        category: constantFrom('correctness', 'security'),
        description: constantFrom('p', 'q'),
      }),
      { maxLength: 2 },
    );
    const member = record({
      name: constantFrom(...names),
      roles: shuffledSubarray([...AGENT_ROLES], { maxLength: 2 }),
      verdict: constantFrom('PASS', 'FAIL', 'none' as const),
      findings,
      positions: array(
        record({
          finding: constantFrom('F1', 'F2', 'F3'),
          says: constantFrom('AGREE', 'DISAGREE', 'WITHDRAW' as const),
        }),
        { maxLength: 3 },
      ),
    });
    const panel = uniqueArray(member, { selector: ({ name }) => name, minLength: 1, maxLength: 4 });
    const turnsOf = (members: readonly { readonly name: string }[], all: readonly PanelTurn[]): readonly PanelTurn[] =>
      members.flatMap(({ name }) => all.filter(({ reviewer }) => reviewer === name));
    assert(
      property(panel, integer(), integer({ min: 1, max: 4 }), (members, seed, quorum) => {
        const turns = members.flatMap((one): readonly PanelTurn[] => [
          one.verdict === 'none'
            ? { reviewer: one.name, round: 1, tree: 't', noVote: 'crash' }
            : first(one.name, one.verdict, ...one.findings.map((f) => ({ ...f, security: f.category === 'security' }))),
          { reviewer: one.name, round: 2, tree: 't', positions: one.positions.map((p) => ({ ...p, why: '' })) },
        ]);
        const turned = members.toSorted(
          (a, b) => ((a.name.charCodeAt(0) * seed) % 7) - ((b.name.charCodeAt(0) * seed) % 7),
        );
        const one = settle(members, turns, { quorum });
        const other = settle(turned, turnsOf(turned, turns).toReversed(), { quorum });
        expect(other.consensus).toEqual(one.consensus);
        expect(other.findings).toEqual(one.findings);
        expect(numberFindings(turns.toReversed())).toEqual(numberFindings(turns));
      }),
    );
  });
});
