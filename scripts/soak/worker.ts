import { Project } from './project.ts';
import { takeSample, type Sample } from './sample.ts';
import { startYardstick } from './yardstick.ts';

/** What one process is to do; it gets it as its only argument. */
export interface Shift {
  readonly folders: readonly string[];
  /** Projects at work at a time. */
  readonly atOnce: number;
  /** It ends when all journals together hold this many transitions. */
  readonly until: number;
  readonly samples: number;
  /** Number of times that every floor is stopped in the middle of its work and reopened. */
  readonly restarts: number;
}

/** Milliseconds: of a step, for every task that waited neither for a human nor for a restart, and of bare spawns. */
export interface Times {
  readonly times: readonly number[];
  readonly spawns: readonly number[];
}

/** What the process tells, one line of JSON each. */
export type Word =
  | { readonly kind: 'open'; readonly steps: number }
  | ({ readonly kind: 'times' } & Times)
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'broke'; readonly reason: string };

/** Restarts come this early in a life: what follows is one long watch, in which nothing may grow. */
const EARLY = 0.08;

/** Runs all projects until the journals hold enough transitions. */
async function work({ folders, atOnce, until, samples, restarts }: Shift): Promise<void> {
  let steps = 0;
  const times: number[] = [];
  const told = {
    step: () => (steps += 1),
    timed: (ms: number) => times.push(ms),
    broke(reason: string) {
      tell({ kind: 'broke', reason });
      process.exit(1);
    },
  };
  const idle: Project[] = [];
  for (const [number, folder] of folders.entries())
    idle.push(await Project.open(folder, process.env, { number, projects: folders.length, told }));
  const all = [...idle];
  steps += all.reduce((sum, { before }) => sum + before, 0);
  const began = steps;
  tell({ kind: 'open', steps });

  const mark = (part: number): number => began + (until - began) * part;
  let restarted = 0;
  let restarting = Promise.resolve();
  const restartAll = async (): Promise<void> => {
    for (const project of all) await project.restart();
  };
  const cutShort = new AbortController();
  process.once('SIGINT', () => cutShort.abort());
  for (let leg = 1; leg <= samples && !cutShort.signal.aborted; leg += 1) {
    const goal = mark(leg / samples);
    const isReached = (): boolean => cutShort.signal.aborted || steps >= goal;
    // What a killed life left is brought to its end also when the journals hold enough already.
    const next = (): Project | undefined => {
      const at = isReached() ? idle.findIndex(({ isUnfinished }) => isUnfinished) : 0;
      return at < 0 ? undefined : idle.splice(at, 1)[0];
    };
    const run = async (): Promise<void> => {
      for (let project = next(); project !== undefined; project = next()) {
        await project.turn();
        idle.push(project);
        if (restarted < restarts && steps >= mark(((restarted + 0.5) / restarts) * EARLY)) {
          restarted += 1;
          restarting = restarting.then(restartAll); // one after the other, while the runners go on
        }
      }
    };
    const yardstick = startYardstick();
    await Promise.all(Array.from({ length: atOnce }, run));
    await restarting;
    tell({ kind: 'times', times, spawns: await yardstick.stop() });
    times.length = 0; // what is kept for the report must not be measured
    tell({ kind: 'sample', sample: await takeSample(steps, restarted) });
  }
  for (const project of all) await project.stop();
}

const tell = (word: Word): boolean => process.stdout.write(`${JSON.stringify(word)}\n`);

await work(JSON.parse(process.argv[2] ?? '{}') as Shift).catch((error: unknown) => {
  tell({ kind: 'broke', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exit(1);
});
