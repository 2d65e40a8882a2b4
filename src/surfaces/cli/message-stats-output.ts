import { inOneTerminalLine } from '../../base/plain-text.ts';
import { count } from '../../line/documents/task-report/words.ts';
import type { TalkFacts } from '../../line/message-stats.ts';
import type { TurnTotals } from '../../inspection/claude/turns.ts';
import { reasonsInWords, talkFigures } from '../../line/message-words.ts';
import { line } from './print.ts';

/** Tells a person what agents said; `wrong` are the catches that people called false, `outside` the turns of Claude Code. */
export function tellStats(totals: TalkFacts, wrong: number, outside: TurnTotals): void {
  tellLine(totals, wrong);
  if (outside.turns === 0) return;
  const by = Object.entries(outside.by).map(([guard, times]) => `${times} ${guard}`);
  const why = by.length === 0 ? '' : ` (${by.join(', ')})`;
  line(
    `claude code                 ${count(outside.turns, 'turn')}, ${outside.sentBack} sent back${why}, ${outside.warned} let through with a warning`,
  );
}

function tellLine(totals: TalkFacts, wrong: number): void {
  if (totals.workers.length === 0) {
    line('no agent has said anything on the line yet.');
    return;
  }
  for (const one of totals.workers) {
    line(
      `${one.station}, ${inOneTerminalLine(one.model === '' ? one.agent : one.model, 60)}: ${count(one.answers, 'answer')}, ${one.sent_back} sent back${reasonsInWords(one)}`,
    );
    if (one.sent_back > 0)
      line(`  ${one.tokens_kept_back} tokens kept back, ${one.tokens_again} tokens for asking again`);
  }
  line();
  for (const [name, value] of talkFigures(totals)) line(`${name.toLowerCase().padEnd(28)}${value}`);
  line(`${'tasks'.padEnd(28)}${totals.tasks}`);
  line(`called false by people      ${String(wrong)}`);
}
