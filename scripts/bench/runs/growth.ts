import { join } from 'node:path';
import { startDaemon } from '../daemon.ts';
import { inTurns, median } from '../figures.ts';
import { aLedger } from '../ledger.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** The transition that must cost no more than the tenth. */
const LATE_TRANSITION = 10_000;
/** Transitions that are timed together; one alone is mostly the disk's mood. */
const BATCH = 20;

/** Whether anything grows with what was done before: the transitions of one task, the tasks of one daemon. */
export async function growth(stage: Stage, { tasks, pairs }: Options): Promise<Measured> {
  const transitions = await growingTask(stage, pairs);
  const source = await openSource(stage, 'small');
  const repos = [source.copy('many'), source.copy('few')] as const;
  const daemons = [await startDaemon(stage, [repos[0]]), await startDaemon(stage, [repos[1]])] as const;
  try {
    for (let number = 1; number < tasks; number += 1) await daemons[0].task(repos[0], `BEFORE-${number}`);
    const [late = [], early = []] = await inTurns(pairs, [
      (round) => daemons[0].task(repos[0], `TASK-${round}`),
      (round) => daemons[1].task(repos[1], `TASK-${round}`),
    ]);
    return {
      name: 'growth',
      notes: [
        `Transitions are timed ${BATCH} at a time, at the 10th and at the ${LATE_TRANSITION}th in turns.`,
        `Tasks are timed in turns by a daemon that has done ${tasks} and by a fresh one.`,
      ],
      sides: [
        { label: `a transition after ${LATE_TRANSITION}`, unit: 'ms', values: transitions.late },
        { label: 'a transition after 10', unit: 'ms', values: transitions.early },
        { label: `a task after ${tasks}`, unit: 'ms', values: late },
        { label: 'a task after none', unit: 'ms', values: early },
      ],
      figures: [
        { key: 'growth.transition', label: 'transition', value: median(transitions.late) / median(transitions.early) },
        { key: 'growth.task', label: 'task', value: median(late) / median(early) },
      ],
    };
  } finally {
    for (const daemon of daemons) await daemon.stop();
  }
}

/** Makes real transitions durable and visible, as the daemon does: journal, contract, line for scripts. */
async function growingTask(
  stage: Stage,
  pairs: number,
): Promise<{ readonly late: readonly number[]; readonly early: readonly number[] }> {
  const old = aLedger(join(stage.folder, 'ledger-old'));
  try {
    old.transitions(LATE_TRANSITION);
    const [late = [], early = []] = await inTurns(pairs, [
      () => Promise.resolve(old.transitions(BATCH) / BATCH),
      (round) => {
        const fresh = aLedger(join(stage.folder, `ledger-${round}`));
        fresh.transitions(10);
        const ms = fresh.transitions(BATCH) / BATCH;
        fresh.close();
        return Promise.resolve(ms);
      },
    ]);
    return { late, early };
  } finally {
    old.close();
  }
}
