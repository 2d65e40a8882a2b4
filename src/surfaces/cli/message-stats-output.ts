import { inOneTerminalLine } from '../../base/plain-text.ts';
import { count } from '../../line/documents/task-report/words.ts';
import type { MessageStats, MessageTotals } from '../../line/message-stats.ts';
import { line } from './print.ts';

/** What agents said as facts for programs; shares are 0 to 1, null where there was nothing to count. */
export const statsFacts = (totals: MessageTotals): Readonly<Record<string, unknown>> => ({
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

/** Tells a person the same; `wrong` are the catches that people called false. */
export function tellStats(totals: MessageTotals, wrong: number): void {
  if (totals.workers.length === 0) {
    line('no agent has said anything yet.');
    return;
  }
  for (const one of totals.workers) {
    line(
      `${one.station}, ${inOneTerminalLine(one.model === '' ? one.agent : one.model, 60)}: ${count(one.answers, 'answer')}, ${one.sentBack} sent back${reasons(one)}`,
    );
    if (one.sentBack > 0) line(`  ${one.tokensKeptBack} tokens kept back, ${one.tokensAgain} tokens for asking again`);
  }
  line();
  line(`praise                      ${percent(totals.flatteryRatio)} of answers`);
  line(`approvals without evidence  ${percent(totals.emptyApprovalRate)} of reviews`);
  line(`scope violations            ${figure(totals.scopeViolationsPerTask)} a task`);
  line(`items not shown to be done  ${percent(totals.unverifiedCompletions)} of checklists`);
  line(`sent back                   ${figure(totals.retriesPerTask)} a task (${count(totals.tasks, 'task')})`);
  line(`called false by people      ${String(wrong)}`);
}

function reasons({ praise, emptyApprovals, outOfScope, unfinished }: MessageStats): string {
  const told = [
    [praise, 'praise'],
    [emptyApprovals, 'without evidence'],
    [outOfScope, 'out of scope'],
    [unfinished, 'unfinished'],
  ].filter(([number]) => number !== 0);
  return told.length === 0 ? '' : ` (${told.map(([number, what]) => `${String(number)} ${String(what)}`).join(', ')})`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
