import { checkMessage } from '../../../src/rules/guards/check-message.ts';
import { checkReview, downgraded } from '../../../src/rules/guards/review-gate.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { onlyKnown, settingsOf } from './messages-of-rows.ts';

const KNOWN = ['enabled', 'require_evidence', 'retry_count', 'text'];

/** One review, after so many refusals in the same turn. */
export const reviewGate: Runner = ({ input }): Facts => {
  onlyKnown(input, KNOWN);
  const { text, enabled, require_evidence } = input;
  if (typeof text !== 'string') throw new Error('text must be a text');
  const settings = settingsOf('review_gate', { enabled, require_evidence });
  const alone = { ...settings, response_validator: { ...settings.response_validator, enabled: false } };
  const retries = numberOf(input, 'retry_count', 0);
  const result = checkMessage(text, { isDelegation: true, retries: { ReviewGate: retries } }, alone);
  const read = checkReview(text, settings.review_gate);
  const isDowngraded = result.review !== undefined && !result.review.accepted && result.passed;
  return {
    is_approval: read.isApproval,
    accepted: result.passed,
    retry: result.stage === 'ReviewGate',
    retries,
    warning: result.warnings.length > 0,
    text_becomes: isDowngraded ? downgraded(text, read.approvals) : null,
    cross_checked_with: read.crossCheckedWith,
  };
};
