import { describe, expect, it } from 'vitest';
import { quoteWeigher } from '../../../../src/line/stations/weigh-quotes.ts';
import { readReport, saysPass } from '../../../../src/line/stations/read-judge-report.ts';
import { COMMIT, DIGEST, TREE, aJudgedRecord } from '../../../support/records.ts';

const RECORD = aJudgedRecord({ status: 'review_in_progress', report: undefined });
/** The change adds the line `# Guide`, the first in docs/guide.md. */
const weigh = quoteWeigher({
  patch: '--- /dev/null\n+++ b/docs/guide.md\n@@ -0,0 +1 @@\n+# Guide\n',
  linesOf: (path) => (path === 'docs/guide.md' ? ['# Guide'] : undefined),
  changed: ['docs/guide.md'],
  gates: new Map(),
});
const EVIDENCE = [{ file: 'docs/guide.md', line: 1, quote: '# Guide' }];

const written = (changes: object = {}): Record<string, unknown> => ({
  task_id: 'DOC-001',
  commit: COMMIT,
  contract_digest: DIGEST,
  verdict: 'PASS',
  summary: 'Good.',
  blocking_issues: [],
  required_fixes: [],
  suggestions: [],
  security_flags: [],
  evidence: EVIDENCE,
  ...changes,
});
const without = (key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(written()).filter(([name]) => name !== key));
const read = (value: unknown, bound: 'by name' | 'by claim' = 'by name') => readReport(value, RECORD, { bound, weigh });
const verdictOf = (value: unknown): unknown => {
  const report = read(value);
  return report.ok ? report.value.verdict : report.why;
};
const BLOCKER = { severity: 'high', category: 'correctness', file: 'docs/guide.md', line: 3, description: 'missing' };

describe('a report', () => {
  it('is bound to the judged tree and keeps what the judge wrote', () => {
    expect(read(written())).toEqual({
      ok: true,
      value: {
        tree: TREE,
        commit: COMMIT,
        contractDigest: DIGEST,
        said: 'PASS',
        verdict: 'PASS',
        why: '',
        summary: 'Good.',
        blocking: [],
        fixes: [],
        suggestions: [],
        securityFlags: [],
        evidence: [{ file: 'docs/guide.md', line: 1, quote: '# Guide', found: true, proves: true }],
        digest: '',
      },
    });
  });

  it.each([
    ['of another task', written({ task_id: 'DOC-002' }), 'is about task "DOC-002", not DOC-001'],
    ['of another commit', written({ commit: 'a'.repeat(40) }), `judges commit "${'a'.repeat(40)}"`],
    ['of another contract', written({ contract_digest: '0'.repeat(64) }), 'another version of the contract'],
    ['without a commit', without('commit'), 'does not name the commit'],
    ['without a digest', without('contract_digest'), 'does not name the contract'],
    ['with an unknown verdict', written({ verdict: 'LGTM' }), 'unknown verdict'],
    ['with a verdict that only andon gives', written({ verdict: 'NEEDS_REVIEW' }), 'unknown verdict'],
    ['without a verdict', without('verdict'), 'unknown verdict'],
    ['whose grade contradicts its verdict', written({ grade: 'FAIL' }), 'the verdict is PASS, but the grade is FAIL'],
    ['whose grade is unknown', written({ grade: 'LGTM' }), 'unknown verdict'],
    ['without a list of blocking issues', without('blocking_issues'), 'blocking_issues'],
    ['whose issue says nothing', written({ blocking_issues: [{ severity: 'high' }] }), 'no description'],
    ['whose issue is of unknown severity', written({ blocking_issues: [{ ...BLOCKER, severity: '?' }] }), 'severity'],
    ['that is no object', 'PASS', 'expected fields'],
    ['that is nothing', null, 'expected fields'],
  ])('%s is refused', (_, value, why) => {
    expect(verdictOf(value)).toContain(why);
  });

  it('from outside may lack commit and digest, but not contradict them', () => {
    const { commit: _c, contract_digest: _d, ...rest } = written();
    expect(read(rest, 'by claim').ok).toBe(true);
    expect(read(written({ commit: 'a'.repeat(40) }), 'by claim').ok).toBe(false);
    expect(read(written({ contract_digest: 'a' }), 'by claim').ok).toBe(false);
    expect(read({ ...rest, task_id: 'DOC-002' }, 'by claim').ok).toBe(false);
  });

  it.each([
    ['grade, the word of 1.0', { verdict: undefined, grade: 'PASS' }, 'PASS'],
    ['both words when they agree', { grade: 'pass' }, 'PASS'],
    ['another spelling', { verdict: 'critical-halt' }, 'CRITICAL_HALT'],
    ['CRITICAL_HALT without issues', { verdict: 'CRITICAL_HALT' }, 'CRITICAL_HALT'],
    ['FAIL', { verdict: 'FAIL', blocking_issues: [BLOCKER] }, 'FAIL'],
    ['FAIL without evidence', { verdict: 'FAIL', evidence: [] }, 'FAIL'],
    ['PASS with a blocker, which is a FAIL', { blocking_issues: [BLOCKER] }, 'FAIL'],
    ['PASS with a blocker in words', { blocking_issues: ['auth bypass'] }, 'FAIL'],
    ['PASS with required fixes, which is CONDITIONAL', { required_fixes: ['a link'] }, 'CONDITIONAL'],
    ['PASS without evidence, which is no pass', { evidence: [] }, 'NEEDS_REVIEW'],
    ['PASS with an invented quote', { evidence: [{ ...EVIDENCE[0], quote: '# Other' }] }, 'NEEDS_REVIEW'],
    ['PASS with a quote from another file', { evidence: [{ ...EVIDENCE[0], file: 'x.md' }] }, 'NEEDS_REVIEW'],
    ['PASS with a bare quote that stands in the change', { evidence: ['# Guide'] }, 'PASS'],
    ['PASS with one good quote among bad ones', { evidence: ['nonsense', ...EVIDENCE] }, 'PASS'],
  ])('is recomputed: %s', (_, changes, verdict) => {
    expect(verdictOf(JSON.parse(JSON.stringify(written(changes))))).toBe(verdict);
  });

  it.each([
    [{ security_flags: [{ type: 'injection', detail: 'SQL in the id' }] }, 'security flag 1'],
    [{ security_flags: ['', { severity: 'P0', description: 'SQL injection' }] }, 'security flag 2'],
    [{ required_fixes: [{ file: 'a.md', change: 'add a link' }] }, 'required fix 1'],
  ])('is unreadable where what may speak against a PASS is: %j', (changes, what) => {
    expect(verdictOf(written(changes))).toContain(`${what} is neither a text nor an object with a description`);
  });

  it('from a judge who answers in text says PASS by either word', () => {
    expect([{ verdict: 'PASS' }, { verdict: undefined, grade: 'pass' }].map((one) => saysPass(written(one)))).toEqual([
      true,
      true,
    ]);
    expect([written({ verdict: 'FAIL' }), undefined, 'PASS'].map(saysPass)).toEqual([false, false, false]);
  });

  it('says why its verdict is another than the judge wrote', () => {
    const report = read(written({ blocking_issues: [BLOCKER, BLOCKER] }));
    expect(report.ok && report.value).toMatchObject({ said: 'PASS', why: 'PASS with 2 blocking issues is a FAIL' });
  });
});
