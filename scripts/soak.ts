import { judge, type Leg } from './soak/figures.ts';
import { lookAtEnd } from './soak/look-at-end.ts';
import { WrongInput, readOptions, readStorm, type Options } from './soak/options.ts';
import { renderTable } from './soak/report.ts';
import { runShift } from './soak/run-shift.ts';
import { openStage, type Stage } from './soak/stage.ts';
import { runStorm } from './soak/storm/run-storm.ts';
import type { Times } from './soak/worker.ts';

/** Minimum transitions between two samples, and maximum samples. */
const STEPS_PER_SAMPLE = 50;
const MOST_SAMPLES = 40;
const RESTARTS = 5;
/** A life that is to be killed lasts so long at most, from when it is open; every fourth dies while it opens. */
const SHORT_LIFE_MS = 3000;
const OPENING_MS = 1500;

/** Lets the real line work through weeks of scripted tasks (`npm run soak`), and gives back 1 when a bound is broken. */
async function main(argv: readonly string[]): Promise<number> {
  const storm = readStorm(argv);
  if (storm !== undefined) return runStorm(storm);
  const options = readOptions(argv);
  if (process.platform !== 'linux')
    throw new WrongInput('soak counts descriptors and watches in /proc: it runs on Linux');
  process.on('SIGINT', () => interrupted());
  process.once('SIGTERM', () => process.exit(143));
  const began = performance.now();
  const stage = await openStage(options.projects, options.in);
  try {
    for (let number = 1; number <= options.kills; number += 1) await shortLife(stage, options, number);
    const life = await longLife(stage, options);
    const ends = await lookAtEnd(stage);
    const { tasks, merges, journals } = ends.wrong;
    const counted = { tasks: tasks.length, merges: merges.length, journals: journals.length };
    const figures = judge(counted, life, options.bounds);
    const run = { options, minutes: (performance.now() - began) / 60_000, ends, figures, life };
    process.stdout.write(options.json ? `${JSON.stringify(run)}\n` : renderTable(run));
    return figures.some(({ verdict }) => verdict === 'BROKEN') ? 1 : 0;
  } finally {
    stage.close();
  }
}

const leave = (): void => process.exit(130);
/** Handles Ctrl-C: in the long life it ends the life and prints the measurements so far. */
let interrupted = leave;

/** A process that is killed with SIGKILL while it works, or while it takes up what the one before it left. */
async function shortLife(stage: Stage, { steps, atOnce }: Options, number: number): Promise<void> {
  const { folders } = stage;
  const dieSoon = (ms: number): unknown => setTimeout(() => shift.kill(), Math.random() * ms);
  const shift = runShift(stage, { folders, atOnce, until: steps, samples: 1, restarts: 0 }, (word) => {
    if (word.kind === 'open') dieSoon(SHORT_LIFE_MS);
  });
  if (number % 4 === 0) dieSoon(OPENING_MS);
  const how = await shift.ended;
  if (how !== 'SIGKILL' && how !== 0) throw new Error(`a process that was to be killed ended with ${how}`);
}

/** A process that works through the rest, and is measured; its floors are stopped and reopened now and then. */
async function longLife(stage: Stage, { steps, atOnce, json }: Options): Promise<readonly Leg[]> {
  const { folders } = stage;
  const life: Leg[] = [];
  let timed: Times = { times: [], spawns: [] };
  const wanted = Math.min(MOST_SAMPLES, Math.max(5, Math.floor(steps / STEPS_PER_SAMPLE)));
  const shift = runShift(
    stage,
    { folders, atOnce, until: steps, samples: wanted, restarts: Math.min(RESTARTS, Math.ceil(steps / 1000)) },
    (word) => {
      if (word.kind === 'sample') life.push({ ...timed, ...word.sample });
      if (word.kind === 'times') timed = { times: word.times, spawns: word.spawns };
      if (word.kind === 'sample' && !json && process.stderr.isTTY)
        process.stderr.write(`\r${word.sample.steps} of ${steps} steps `);
    },
  );
  interrupted = () => {
    interrupted = leave; // who cannot wait types it again
    shift.endSoon();
  };
  const how = await shift.ended;
  if (!json && process.stderr.isTTY) process.stderr.write('\r');
  if (how !== 0) throw new Error(`the long life ended with ${how}`);
  return life;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
