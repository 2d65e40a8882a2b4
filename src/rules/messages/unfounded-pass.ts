import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { reviewRecordsOf } from '../guards/from-record.ts';
import { mayGoBack } from '../guards/unfounded.ts';
import { findUnfoundedPass as whyUnfounded } from '../guards/unfounded.ts';
import type { MessageCheck } from './message-check.ts';

/** Gates that ran are evidence of a silent PASS; one whose own words deny or contradict it has none. */
export const unfoundedPass: MessageCheck<'unfounded_pass', 'review'> = {
  id: 'unfounded_pass',
  phase: 'review',
  question: 'Do the local reviewer’s own words withdraw the evidence of its PASS, or contradict the record?',
  check({ verdict }, record, { beside = '', lines, settings = STANDARD_MESSAGES }) {
    if (verdict !== 'PASS' || !mayGoBack(record, settings)) return undefined;
    return whyUnfounded(beside, reviewRecordsOf(record, lines), settings);
  },
};
