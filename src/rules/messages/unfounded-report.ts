import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { reviewRecordsOf } from '../guards/from-record.ts';
import { onlyPraise, findUnfoundedPass } from '../guards/unfounded.ts';
import type { MessageCheck } from './message-check.ts';

/** The refusals for praise; then the verdict counts, because its quoted lines were proven. */
const PRAISE_GOES_BACK = 2;

/** A verdict that merges unattended must not be praise, withdrawn, or contradicted by the record. */
export const unfoundedReport: MessageCheck<'unfounded_report', 'report'> = {
  id: 'unfounded_report',
  phase: 'report',
  question: 'Does the judge’s summary of a PASS praise, deny that anything was checked, or contradict the record?',
  check({ verdict, summary, suggestions }, record, { lines, settings = STANDARD_MESSAGES }) {
    if (verdict !== 'PASS') return undefined;
    const goesBack = record.unreadableReports < Math.min(PRAISE_GOES_BACK, settings.maxTotalRetries);
    return (
      (goesBack ? onlyPraise([summary, ...suggestions].join('\n'), settings) : undefined) ??
      findUnfoundedPass(summary, reviewRecordsOf(record, lines), settings)
    );
  },
};
