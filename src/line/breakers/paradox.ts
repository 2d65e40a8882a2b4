import type { Breaker } from './breaker.ts';
import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** The judge did not block a change in which a reviewer or scanner found a critical security flaw; a person decides. */
export const paradox: Breaker = {
  question: 'Does the judge not block what the local reviewer or a scanner calls a critical security flaw?',
  check(record) {
    const [report, review] = [record.report, record.review];
    if (report === undefined || review === undefined || report.tree !== review.tree) return undefined;
    if (report.verdict !== 'PASS' && report.verdict !== 'CONDITIONAL') return undefined;
    if (!review.critical || record.sided !== undefined) return undefined;
    const isPassed = report.verdict === 'PASS';
    const flaws = criticalFlaws(record).map(formatFinding).join('\n');
    return {
      reason: `the judge says ${report.verdict}; the local review reports a critical security flaw`,
      sides: [
        { who: 'local review', says: flaws === '' ? 'critical_security_flaw: true' : flaws },
        { who: 'judge', says: `${report.verdict}: ${report.summary}` },
      ],
      paths: [
        {
          title: 'Side with the reviewer: fix it',
          does: 'The flaw goes back to the implementer as a required fix.',
          effect: {
            to: 'pending_implementer',
            verdict: 'FAIL',
            say: `Fix this security flaw: ${flaws === '' ? 'see the local review' : flaws}`,
          },
        },
        {
          title: 'Side with the judge: it is no flaw',
          does: isPassed
            ? 'The judged change is merged, and this finding is ignored.'
            : 'This finding is ignored. The change goes back for the fixes that the judge asked for.',
          effect: { to: 'review_complete', verdict: isPassed ? 'PASS' : 'FAIL' },
          typed: true,
        },
      ],
    };
  },
};

const criticalFlaws = (record: TaskRecord): readonly Finding[] =>
  (record.review?.findings ?? []).filter((finding) => finding.security && finding.severity === 'critical');
