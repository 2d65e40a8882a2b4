import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Halt } from '../../record/trip.ts';
import { judgeReport } from '../../record/reviews.ts';
import { breakers } from '../breakers/index.ts';
import type { RefusalView } from '../line-facts.ts';
import { isDecidedOutside } from '../outside.ts';
import { wholeCommand } from '../resume-command.ts';
import type { Need, Way } from './digest.ts';
import { said } from './night.ts';
import type { Night, Story } from './night.ts';

/** What does not go on without you: every halt that stands, decisions that are yours, refused contracts, a line that stands still. */
export function needsOf(night: Night, stories: readonly Story[]): readonly Need[] {
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
  ];
}

const about = ({ root }: Night, taskId: string | null = null): Pick<Need, 'repository' | 'task_id'> => ({
  repository: root,
  task_id: taskId,
});

function haltOf(night: Night, { taskId, record }: Story, halt: Halt): Need {
  const refused = record.refusedAnswer === undefined ? '' : `; your last answer did not count: ${record.refusedAnswer}`;
  const also = halt.also.length === 0 ? '' : `; also ${halt.also.map(({ breaker }) => breaker).join(', ')}`;
  return {
    ...about(night, taskId),
    kind: 'halt',
    what: `halted by ${halt.trip.breaker}${record.parked === undefined ? '' : '; parked, others go on'}`,
    since: record.updatedAt,
    question: breakers.find(({ id }) => id === halt.trip.breaker)?.question ?? null,
    why: said(`${halt.trip.reason}${also}${refused}`, 600),
    halt_id: said(halt.id, 100),
    ways: shellWord(halt.id) === halt.id ? [...pathsOf(taskId, halt), whole(taskId)] : [],
  };
}

const pathsOf = (taskId: string, { id, paths }: Halt): readonly Way[] =>
  paths.map((path, at) => ({
    title: `Path ${at + 1}: ${said(path.title)}`,
    does: said(path.does, 600),
    command: wholeCommand(taskId, at === 0 ? 1 : 2, id, path),
  }));

const whole = (taskId: string): Way => ({
  title: 'All of it',
  does: 'The sides, the change, the gates, what it cost.',
  command: `andon report ${taskId}`,
});

/** The floor manager is a human. */
function decisionOf(night: Night, { taskId, record }: Story): Need {
  const verdict = judgeReport(record)?.verdict;
  const decide = (title: string, does: string, decision: string): Way => ({
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
      { title: 'The change', does: 'As a patch.', command: `andon diff ${taskId}` },
    ],
  };
}

function refusedOf(night: Night, { file, faults, first, at }: RefusalView): Need {
  const name = shellWord(file);
  return {
    ...about(night),
    kind: 'refused',
    what: `${said(file, 120)} is refused`,
    since: at,
    question: null,
    why: `${faults} fault${faults === 1 ? '' : 's'}, the first at ${said(first, 200)}`,
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

/** The line as a whole stands still, and there is something that would go on. */
function standsStill(night: Night, hasTask: boolean): readonly Need[] {
  const stands = (what: string, why: string, ...ways: readonly Way[]): Need => ({
    ...about(night),
    kind: 'stopped',
    what,
    since: null,
    question: null,
    why: said(why, 600),
    halt_id: null,
    ways,
  });
  const { line, damage } = night;
  const look: Way = { title: 'Look', does: 'It starts nothing, and names both ways out.', command: 'andon watch' };
  if (damage !== undefined) return [stands('nothing runs', damage, look)];
  if (line === undefined) return [];
  const { blocked, paused, barred, watchdog, waiting, former_repository: former, task } = line;
  const needs: Need[] = [];
  if (barred !== null) needs.push(stands('nothing is written', `${barred}; move it away`));
  if (former !== null && task !== null)
    needs.push(
      stands('cannot go on', former, {
        title: 'End it',
        does: 'Its branch stays.',
        command: `andon abandon ${task.task_id}`,
      }),
    );
  if (blocked !== null) {
    const goOn = paused === null ? `rm ${HANDOFF}/${FILES.stop}` : 'andon unpause';
    needs.push(
      stands('nothing starts', blocked, { title: 'Go on', does: 'The line goes on by itself.', command: goOn }),
    );
  }
  if (watchdog?.doing !== 'watch' && (hasTask || waiting.length > 0))
    needs.push({
      ...stands('no watchdog is running', 'nothing goes on until one does', {
        title: 'Watch',
        does: 'Goes on where the journal says.',
        command: 'andon watch',
      }),
      kind: 'nobody watches',
    });
  return needs;
}
