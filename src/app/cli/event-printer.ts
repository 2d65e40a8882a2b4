import type { TaskRecord } from '../../line/record/task-record.ts';
import { haltReach } from '../../line/record/trip.ts';
import { toSingleLine, toTerminalLine } from '../../base/plain-text.ts';
import { formatReadReport, resumeEither } from '../../line/halts/resume-command.ts';
import { formatEntry } from '../../line/words/list-story.ts';
import type { LineEvent } from '../../line/services/services.ts';
import { printLine, printSentence, getStatusStyle, colourText } from './print.ts';
import { ringBell, setTitle, titleIsSet } from './terminal.ts';

/** Prints what happens, one line each, as it happens; in a terminal, events ring its bell and change its title. */
export function createEventPrinter(prefix = ''): (news: LineEvent) => void {
  return (news) => {
    if (news.kind === 'notice') {
      if (news.bell) ringBell();
      if (news.title) setTitle(`andon: ${news.notification.sentence}`);
      return;
    }
    const time = colourText('dim', new Date().toTimeString().slice(0, 8));
    if (news.kind === 'word')
      return printSentence(
        `${time} ${prefix}${news.level === 'warn' ? colourText('yellow', toSingleLine(news.text)) : toTerminalLine(news.text, 400)}`,
      );
    if (news.kind === 'gate')
      return printLine(
        `${time} ${prefix}${colourText('dim', news.taskId)}  gate ${toTerminalLine(news.name, 60)}: ${gateColour(news.outcome)} (${(news.ms / 1000).toFixed(1)} s)`,
      );
    const text = formatEntry(news.entry);
    if (text === undefined) return;
    const shown = news.entry.kind === 'moved' ? colourText(getStatusStyle(news.entry.to), text) : text;
    printSentence(`${time} ${prefix}${colourText('dim', news.record.taskId)}  ${shown}`);
    if (news.entry.kind !== 'moved') return;
    if (news.entry.to === 'erik_consultation') haltNotice(news.record);
    else if (news.entry.from === 'erik_consultation' && titleIsSet()) setTitle('andon'); // the halt is answered
  };
}

const gateColour = (outcome: string): string => colourText(outcome === 'green' ? 'green' : 'red', outcome);

function haltNotice(record: TaskRecord): void {
  const { taskId, halt } = record;
  const isOfTask = halt !== undefined && haltReach(halt) === 'task';
  const what = isOfTask ? `${taskId} is halted` : 'The line is stopped';
  // One line: the board shows only the last.
  printLine(
    colourText('red', `         ${what}. ${formatReadReport(record)}, then: ${resumeEither(taskId, halt?.id)}`),
  );
}
