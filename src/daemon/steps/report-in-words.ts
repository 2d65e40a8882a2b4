import { inOneLine } from '../../record/finding.ts';
import type { JudgeReport } from '../../record/review.ts';

/** The judge's own words, as the rules are asked about them. */
export const reportInWords = ({ summary, blocking, fixes, securityFlags, answers = [] }: JudgeReport): string =>
  [summary, ...blocking.map(inOneLine), ...fixes, ...securityFlags, ...answers.map(({ why }) => why)].join('\n');
