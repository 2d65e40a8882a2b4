import { checkMessage } from '../../../src/rules/guards/check-message.ts';
import { praiseFeedback } from '../../../src/rules/guards/response-validator.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { numberOf, textsOf } from '../shapes.ts';
import { onlyKnown, settingsOf } from './messages-of-rows.ts';

const KNOWN = [
  'agent_to_agent',
  'enabled',
  'flattery_threshold',
  'matched',
  'max_retries',
  'rejections',
  'text',
  'valid',
];
/** What stands for a message that was refused, where a row only says that it was. */
const REFUSED = 'Perfect! Excellent work!';

/** One message, by itself or after so many refusals in the same turn. */
export const flattery: Runner = ({ input }): Facts => {
  onlyKnown(input, KNOWN);
  const { text, enabled, flattery_threshold, max_retries } = input;
  const settings = settingsOf('response_validator', { enabled, flattery_threshold, max_retries });
  const rejections = numberOf(input, 'rejections', 0);
  const message = typeof text === 'string' ? text : REFUSED;
  const isDelegation = input['agent_to_agent'] !== false;
  const first = checkMessage(message, { isDelegation, modified: undefined }, settings);
  const now = checkMessage(message, { isDelegation, retries: { ResponseValidator: rejections } }, settings);
  const goesBack = now.stage === 'ResponseValidator';
  return {
    valid: first.stage !== 'ResponseValidator',
    retry: goesBack,
    delivered: !goesBack,
    warning: now.warnings.length > 0,
    feedback: Object.hasOwn(input, 'matched')
      ? praiseFeedback({ matched: textsOf(input, 'matched') })
      : (now.feedback ?? ''),
  };
};
