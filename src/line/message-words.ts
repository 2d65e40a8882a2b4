import type { MessageStats, TalkFacts } from './message-stats.ts';

/** Message statistics in words; a share without a total is a dash. */
export function listMessageFigures(facts: TalkFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ['Praise', `${percent(facts.flattery_ratio)} of answers`],
    ['Approvals without evidence', `${percent(facts.empty_approval_rate)} of reviews`],
    ['Scope violations', `${figure(facts.scope_violations_per_task)} a task`],
    ['Items not shown to be done', `${percent(facts.unverified_completions)} of checklists`],
    ['Sent back', `${figure(facts.retries_per_task)} a task`],
  ];
}

/** Answers sent back, with reasons and cost: `12 answers, 3 sent back (1 praise, …)`. */
export function formatMessageFigures({ workers }: TalkFacts): string {
  const sum = (of: (one: TalkFacts['workers'][number]) => number): number =>
    workers.reduce((total, one) => total + of(one), 0);
  const [answers, back] = [sum((one) => one.answers), sum((one) => one.sent_back)];
  const head = `${answers} answer${answers === 1 ? '' : 's'}, ${back} sent back`;
  if (back === 0) return head;
  const why = formatMessageReasons({
    praise: sum((one) => one.praise),
    empty_approvals: sum((one) => one.empty_approvals),
    out_of_scope: sum((one) => one.out_of_scope),
    unfinished: sum((one) => one.unfinished),
  });
  const [kept, again] = [sum((one) => one.tokens_kept_back), sum((one) => one.tokens_again)];
  return `${head}${why}; ${kept} tokens in refused answers, ${again} to ask again`;
}

/** ` (1 praise, 2 without evidence)`; empty without such reasons. */
export function formatMessageReasons({
  praise,
  empty_approvals: empty,
  out_of_scope: outside,
  unfinished,
}: Pick<MessageStats, 'praise' | 'empty_approvals' | 'out_of_scope' | 'unfinished'>): string {
  const told = (
    [
      [praise, 'praise'],
      [empty, 'without evidence'],
      [outside, 'out of scope'],
      [unfinished, 'unfinished'],
    ] as const
  ).filter(([number]) => number !== 0);
  return told.length === 0 ? '' : ` (${told.map(([number, what]) => `${number} ${what}`).join(', ')})`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
