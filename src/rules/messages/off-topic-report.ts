import { checkRelevance } from '../relevance/check-relevance.ts';
import type { MessageCheck } from './message-check.ts';

/** A report that shares no content word with the contract or the change is about something else. */
export const offTopicReport: MessageCheck<'off_topic_report', 'report'> = {
  id: 'off_topic_report',
  phase: 'report',
  question: 'Does the judge speak of something else than the contract and the change?',
  check({ verdict, summary, blocking, fixes, evidence }, record, { diff }) {
    if (verdict === 'CRITICAL_HALT' || diff === undefined) return undefined;
    const words = [summary, ...blocking.map(({ description }) => description), ...fixes].join('\n');
    // A quoted or named place is a topic; other checks ask whether it exists.
    if (evidence.some(({ found }) => found) || blocking.some(({ file }) => (file ?? '') !== '')) return undefined;
    const spoken = words.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu) ?? [];
    if (spoken.length < WORDS_AT_LEAST) return undefined;
    const { status } = checkRelevance({
      query: record.contract.specification.requirements.join('\n'),
      response: words,
      threshold: ANYTHING,
      refusalBypass: false,
    });
    return status === 'failed' && !spoken.some((word) => diff.includes(word))
      ? 'the report speaks neither of what the contract requires nor of anything that the change holds'
      : undefined;
  },
};

/** One common content word is enough: a discarded report costs a whole review. */
const ANYTHING = 0.01;
/** A shorter report has no topic. */
const WORDS_AT_LEAST = 6;
