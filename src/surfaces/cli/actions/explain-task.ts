import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { explain } from '../../../line/explain.ts';
import type { Explained } from '../../../line/explain.ts';
import { flag, taskArgument } from '../options.ts';
import { json, line, sentence, styled } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon show --explain`: every breaker is asked again over the recorded evidence; exit 1 when an answer is another than then. */
export function explainTask(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  return withJournal(invocation, (journal) => {
    recordOf(journal, taskId);
    const steps = explain(journal?.entries(taskId) ?? []);
    const differing = steps.filter(({ same }) => !same);
    if (flag(invocation.options, 'json')) json({ task_id: taskId, same: differing.length === 0, steps });
    else tell(steps, differing);
    return differing.length === 0 ? 0 : 1;
  });
}

function tell(steps: readonly Explained[], differing: readonly Explained[]): void {
  const told = steps.filter((step) => step.recorded.length > 0 || !step.same);
  const halts = steps.filter(({ recorded }) => recorded.length > 0).length;
  line(
    `${steps.length} transitions, ${halts} ${halts === 1 ? 'halt' : 'halts'}; every breaker was asked again over what the journal holds.`,
  );
  for (const step of told) {
    line('');
    sentence(`${step.at}  ${step.from} -> ${step.to}  ${step.event}`);
    for (const { breaker, question, trips } of step.answers)
      line(
        trips === undefined
          ? styled('dim', `  no   ${breaker}: ${question}`)
          : `  ${styled('red', 'YES')}  ${breaker}: ${inOneTerminalLine(trips, 400)}`,
      );
    if (!step.same) line(styled('red', `  then it was: ${step.recorded.join(', ') || 'no breaker'}`));
  }
  line('');
  line(
    differing.length === 0
      ? 'The answers are the same as they were then.'
      : styled(
          'red',
          `${differing.length} answers are not what they were then: another version of andon, or a changed journal.`,
        ),
  );
}
