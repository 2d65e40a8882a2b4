import type { MessageCheck } from './message-check.ts';

/** Who has not read a change cannot pass it. */
export const unopenedChange: MessageCheck<'unopened_change', 'report'> = {
  id: 'unopened_change',
  phase: 'report',
  question: 'Does the judge say PASS to a change that its program has not opened?',
  check({ verdict }, _record, { unopened }) {
    return verdict === 'PASS' && unopened !== undefined
      ? `the judge says PASS, but nothing that its program told shows that it has opened ${unopened}, the change`
      : undefined;
  },
};
