import { abandon, type Breaker } from './breaker.ts';
import { formatFinding } from '../../rules/model/finding.ts';

export const judgeHalt: Breaker = {
  question: "Is the judge's verdict CRITICAL_HALT?",
  check(record) {
    const report = record.report;
    if (report?.verdict !== 'CRITICAL_HALT' || record.sided !== undefined || record.lastFacts.report === undefined)
      return undefined;
    const { summary, blocking, securityFlags, fixes } = report;
    const named = fixes.length > 0 ? fixes : [summary, ...blocking.map(formatFinding)];
    return {
      reason: `the judge wants a human to look: ${summary}`,
      sides: [
        {
          who: 'judge',
          says: [
            summary,
            ...blocking.map(formatFinding),
            ...securityFlags,
            ...fixes.map((fix) => `Required fix: ${fix}`),
          ].join('\n'),
        },
      ],
      paths: [
        {
          title: 'Fix what the judge names',
          does: 'The implementer gets what the judge says below as required fixes.',
          effect: { to: 'pending_implementer', verdict: 'FAIL', say: `Required by the judge: ${named.join('\n')}` },
        },
        abandon(record),
      ],
    };
  },
};
