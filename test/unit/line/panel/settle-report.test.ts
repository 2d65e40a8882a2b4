import { array, assert, constantFrom, property, shuffledSubarray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { citedIssues, createPanelReport, settle } from '../../../../src/line/panel/settle.ts';
import { quoteWeigher } from '../../../../src/line/stations/weigh-quotes.ts';
import type { CitedFinding, PanelTurn, JudgeReport } from '../../../../src/line/record/review.ts';
import { TREE, aFinding, aJudgedRecord, aReport } from '../../../support/records.ts';

const RECORD = aJudgedRecord({ report: undefined });
const MEMBERS = [
  { name: 'sec', roles: ['security' as const] },
  { name: 'arch', roles: ['architect' as const] },
  { name: 'qa', roles: ['qa' as const] },
];
const cited = (more: Partial<CitedFinding> = {}): CitedFinding => ({
  file: 'docs/guide.md',
  line: 3,
  quote: 'a line of the guide',
  severity: 'medium',
  category: 'requirement',
  description: 'the second guide is missing',
  security: false,
  ...more,
});
const turn = (
  reviewer: string,
  verdict: JudgeReport['verdict'],
  findings: readonly CitedFinding[] = [],
  more: Partial<JudgeReport> = {},
): PanelTurn => ({
  reviewer,
  round: 1,
  tree: TREE,
  verdict: verdict === 'PASS' ? 'PASS' : 'FAIL',
  findings: [...findings],
  report: aReport({ verdict, ...more }),
});
const together = (...turns: readonly PanelTurn[]): JudgeReport =>
  createPanelReport(RECORD, settle(MEMBERS.slice(0, turns.length), turns), turns);

describe('several judges', () => {
  test('pass what all of them pass', () => {
    expect(together(turn('sec', 'PASS'), turn('arch', 'PASS'))).toMatchObject({
      verdict: 'PASS',
      blocking: [],
      panel: { votes: [{ vote: 'PASS' }, { vote: 'PASS' }] },
    });
  });

  test('fail what one of them fails by a citation, however mild he calls it, with his fixes and his name', () => {
    const report = together(turn('sec', 'PASS'), turn('arch', 'FAIL', [cited()], { fixes: ['add it'] }));
    expect(report).toMatchObject({ verdict: 'FAIL', fixes: ['add it'] });
    expect(report.blocking).toMatchObject([{ description: 'the second guide is missing', by: ['arch'], line: 3 }]);
  });

  test('are not outvoted by one who calls for a human', () => {
    const stop = turn('qa', 'CRITICAL_HALT', [], { summary: 'somebody must look' });
    expect(together(turn('sec', 'PASS'), turn('arch', 'PASS'), stop)).toMatchObject({
      verdict: 'CRITICAL_HALT',
      summary: expect.stringContaining('somebody must look') as string,
    });
  });

  test('let the highest role decide where nobody fails it', () => {
    const low = [cited({ severity: 'low' })];
    expect(together(turn('sec', 'PASS'), turn('arch', 'CONDITIONAL', low))).toMatchObject({
      verdict: 'PASS',
      blocking: [],
      suggestions: expect.arrayContaining(['the second guide is missing']) as unknown,
    });
    expect(together(turn('sec', 'CONDITIONAL', low), turn('arch', 'PASS')).verdict).toBe('CONDITIONAL');
  });

  test('come to the same in whatever order they are heard', () => {
    const verdict = constantFrom('PASS', 'CONDITIONAL', 'FAIL', 'CRITICAL_HALT' as const);
    const opinions = array(verdict, { minLength: 3, maxLength: 3 });
    assert(
      property(opinions, shuffledSubarray([0, 1, 2], { minLength: 3 }), (verdicts, order) => {
        const turns = MEMBERS.map(({ name }, at) =>
          turn(name, verdicts[at] ?? 'PASS', verdicts[at] === 'PASS' ? [] : [cited({ line: 3 + at * 9 })]),
        );
        const { verdict: one, blocking } = together(...turns);
        const heard = order.flatMap((at) => turns.slice(at, at + 1));
        const other = createPanelReport(RECORD, settle(MEMBERS, heard), heard);
        expect([other.verdict, other.blocking]).toEqual([one, blocking]);
        if (verdicts.some((said) => said === 'FAIL')) expect(one).not.toBe('PASS');
      }),
    );
  });
});

describe('what one of several judges holds against a change', () => {
  const weigh = quoteWeigher({
    patch: '--- /dev/null\n+++ b/docs/guide.md\n@@ -0,0 +1 @@\n+a line of the guide\n',
    linesOf: (path) => (path === 'docs/guide.md' ? ['a line of the guide'] : undefined),
    changed: ['docs/guide.md'],
    gates: new Map(),
  });
  const issue = { severity: 'high', category: 'requirement', file: 'docs/guide.md', line: 7, description: 'missing' };

  test('is kept where it cites what is there, with its line put right, and else left out and counted', () => {
    const blocking = [aFinding({ line: 7 }), aFinding(), aFinding()];
    const written = {
      blocking_issues: [{ ...issue, quote: 'a line of the guide' }, { ...issue, quote: 'words of nobody' }, issue],
    };
    const { findings, dropped } = citedIssues(aReport({ blocking }), written, weigh);
    expect(findings).toMatchObject([{ finding: { line: 1 }, cited: { file: 'docs/guide.md', line: 1 } }]);
    expect(dropped).toHaveLength(2);
  });
});
