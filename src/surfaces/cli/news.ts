import type { LineRecord } from '../../record/line-record.ts';
import { reachOf } from '../../record/trip.ts';
import { forOneLine, inOneTerminalLine } from '../../base/plain-text.ts';
import { resumeEither } from '../../line/resume-command.ts';
import { tell } from '../../line/story.ts';
import type { News } from '../../wiring/services.ts';
import { line, sentence, statusStyle, styled } from './print.ts';
import { ringBell, setTitle, titleIsSet } from './terminal.ts';

/** Prints what happens, one line each, as it happens; in a terminal, events ring its bell and stand in its title. */
export function newsPrinter(prefix = ''): (news: News) => void {
  return (news) => {
    if (news.kind === 'notice') {
      if (news.bell) ringBell();
      if (news.title) setTitle(`andon: ${news.notification.sentence}`);
      return;
    }
    const time = styled('dim', new Date().toTimeString().slice(0, 8));
    if (news.kind === 'word')
      return sentence(
        `${time} ${prefix}${news.level === 'warn' ? styled('yellow', forOneLine(news.text)) : inOneTerminalLine(news.text, 400)}`,
      );
    if (news.kind === 'gate')
      return line(
        `${time} ${prefix}${styled('dim', news.taskId)}  gate ${inOneTerminalLine(news.name, 60)}: ${gateColour(news.outcome)} (${(news.ms / 1000).toFixed(1)} s)`,
      );
    const text = tell(news.entry);
    if (text === undefined) return;
    const shown = news.entry.kind === 'moved' ? styled(statusStyle(news.entry.to), text) : text;
    sentence(`${time} ${prefix}${styled('dim', news.record.taskId)}  ${shown}`);
    if (news.entry.kind !== 'moved') return;
    if (news.entry.to === 'erik_consultation') haltNotice(news.record);
    else if (news.entry.from === 'erik_consultation' && titleIsSet()) setTitle('andon'); // the halt is answered
  };
}

const gateColour = (outcome: string): string => styled(outcome === 'green' ? 'green' : 'red', outcome);

function haltNotice({ taskId, halt }: LineRecord): void {
  const what = halt !== undefined && reachOf(halt) === 'task' ? `${taskId} is halted` : 'The line is stopped';
  line(styled('red', `         ${what}. Read _handoff/ERIK_HALT.md, then: ${resumeEither(taskId, halt?.id)}`));
}
