import { join, relative } from 'node:path';
import { HANDOFF, STOP_FILE } from '../../../base/names.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { toShellWord } from '../../../base/shell-word.ts';
import { readLine } from '../../../line/readers/read-line.ts';
import { readConfiguration } from '../../../line/services/configuration-in-use.ts';
import { describeParked, describeTask, describeTrouble, type StatusLine } from '../../../line/words/describe-line.ts';
import { STATUS_PHRASES } from '../../../line/words/view-activity.ts';
import type { LineFacts } from '../../../line/words/line-facts.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { Problem } from '../../../base/problem.ts';
import { hasFlag } from '../options.ts';
import { printJson, printSentence, getStatusStyle, colourText } from '../print.ts';
import { NO_GATE, gateLine, isIdle, listFirstSteps, sayOtherInbox, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon status`: what the line is doing now; true also while no daemon runs. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(
    invocation,
    async (journal, place) => {
      const cage = place.settings.cage.driver;
      const isWatched = openHolder(place)?.doing === 'watch';
      const [facts, inForce] = await Promise.all([readLine(place, journal), readConfiguration(place, isWatched)]);
      const { faults = [] } = place;
      const isUnread = faults.length > 0 && !isWatched; // a watchdog keeps the configuration that was valid before
      const configuration = { ...inForce, gaps: isUnread ? faults : [...faults, ...inForce.gaps] };
      const finish = (): number => {
        if (!isUnread) return 0;
        throw new Problem('bad-configuration', faults, 'Correct the file, then run `andon status`.');
      };
      if (hasFlag(invocation.options, 'json')) {
        const { readNeeds } = await import('../../../line/readers/read-needs.ts'); // only who asks for it waits for it
        printJson({
          repository: place.facts.root,
          inbox: `${place.inboxRoot}/${HANDOFF}`,
          cage,
          configuration,
          ...facts,
          needs_you: readNeeds(place, journal, facts),
        });
        return finish();
      }
      // What needs you comes first, below the lines of the running line it would be overlooked.
      const { task } = facts;
      const isHalted = task !== null && task.halt !== null;
      if (isHalted) printTask(facts);
      const [halted, going] = [facts.parked.filter(hasHalt), facts.parked.filter((one) => !hasHalt(one))];
      describeParked({ ...facts, parked: halted }).forEach(print);
      printSentence(describeWatcher(facts, cage));
      sayOtherInbox(place);
      for (const gap of isUnread ? [] : configuration.gaps)
        printSentence(colourText('yellow', toTerminalLine(gap, 1000)));
      describeTrouble(facts, stopFileFrom(place, invocation.cwd)).forEach(print);
      if (task === null) {
        printSentence(facts.parked.length === 0 ? 'No task is on the line.' : 'No task is running.');
        for (const step of listFirstSteps(place, { isIdle: isIdle(facts) })) printSentence(step);
      } else if (!isHalted) printTask(facts);
      describeParked({ ...facts, parked: going }).forEach(print);
      return finish();
    },
    { tolerates: 'everything' },
  );
}

const hasHalt = ({ task }: LineFacts['parked'][number]): boolean => task.halt !== null;

/** The task on the line: its title, its state, its obstacles. */
function printTask(facts: LineFacts): void {
  const { task, former_repository: former } = facts;
  if (task === null || former !== null) return; // the obstacles name the other repository
  // A halt and a call say their own below.
  const reason = task.halt === null && task.working === null ? `  ${toTerminalLine(task.status_reason)}` : '';
  printSentence(
    `${colourText('bold', task.task_id)}  ${colourText(getStatusStyle(task.status), STATUS_PHRASES[task.status])} ${colourText('dim', `(${task.status})`)}${reason}`,
  );
  printSentence(`  ${toTerminalLine(task.title)}`);
  const [first, ...others] = describeTask(task, facts);
  if (first !== undefined) print(first);
  if (task.ungated) printSentence(colourText('yellow', `  ${NO_GATE}`));
  for (const gate of task.gates)
    if (gate.outcome !== 'green') printSentence(colourText('yellow', `  ${gateLine(gate)}`));
  others.forEach(print);
}

function describeWatcher({ watchdog, night }: LineFacts, cage: string): string {
  if (watchdog?.doing === 'watch') return `watchdog: pid ${watchdog.pid}; cage: ${cage}`;
  const none = `${colourText('yellow', 'no watchdog is running')} here. ${
    night?.night?.attended === false ? 'Run `andon night` to go on with the night.' : 'Run `andon watch` to start one.'
  }`;
  return watchdog === null
    ? none
    : `${none} (\`andon ${toTerminalLine(watchdog.doing, 20)}\`, pid ${watchdog.pid}, is at work)`;
}

/** The file that holds the line, as a command in this folder names it: the inbox may be that of another checkout. */
const stopFileFrom = ({ inboxRoot }: { readonly inboxRoot: string }, cwd: string): string =>
  toShellWord(relative(cwd, join(inboxRoot, STOP_FILE))) ?? STOP_FILE;

function print({ tone, text }: StatusLine): void {
  printSentence(tone === 'warn' ? colourText('yellow', text) : text);
}
