import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { reviewRecordsOf } from '../guards/from-record.ts';
import { onlyPraise, unfoundedPass } from '../guards/unfounded.ts';
import type { MessageCheck } from './message-check.ts';

/** So often is a judge asked again who praises: his quoted lines were proven, so then his verdict counts all the same. */
const PRAISE_GOES_BACK = 2;

/** Whoever merges unattended on a word needs one that carries: no praise, nothing denied, nothing that the record contradicts. */
export const unfoundedReport: MessageCheck<'unfounded_report', 'report'> = {
  id: 'unfounded_report',
  phase: 'report',
  question: 'Does the judge’s summary of a PASS praise, deny that he looked, or contradict the record?',
  check({ verdict, summary, suggestions }, record, { lines, settings = STANDARD_MESSAGES }) {
    if (verdict !== 'PASS') return undefined;
    const goesBack = record.unreadableReports < Math.min(PRAISE_GOES_BACK, settings.maxTotalRetries);
    return (
      (goesBack ? onlyPraise([summary, ...suggestions].join('\n'), settings) : undefined) ??
      unfoundedPass(summary, reviewRecordsOf(record, lines), settings)
    );
  },
};
