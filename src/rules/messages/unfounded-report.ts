import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { reviewRecordsOf } from '../guards/from-record.ts';
import { onlyPraise, unfoundedPass } from '../guards/unfounded.ts';
import type { MessageCheck } from './message-check.ts';

/** Whoever merges unattended on a word needs one that carries: no praise, nothing denied, nothing that the record contradicts. */
export const unfoundedReport: MessageCheck<'unfounded_report', 'report'> = {
  id: 'unfounded_report',
  phase: 'report',
  question: 'Does the judge’s summary of a PASS praise, deny that he looked, or contradict the record?',
  check({ verdict, summary, suggestions }, record, { settings = STANDARD_MESSAGES }) {
    if (verdict !== 'PASS') return undefined;
    return (
      onlyPraise([summary, ...suggestions].join('\n'), settings) ??
      unfoundedPass(summary, reviewRecordsOf(record), settings)
    );
  },
};
