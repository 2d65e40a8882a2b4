import type { MessageCheck } from './message-check.ts';

/** NO CHANGE counts only after an earlier change was taken. */
export const noChange: MessageCheck<'no_change', 'change'> = {
  id: 'no_change',
  phase: 'change',
  question: 'Does the implementer say NO CHANGE although nothing was done yet?',
  check(message, _record, { kept }) {
    return message.kind === 'no-change' && kept === 0
      ? `You answered NO CHANGE (${message.reason}), but the requirements are not met yet.`
      : undefined;
  },
};
