import { toTerminalLine } from '../../../base/plain-text.ts';
import { explain, type Explained } from '../../../line/step.ts';
import { hasFlag, readTaskArgument } from '../options.ts';
import { printJson, printLine, printSentence, colourText } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon show --explain`: every breaker is asked again over the recorded evidence; exit 1 when an answer is another than then. */
export function explainTask(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  return withJournal(invocation, (journal) => {
    recordOf(journal, taskId);
    const steps = explain(journal?.entries(taskId) ?? []);
    const differing = steps.filter(({ same }) => !same);
    if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId, same: differing.length === 0, steps });
    else tell(steps, differing);
    return differing.length === 0 ? 0 : 1;
  });
}

function tell(steps: readonly Explained[], differing: readonly Explained[]): void {
  const told = steps.filter((step) => step.recorded.length > 0 || !step.same);
  const halts = steps.filter(({ recorded }) => recorded.length > 0).length;
  printLine(
    `${steps.length} transitions, ${halts} ${halts === 1 ? 'halt' : 'halts'}; every breaker was asked again over what the journal holds.`,
  );
  for (const step of told) {
    printLine('');
    printSentence(`${step.at}  ${step.from} -> ${step.to}  ${step.event}`);
    for (const { breaker, question, trips } of step.answers)
      printLine(
        trips === undefined
          ? colourText('dim', `  no   ${breaker}: ${question}`)
          : `  ${colourText('red', 'YES')}  ${breaker}: ${toTerminalLine(trips, 400)}`,
      );
    if (!step.same) printLine(colourText('red', `  then it was: ${step.recorded.join(', ') || 'no breaker'}`));
  }
  printLine('');
  printLine(
    differing.length === 0
      ? 'The answers are the same as they were then.'
      : colourText(
          'red',
          `${differing.length} answers are not what they were then: another version of andon, or a changed journal.`,
        ),
  );
}
