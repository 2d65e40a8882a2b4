import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from '../daemon.ts';
import { inTurns, percentile } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** A 99th percentile of fewer drops than this is the luck of the day. */
const ENOUGH_DROPS = 200;
/** After so long without a change the watcher's throttle holds nothing back. */
const QUIET_MS = 120;
/** A contract that was touched less long ago is in the throttle's window. */
const BUSY_MS = 50;
/** A poll every 5 s notices a drop after half of that on average. */
const MEAN_POLL_MS = 2500;

/** From the drop of a contract to the first instruction of an agent, against a bare event and a bare spawn. */
export async function latency(stage: Stage, { pairs }: Options): Promise<Measured> {
  const drops = pairs < 15 ? pairs : ENOUGH_DROPS;
  const repo = (await openSource(stage, 'small')).copy('repo');
  const daemon = await startDaemon(stage, [repo]);
  const raw = rawSide(stage);
  const started = startedAgents(stage);
  const handoff = join(repo, '_handoff');
  const throughDaemon = async (taskId: string, touchedFor: number | undefined): Promise<number> => {
    await sleep(QUIET_MS);
    if (touchedFor !== undefined) {
      writeFileSync(join(handoff, 'TASK_CONTRACT.json'), '{"schema_version": "1.0",');
      await sleep(touchedFor);
    }
    const seen = started.next();
    const began = performance.now();
    daemon.drop(repo, taskId);
    const ms = (await seen) - began;
    await daemon.merged(repo, taskId);
    return ms;
  };
  try {
    const [quiet = [], busy = [], bare = []] = await inTurns(drops, [
      (round) => throughDaemon(`QUIET-${round}`, undefined),
      (round) => throughDaemon(`BUSY-${round}`, 5 + ((round * 7) % (BUSY_MS - 10))),
      async () => {
        const seen = started.next();
        const began = performance.now();
        raw.drop();
        return (await seen) - began;
      },
    ]);
    const p99 = percentile(quiet, 99);
    return {
      name: 'latency',
      notes: [
        'Agent started = the first instruction of the stub, seen by this process on both sides.',
        ...(drops < ENOUGH_DROPS ? [`${drops} drops are too few for a 99th percentile; ${ENOUGH_DROPS} count.`] : []),
      ],
      sides: [
        { label: 'daemon, quiet', unit: 'ms', values: quiet },
        { label: 'daemon, contract touched less than 50 ms before', unit: 'ms', values: busy },
        { label: 'raw fs.watch event + raw spawn', unit: 'ms', values: bare },
      ],
      figures: [
        { key: 'latency.p50', label: 'median', value: percentile(quiet, 50) / percentile(bare, 50) },
        { key: 'latency.p99', label: '99th percentile', value: p99 / percentile(bare, 99) },
        { key: 'latency.busy', label: 'busy', value: percentile(busy, 99) },
        { key: 'latency.poll', label: 'poll', value: MEAN_POLL_MS / p99 },
      ],
    };
  } finally {
    started.close();
    raw.close();
    await daemon.stop();
  }
}

/** Tells when the next agent has started. */
function startedAgents(stage: Stage): { next(): Promise<number>; close(): void } {
  let tell = (_at: number): void => {};
  const watcher = watch(stage.marks, () => tell(performance.now()));
  return {
    next: () =>
      new Promise((resolve) => {
        tell = (at) => {
          tell = () => {};
          resolve(at);
        };
      }),
    close: () => watcher.close(),
  };
}

/** The least that could be done: one event of the kernel, one spawn. */
function rawSide(stage: Stage): { drop(): void; close(): void } {
  const folder = join(stage.folder, 'raw');
  mkdirSync(folder, { recursive: true });
  let armed = false;
  const watcher = watch(folder, (_event, name) => {
    if (!armed || name !== 'TASK_CONTRACT.json') return;
    armed = false;
    spawn(stage.ollama, ['show', 'writer'], { env: { ...stage.env, BENCH_MARKS: stage.marks }, stdio: 'ignore' });
  });
  return {
    drop() {
      rmSync(join(folder, 'TASK_CONTRACT.json'), { force: true });
      writeFileSync(join(folder, '.drop.tmp'), '{}');
      armed = true;
      renameSync(join(folder, '.drop.tmp'), join(folder, 'TASK_CONTRACT.json'));
    },
    close: () => watcher.close(),
  };
}
