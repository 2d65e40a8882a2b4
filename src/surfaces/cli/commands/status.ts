import { HANDOFF } from '../../../base/names.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { lineNow } from '../../../daemon/readers/line-now.ts';
import { configurationNow } from '../../../daemon/readers/configuration-now.ts';
import { parkedInWords, taskInWords, troubleInWords } from '../../../line/line-in-words.ts';
import type { Said } from '../../../line/line-in-words.ts';
import type { LineFacts } from '../../../line/line-facts.ts';
import { Problem } from '../../../base/problem.ts';
import { flag } from '../options.ts';
import { json, sentence, statusStyle, styled } from '../print.ts';
import { NO_GATE, gateLine } from '../gate-line.ts';
import { sayOtherInbox, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon status`: what the line is doing now; true also while no daemon runs. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(
    invocation,
    async (journal, place) => {
      const facts = await lineNow(place, journal);
      const cage = place.settings.cage.driver;
      const isWatched = facts.watchdog?.doing === 'watch';
      // A watchdog keeps the configuration that was valid before. Without one there is nothing else to show.
      if (place.faults !== undefined && !isWatched)
        throw new Problem('bad-configuration', place.faults, 'Correct the file, then run `andon status`.');
      const configuration = await configurationNow(place, isWatched);
      if (flag(invocation.options, 'json')) {
        const { needsNow } = await import('../../../daemon/readers/needs-now.ts'); // only who asks for it waits for it
        json({
          repository: place.facts.root,
          inbox: `${place.inboxRoot}/${HANDOFF}`,
          cage,
          configuration,
          ...facts,
          needs_you: needsNow(place, journal, facts),
        });
        return 0;
      }
      sentence(whoWatches(facts, cage));
      sayOtherInbox(place);
      for (const gap of [...(place.faults ?? []), ...configuration.gaps])
        sentence(styled('yellow', inOneTerminalLine(gap, 1000)));
      troubleInWords(facts).forEach(print);
      const { task, former_repository: former } = facts;
      if (task === null) sentence(facts.parked.length === 0 ? 'No task is on the line.' : 'No task is running.');
      else if (former === null) {
        const reason = task.halt === null ? `  ${inOneTerminalLine(task.status_reason)}` : ''; // a halt says its own below
        sentence(`${styled('bold', task.task_id)}  ${styled(statusStyle(task.status), task.status)}${reason}`);
        const [first, ...others] = taskInWords(task, facts);
        if (first !== undefined) print(first);
        if (task.ungated) sentence(styled('yellow', `  ${NO_GATE}`));
        for (const gate of task.gates) if (gate.outcome !== 'green') sentence(styled('yellow', `  ${gateLine(gate)}`));
        others.forEach(print);
      }
      parkedInWords(facts).forEach(print);
      return 0;
    },
    { tolerates: 'everything' },
  );
}

function whoWatches({ watchdog }: LineFacts, cage: string): string {
  if (watchdog?.doing === 'watch') return `watchdog: pid ${watchdog.pid}; cage: ${cage}`;
  const none = `${styled('yellow', 'no watchdog is running')} here. Run \`andon watch\` to start one.`;
  return watchdog === null
    ? none
    : `${none} (\`andon ${inOneTerminalLine(watchdog.doing, 20)}\`, pid ${watchdog.pid}, is at work)`;
}

function print({ tone, text }: Said): void {
  sentence(tone === 'warn' ? styled('yellow', text) : text);
}
