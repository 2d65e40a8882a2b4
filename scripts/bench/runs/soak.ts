import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, type Daemon } from '../daemon.ts';
import { median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** Number of tasks after which everything is loaded. */
const WARM_TASKS = 20;

/** What the daemon keeps in memory after many tasks. */
export async function soak(stage: Stage, { tasks, repo }: Options): Promise<Measured> {
  const folder = (await openSource(stage, repo)).copy('repo');
  const daemon = await startDaemon(stage, [folder]);
  try {
    const last = Math.max(tasks, WARM_TASKS + 1);
    let warm: readonly number[] = [];
    for (let number = 1; number <= last; number += 1) {
      await daemon.task(folder, `TASK-${number}`);
      if (number === WARM_TASKS) warm = await settledMemory(daemon);
    }
    const end = await settledMemory(daemon);
    return {
      name: `soak ${last}`,
      notes: ['Resident memory of the daemon, sampled at rest.'],
      sides: [
        { label: `after ${WARM_TASKS} tasks`, unit: 'MB', values: warm },
        { label: `after ${last} tasks`, unit: 'MB', values: end },
      ],
      figures: [
        { key: 'soak.growth', label: 'growth', value: median(end) / median(warm) },
        { key: 'soak.memory', label: 'memory', value: median(end) },
      ],
    };
  } finally {
    await daemon.stop();
  }
}

async function settledMemory(daemon: Daemon): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let sample = 0; sample < 10; sample += 1) {
    await sleep(200);
    samples.push(daemon.memory());
  }
  return samples;
}
