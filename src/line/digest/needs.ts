import { isSilent } from '../describe-line.ts';
import { describeDiskWait } from '../../base/disk-trouble.ts';
import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { toShellWord } from '../../base/shell-word.ts';
import type { Halt } from '../../record/trip.ts';
import { getJudgeReport } from '../../record/reviews.ts';
import type { RefusalView } from '../line-facts.ts';
import { isDecidedOutside } from '../external-judge.ts';
import { completeResumeCommand } from '../resume-command.ts';
import { describeHold } from '../hold.ts';
import { HALT_WORDS } from '../halt-words.ts';
import type { Need, SuggestedCommand } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';
import { findOverdueHold, type OverdueHold } from './overdue.ts';

/** The sources of needs: the state of the line, and its tasks. */
type Stands = Pick<RepositoryNight, 'root' | 'line' | 'damage'>;
type Task = Pick<TaskStory, 'taskId' | 'record'>;

/** Everything that waits for you: open halts, your decisions, refused contracts, a blocked line, overdue waits. */
export function listNeeds(night: Stands, stories: readonly Task[], now: string): readonly Need[] {
  const open = stories.filter(({ record }) => !TERMINAL.includes(record.status));
  const halted = open.flatMap((story) =>
    story.record.halt === undefined ? [] : [haltOf(night, story, story.record.halt)],
  );
  const decided = open.filter(({ record }) => record.status === 'review_complete' && isDecidedOutside(record));
  return [
    ...halted,
    ...decided.map((story) => decisionOf(night, story)),
    ...(night.line?.refusals ?? []).map((refusal) => refusedOf(night, refusal)),
    ...standsStill(night, open.length > 0),
    ...open.flatMap(({ taskId, record }) => {
      const hold = findOverdueHold(record, now);
      return hold === undefined ? [] : [overdueOf(night, taskId, hold)];
    }),
  ];
}

const about = ({ root }: Stands, taskId: string | null = null): Pick<Need, 'repository' | 'task_id'> => ({
  repository: root,
  task_id: taskId,
});

function haltOf(night: Stands, { taskId, record }: Task, halt: Halt): Need {
  const refused = record.refusedAnswer === undefined ? '' : `; your last answer did not count: ${record.refusedAnswer}`;
  const also = halt.also.length === 0 ? '' : `; also ${halt.also.map(({ breaker }) => breaker).join(', ')}`;
  return {
    ...about(night, taskId),
    kind: 'halt',
    what: `${HALT_WORDS[halt.trip.breaker].phrase} (${halt.trip.breaker})${record.parked === undefined ? '' : '; parked, others go on'}`,
    since: record.updatedAt,
    question: toDigestLine(HALT_WORDS[halt.trip.breaker].ask(record, halt), 300),
    why: toDigestLine(`${halt.trip.reason}${also}${refused}`, 600),
    halt_id: toDigestLine(halt.id, 100),
    ways: toShellWord(halt.id) === halt.id ? [...pathsOf(taskId, halt), whole(taskId)] : [],
  };
}

const pathsOf = (taskId: string, { id, paths }: Halt): readonly SuggestedCommand[] =>
  paths.map((path, at) => ({
    title: `Path ${at + 1}: ${toDigestLine(path.title)}`,
    does: toDigestLine(path.does, 600),
    command: completeResumeCommand(taskId, at === 0 ? 1 : 2, id, path),
  }));

const whole = (taskId: string): SuggestedCommand => ({
  title: 'All of it',
  does: 'The sides, the change, the gates, what it cost.',
  command: `andon show ${taskId} --report`,
});

/** The floor manager is a person. */
function decisionOf(night: Stands, { taskId, record }: Task): Need {
  const verdict = getJudgeReport(record)?.verdict;
  const decide = (title: string, does: string, decision: string): SuggestedCommand => ({
    title,
    does,
    command: `echo '{"task_id": "${taskId}", "decision": "${decision}"}' > ${HANDOFF}/${FILES.decision}`,
  });
  return {
    ...about(night, taskId),
    kind: 'decision',
    what: 'waits for your decision',
    since: record.updatedAt,
    question: null,
    why: `you are the floor manager of this task; the judge's verdict is ${verdict ?? 'not known'}`,
    halt_id: null,
    ways: [
      ...(verdict === 'PASS' ? [decide('Merge', 'Only a PASS can be merged.', 'merge')] : []),
      decide('Fix', "The implementer gets the judge's fixes.", 'fix'),
      { title: 'The change', does: 'As a patch.', command: `andon show ${taskId} --diff` },
    ],
  };
}

function refusedOf(night: Stands, { file, faults, first, at }: RefusalView): Need {
  const name = toShellWord(file);
  return {
    ...about(night),
    kind: 'refused',
    what: `${toDigestLine(file, 120)} is refused`,
    since: at,
    question: null,
    why: `${faults} fault${faults === 1 ? '' : 's'}, the first at ${toDigestLine(first, 200)}`,
    halt_id: null,
    ways: [
      {
        title: 'Every fault',
        does: 'Correct the file and save it: it is read again.',
        command: name === undefined ? 'andon watch --dry-run' : `andon contract lint ${name}`,
      },
    ],
  };
}

/** An overdue wait: its end passed without the event. */
function overdueOf(night: Stands, taskId: string, hold: OverdueHold): Need {
  return {
    ...about(night, taskId),
    kind: 'overdue',
    what: `waits for ${toDigestLine(`${hold.own === undefined ? `the ${hold.station}: ` : ''}${describeHold(hold)}`, 300)}`,
    since: hold.since,
    question: null,
    why: `it was to go on at ${hold.until}`,
    halt_id: null,
    ways: [{ title: 'Now', does: 'It is tried at once.', command: `andon resume ${taskId} --again` }],
  };
}

/** The whole line is blocked, and there is work for it. */
function standsStill(night: Stands, hasTask: boolean): readonly Need[] {
  const stands = (what: string, why: string, ...ways: readonly SuggestedCommand[]): Need => ({
    ...about(night),
    kind: 'stopped',
    what,
    since: null,
    question: null,
    why: toDigestLine(why, 600),
    halt_id: null,
    ways,
  });
  const { line, damage } = night;
  const look: SuggestedCommand = {
    title: 'Look',
    does: 'It starts nothing, and names both ways out.',
    command: 'andon watch',
  };
  if (damage !== undefined) return [stands('nothing runs', damage, look)];
  if (line === undefined) return [];
  const { blocked, closed, paused, barred, watchdog, waiting, former_repository: former, task, proposal } = line;
  const openNight = line.night?.night;
  const needs: Need[] = [];
  if (watchdog?.waits)
    needs.push({ ...stands('nothing goes on', describeDiskWait(watchdog.waits)), since: watchdog.waits.since });
  if (proposal !== null) {
    const read: SuggestedCommand = {
      title: 'Look',
      does: 'Names what to read, and what to type.',
      command: 'andon status',
    };
    needs.push({ ...stands('a proposal is yours to decide', proposal, read), kind: 'decision' });
  }
  if (barred !== null) needs.push(stands('nothing is written', `${barred}; move it away`));
  if (former !== null && task !== null)
    needs.push(
      stands('cannot go on', former, {
        title: 'End it',
        does: 'Its branch stays.',
        command: `andon abandon ${task.task_id}`,
      }),
    );
  if (isSilent(line))
    needs.push(
      stands('nothing moves', 'the watchdog gives no answer: it is stopped, or very busy', {
        title: 'Go on',
        does: 'Resumes the stopped watchdog.',
        command: `kill -CONT ${watchdog?.pid ?? ''}`,
      }),
    );
  if (blocked !== null && closed?.until === null)
    needs.push(
      stands('nothing starts', blocked, {
        title: 'What is allowed',
        does: 'Shows the plan. Hours and ceilings are in your configuration, which is reloaded when you save it.',
        command: 'andon night --dry-run',
      }),
    );
  if (blocked !== null && closed === undefined) {
    const goOn = paused === null ? `rm ${HANDOFF}/${FILES.stop}` : 'andon pause --off';
    needs.push(
      stands('nothing starts', blocked, { title: 'Go on', does: 'The line goes on by itself.', command: goOn }),
    );
  }
  if (watchdog?.doing !== 'watch' && (hasTask || waiting.length > 0))
    needs.push({
      ...stands(
        'no watchdog is running',
        'nothing goes on until one does',
        openNight?.attended === false
          ? {
              title: 'Go on with the night',
              does: `It is open until ${openNight.until}; what it has used counts.`,
              command: 'andon night',
            }
          : { title: 'Watch', does: 'Goes on where the journal says.', command: 'andon watch' },
      ),
      kind: 'nobody watches',
    });
  return needs;
}
