import { maskSecrets } from '../../../src/rules/secrets/mask-secrets.ts';
import type { Runner } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { onlyKnown } from './messages-of-rows.ts';

/** A text as it is printed, logged and kept; masked once, or as often as the row says. */
export const redaction: Runner = ({ input }) => {
  onlyKnown(input, ['text', 'times']);
  const text = String(input['text']);
  const once = maskSecrets(text);
  let said = once;
  for (let times = 1; times < numberOf(input, 'times', 1); times += 1) said = maskSecrets(said);
  return { text: said, unchanged: said === text, same_after_second: maskSecrets(once) === once };
};
