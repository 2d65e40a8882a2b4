import { toTerminalLine } from '../../base/plain-text.ts';
import { formatCount } from '../../line/documents/task-report/words.ts';
import { type TalkFacts, formatMessageReasons, listMessageFigures } from '../../line/message-stats.ts';
import type { TurnTotals } from '../../inspection/claude/turns.ts';
import { printLine } from './print.ts';

/** Tells a person what agents said; `wrong` are the catches that people called false, `listOutOfScope` the turns of Claude Code. */
export function tellStats(totals: TalkFacts, wrong: number, outside: TurnTotals): void {
  tellLine(totals, wrong);
  if (outside.turns === 0) return;
  const by = Object.entries(outside.by).map(([guard, times]) => `${times} ${guard}`);
  const why = by.length === 0 ? '' : ` (${by.join(', ')})`;
  printLine(
    `claude code                 ${formatCount(outside.turns, 'turn')}, ${outside.sentBack} sent back${why}, ${outside.warned} let through with a warning`,
  );
}

function tellLine(totals: TalkFacts, wrong: number): void {
  if (totals.workers.length === 0) {
    printLine('no agent has said anything on the line yet.');
    return;
  }
  for (const one of totals.workers) {
    printLine(
      `${one.station}, ${toTerminalLine(one.model === '' ? one.agent : one.model, 60)}: ${formatCount(one.answers, 'answer')}, ${one.sent_back} sent back${formatMessageReasons(one)}`,
    );
    if (one.sent_back > 0)
      printLine(`  ${one.tokens_kept_back} tokens in refused answers, ${one.tokens_again} to ask again`);
  }
  printLine();
  for (const [name, value] of listMessageFigures(totals)) printLine(`${name.toLowerCase().padEnd(28)}${value}`);
  printLine(`${'tasks'.padEnd(28)}${totals.tasks}`);
  printLine(`called false by people      ${String(wrong)}`);
}
