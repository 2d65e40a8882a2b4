import type { MessageCheck } from './message-check.ts';

/** A judge that has not read a change cannot pass it. */
export const unopenedChange: MessageCheck<'unopened_change', 'report'> = {
  id: 'unopened_change',
  phase: 'report',
  question: 'Does the judge say PASS to a change that its program has not opened?',
  check({ verdict }, _record, { unopened }) {
    return verdict === 'PASS' && unopened !== undefined
      ? `the judge says PASS, but its program's log does not show that it opened ${unopened}, the change`
      : undefined;
  },
};
