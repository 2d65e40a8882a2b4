import type { MessageStats, MessageTotals } from './message-stats.ts';

/** What agents said as facts for programs; shares are 0 to 1, null where there was nothing to count. */
export const talkFacts = (totals: MessageTotals) => ({
  tasks: totals.tasks,
  flattery_ratio: totals.flatteryRatio,
  empty_approval_rate: totals.emptyApprovalRate,
  scope_violations_per_task: totals.scopeViolationsPerTask,
  unverified_completions: totals.unverifiedCompletions,
  retries_per_task: totals.retriesPerTask,
  workers: totals.workers.map((one) => ({
    station: one.station,
    agent: one.agent,
    model: one.model,
    answers: one.answers,
    sent_back: one.sentBack,
    praise: one.praise,
    empty_approvals: one.emptyApprovals,
    out_of_scope: one.outOfScope,
    unfinished: one.unfinished,
    tokens_kept_back: one.tokensKeptBack,
    tokens_again: one.tokensAgain,
  })),
});
export type TalkFacts = ReturnType<typeof talkFacts>;

/** The same figures with their names, for people; a share of nothing is a dash. */
export function talkFigures(facts: TalkFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ['Praise', `${percent(facts.flattery_ratio)} of answers`],
    ['Approvals without evidence', `${percent(facts.empty_approval_rate)} of reviews`],
    ['Scope violations', `${figure(facts.scope_violations_per_task)} a task`],
    ['Items not shown to be done', `${percent(facts.unverified_completions)} of checklists`],
    ['Sent back', `${figure(facts.retries_per_task)} a task`],
  ];
}

/** How many answers went back and why, and what that kept back and cost: `12 answers, 3 sent back (1 praise, …)`. */
export function talkInWords({ workers }: TalkFacts): string {
  const sum = (of: (one: TalkFacts['workers'][number]) => number): number =>
    workers.reduce((total, one) => total + of(one), 0);
  const [answers, back] = [sum((one) => one.answers), sum((one) => one.sent_back)];
  const head = `${answers} answer${answers === 1 ? '' : 's'}, ${back} sent back`;
  if (back === 0) return head;
  const why = reasonsInWords({
    praise: sum((one) => one.praise),
    emptyApprovals: sum((one) => one.empty_approvals),
    outOfScope: sum((one) => one.out_of_scope),
    unfinished: sum((one) => one.unfinished),
  });
  const [kept, again] = [sum((one) => one.tokens_kept_back), sum((one) => one.tokens_again)];
  return `${head}${why}; ${kept} tokens kept back, ${again} tokens for asking again`;
}

/** ` (1 praise, 2 without evidence)`; empty where none of these was the reason. */
export function reasonsInWords({
  praise,
  emptyApprovals,
  outOfScope,
  unfinished,
}: Pick<MessageStats, 'praise' | 'emptyApprovals' | 'outOfScope' | 'unfinished'>): string {
  const told = (
    [
      [praise, 'praise'],
      [emptyApprovals, 'without evidence'],
      [outOfScope, 'out of scope'],
      [unfinished, 'unfinished'],
    ] as const
  ).filter(([number]) => number !== 0);
  return told.length === 0 ? '' : ` (${told.map(([number, what]) => `${number} ${what}`).join(', ')})`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
