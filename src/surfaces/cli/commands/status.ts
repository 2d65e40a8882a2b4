import { inOneTerminalLine } from '../../../formats/plain-text.ts';
import { ofFormerRepository } from '../../../floor/former-repository.ts';
import { lineFacts, lineNow } from '../../../floor/line-now.ts';
import { lostFromJournal } from '../../../floor/lost-journal.ts';
import { openForReading } from '../../../floor/open-floor.ts';
import type { Place } from '../../../floor/open-floor.ts';
import type { LineRecord } from '../../../formats/line-record.ts';
import { nextTry } from '../../../line/hold.ts';
import { waitsForOutside } from '../../../line/outside.ts';
import { resumeEither } from '../../../line/resume-command.ts';
import { viewTask } from '../../../line/view.ts';
import { flag } from '../options.ts';
import { json, line, statusStyle, styled } from '../print.ts';
import { gateLine } from '../gate-line.ts';
import { withJournal } from '../tasks.ts';
import type { Invocation } from './command.ts';

/** `andon status`: what the line is doing now; true also while no daemon runs. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(invocation, async (journal, place) => {
    const now = lineNow(place, journal);
    const { watchdog, paused, active, standstill } = now;
    const repository = await openForReading(place);
    const former = active === undefined ? undefined : await ofFormerRepository(repository, active);
    const lost = await lostFromJournal(place.facts.root, journal, repository);
    if (flag(invocation.options, 'json')) {
      json({
        repository: place.facts.root,
        cage: place.settings.cage.driver,
        ...lineFacts(now),
        former_repository: former ?? null,
        journal_lost: lost ?? null,
      });
      return 0;
    }
    line(
      watchdog === null
        ? `${styled('yellow', 'no watchdog is running')} here; start it with: andon watch`
        : `watchdog: pid ${watchdog.pid}; cage: ${place.settings.cage.driver}`,
    );
    if (lost !== undefined) line(styled('yellow', `${lost}.`));
    if (paused !== undefined)
      line(
        styled('yellow', `paused by ${inOneTerminalLine(paused.by, 60)} since ${paused.at}; \`andon unpause\` goes on`),
      );
    if (paused === undefined && standstill.blocked !== null) line(styled('yellow', standstill.blocked));
    if (active === undefined) {
      line('no task is on the line.');
      if (standstill.waiting.length > 0)
        line(
          `${standstill.waiting.length === 1 ? 'a contract waits' : `${standstill.waiting.length} contracts wait`}: ${standstill.waiting.map((name) => inOneTerminalLine(name, 80)).join(', ')}`,
        );
      if (standstill.refused) line(styled('yellow', 'a contract was refused: read _handoff/CONTRACT_REJECTED.md'));
      if (standstill.decision)
        line(styled('yellow', '_handoff/DECISION.json is there, but no task is on the line: it answers nothing now'));
      return 0;
    }
    if (former !== undefined) {
      line(styled('yellow', `${former}; end it with: andon abandon ${active.taskId}`));
      return 0;
    }
    const view = viewTask(active);
    line(
      `${styled('bold', view.task_id)}  ${styled(statusStyle(view.status), view.status)}  ${inOneTerminalLine(view.status_reason)}`,
    );
    line(
      `  attempt ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}, ${view.diff ?? 'no change yet'}, ${view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`}`,
    );
    for (const gate of view.gates) if (gate.outcome !== 'green') line(styled('yellow', `  ${gateLine(gate)}`));
    if (view.working !== null)
      line(
        `  ${watchdog === null ? 'was working when andon stopped' : 'working'}: ${view.working.station} (${inOneTerminalLine(view.working.model, 60)}) since ${view.working.since}`,
      );
    if (view.hold !== null)
      line(
        styled(
          'yellow',
          `  waits for ${view.hold.station} since ${view.hold.since}: ${inOneTerminalLine(view.hold.reason)}${view.hold.until === null ? '' : `; works again from ${view.hold.until}`}${nextTryOf(active, place)}`,
        ),
      );
    const waits = waitsForOutside(active, place.settings);
    if (waits !== undefined) line(styled('yellow', `  waits for ${waits}`));
    if (view.halt !== null) {
      line(`  halted by ${view.halt.breaker}: ${inOneTerminalLine(view.halt.reason)}`);
      if (view.halt.refused !== null) line(styled('yellow', `  ${inOneTerminalLine(view.halt.refused, 700)}`));
      if (now.edited !== undefined) line(styled('yellow', `  ${now.edited}`));
      for (const path of view.halt.paths) line(`  path ${inOneTerminalLine(path)}`);
      line(`  read _handoff/ERIK_HALT.md, then: ${resumeEither(view.task_id, view.halt.id)}`);
    }
    return 0;
  });
}

/** When a call that waits is tried again by itself. */
function nextTryOf({ hold }: LineRecord, place: Place): string {
  const next = hold === undefined ? undefined : nextTry(hold, place.settings.hold);
  return next !== undefined && 'at' in next ? `; tried again at ${next.at} (andon retry: now)` : '';
}
