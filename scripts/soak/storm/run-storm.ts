import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storm } from '../options.ts';
import { openStage } from '../stage.ts';
import { Crew } from './crew.ts';
import { look } from './look.ts';
import { Seeded } from './seeded.ts';
import { User } from './user.ts';
import { EVENTS, strike, type Event } from './weather.ts';

const PROJECTS = 8;
const CREWS = 4;
const CHECKPOINTS = 50;
const AT_ONCE = 3;
/** A machine that is too slow for all checkpoints is not kept longer. */
const LATE = 1.5;
const BETWEEN_MS = 500;
const DISK_BYTES = '400m';
/** In the process that has a disk of its own: where it is. */
const DISK = 'ANDON_STORM_DISK';

/** Runs a storm and tells what it came to; 1 when something was lost or broken. */
export async function runStorm(options: Storm): Promise<number> {
  const disk = process.env[DISK];
  if (disk === undefined && mayMount()) return onOwnDisk(options);
  const began = performance.now();
  const minutes = (): number => (performance.now() - began) / 60_000;
  const seeded = new Seeded(options.seed);
  const stage = await openStage(PROJECTS, disk);
  const wrong = new Set<string>();
  const violate = (what: string): void => {
    if (!wrong.has(what)) process.stderr.write(`storm (seed ${options.seed}, ${minutes().toFixed(1)} min): ${what}\n`);
    wrong.add(what);
  };
  const users = stage.folders.map((folder, at) => new User(folder, stage.env, new Seeded(options.seed + at + 1)));
  const crews = Array.from({ length: CREWS }, (_, at) => {
    const own = stage.folders.flatMap((folder, number) => (number % CREWS === at ? [[number, folder] as const] : []));
    return new Crew(own, { env: stage.env, seed: options.seed }, violate);
  });
  const happened: Record<string, number> = Object.fromEntries(EVENTS.map((event) => [event, 0]));
  const scene = { crews, users, seeded, disk, violate };
  const underWay = new Set<Promise<void>>();
  let checkpoints = 0;
  for (; checkpoints < CHECKPOINTS && minutes() < options.minutes * LATE; checkpoints += 1) {
    const until = (options.minutes * (checkpoints + 1)) / CHECKPOINTS;
    for (const event of everyKind(seeded, () => minutes() < until)) {
      const striking = strike(event, scene).then((isDone) => {
        if (isDone) happened[event] = (happened[event] ?? 0) + 1;
        underWay.delete(striking);
      });
      underWay.add(striking);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
      await sleep(seeded.below(BETWEEN_MS));
    }
    await Promise.all(underWay);
    const crew = seeded.pick(crews);
    await crew.until('open');
    await crew.order('still', 'still');
    const numbers = crew.folders.map(([number]) => number);
    for (const what of (await look(stage, users, { numbers, isEnd: false })).wrong) violate(what);
    await crew.order('go', 'open');
  }
  for (const crew of crews) await crew.until('open');
  await Promise.all(crews.map((crew) => crew.order('drain', 'drained')));
  await Promise.all(crews.map((crew) => crew.order('still', 'still')));
  const last = await look(stage, users, { numbers: stage.folders.map((_, at) => at), isEnd: true });
  for (const what of last.wrong) violate(what);
  for (const crew of crews) crew.end();
  const { tasks, merged, abandoned, halts, parked } = last;
  const counted = { tasks, merged, abandoned, halts, parked };
  const facts = {
    seed: options.seed,
    minutes: minutes(),
    events: happened,
    checkpoints,
    ...counted,
    wrong: [...wrong],
  };
  process.stdout.write(options.json ? `${JSON.stringify(facts)}\n` : inWords(facts, disk !== undefined));
  stage.close();
  return wrong.size === 0 ? 0 : 1;
}

/** Every kind of event once, in an order of its own, and again while there is time. */
function* everyKind(seeded: Seeded, isTime: () => boolean): Generator<Event> {
  do {
    const left = [...EVENTS];
    while (left.length > 0) yield* left.splice(seeded.below(left.length), 1);
  } while (isTime());
}

type Facts = Awaited<ReturnType<typeof look>> & {
  readonly seed: number;
  readonly minutes: number;
  readonly checkpoints: number;
  readonly events: Readonly<Record<string, number>>;
};

function inWords(facts: Omit<Facts, 'wrong'> & { readonly wrong: readonly string[] }, hasDisk: boolean): string {
  const { seed, minutes, events, checkpoints, tasks, merged, abandoned, halts, parked, wrong } = facts;
  const all = Object.values(events).reduce((sum, one) => sum + one, 0);
  return [
    `storm: seed ${seed}, ${minutes.toFixed(1)} minutes, ${PROJECTS} projects in ${CREWS} processes, ${all} events`,
    `  ${Object.entries(events)
      .map(([event, times]) => `${times} × ${event}`)
      .join(', ')}${hasDisk ? '' : ' (no disk of its own could be mounted here)'}`,
    `  ${tasks} tasks: ${merged} merged exactly once, ${abandoned} given up; ${halts} halts answered, ${parked} of them while others went on`,
    `  ${checkpoints} checkpoints, ${wrong.length} violations${wrong.length === 0 ? '' : `; again: npm run soak -- --storm --seed ${seed}`}`,
    ...wrong.map((what) => `  ${what}`),
    '',
  ].join('\n');
}

const mayMount = (): boolean =>
  process.platform === 'linux' && spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Repeats it on a small, private disk that can be filled. */
function onOwnDisk({ seed }: Storm): number {
  const folder = mkdtempSync(join(tmpdir(), 'andon-storm-'));
  try {
    const mounted = `mount -t tmpfs -o size=${DISK_BYTES} none "$${DISK}" && exec "$@"`;
    const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1), '--seed', String(seed)];
    const { status } = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, 'sh', ...again], {
      env: { ...process.env, [DISK]: folder },
      stdio: 'inherit',
    });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
