import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startDaemon } from '../daemon.ts';
import { inTurns, median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** Repositories that one daemon works in at the same time. */
const PROJECTS = 4;
/** Tasks per repository and round. */
const TASKS = 5;
/** Spawns per round of the raw side, and how many run at once. */
const SPAWNS = 400;
const AT_ONCE = 4;
/** Tasks over which spawned programs are counted. */
const COUNTED = 4;

/** Tasks per second of one daemon against what the machine can spawn. */
export async function throughput(stage: Stage, { pairs }: Options): Promise<Measured> {
  const source = await openSource(stage, 'small');
  const programs = await spawnedPrograms(stage, source.copy('counted'));
  const repos = Array.from({ length: PROJECTS }, (_, at) => source.copy(`project-${at}`));
  const daemon = await startDaemon(stage, repos);
  try {
    const [tasksPerSecond = [], spawnsPerSecond = []] = await inTurns(pairs, [
      async (round) => {
        const began = performance.now();
        await Promise.all(repos.map((repo) => severalTasks(repo, round, (one, id) => daemon.task(one, id))));
        return (PROJECTS * TASKS * 1000) / (performance.now() - began);
      },
      async () => {
        const began = performance.now();
        await Promise.all(Array.from({ length: AT_ONCE }, () => severalSpawns(stage, SPAWNS / AT_ONCE)));
        return (SPAWNS * 1000) / (performance.now() - began);
      },
    ]);
    const perTask = programs.length / COUNTED;
    const possible = median(spawnsPerSecond) / perTask;
    return {
      name: 'throughput',
      notes: [
        `${PROJECTS} repositories in one daemon, ${TASKS} tasks each per round; raw spawns are \`sh -c :\`, ${AT_ONCE} at a time.`,
        `A task starts ${perTask} programs: ${tally(programs)}.`,
      ],
      sides: [
        { label: 'tasks per second', unit: '/s', values: tasksPerSecond },
        { label: 'raw spawns per second', unit: '/s', values: spawnsPerSecond },
        { label: 'programs per task', unit: '', values: [perTask] },
      ],
      figures: [{ key: 'throughput.share', label: 'share', value: median(tasksPerSecond) / possible }],
    };
  } finally {
    await daemon.stop();
  }
}

async function severalTasks(
  repo: string,
  round: number,
  task: (repo: string, id: string) => Promise<number>,
): Promise<void> {
  for (let number = 0; number < TASKS; number += 1) await task(repo, `TASK-${round}-${number}`);
}

async function severalSpawns(stage: Stage, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await new Promise<void>((resolve, reject) => {
      const child = spawn('sh', ['-c', ':'], { env: stage.env, stdio: 'ignore' });
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  }
}

/** The programs that a few tasks start, counted by a `git` that notes its arguments and becomes the real one, and by the agents. */
async function spawnedPrograms(stage: Stage, repo: string): Promise<readonly string[]> {
  const [folder, log] = [join(stage.folder, 'counting'), `${stage.marks}.log`];
  mkdirSync(folder);
  const shim = `#!/bin/sh\necho "git $*" >>"${log}"\nPATH="${stage.env['PATH'] ?? ''}" exec git "$@"\n`;
  writeFileSync(join(folder, 'git'), shim);
  chmodSync(join(folder, 'git'), 0o755);
  const env = { ...stage.env, PATH: [folder, stage.env['PATH'] ?? ''].join(delimiter) };
  const daemon = await startDaemon(stage, [repo], env);
  try {
    await daemon.task(repo, 'WARM-1');
    writeFileSync(log, '');
    for (let number = 0; number < COUNTED; number += 1) await daemon.task(repo, `COUNTED-${number}`);
    const calls = readFileSync(log, 'utf8').trimEnd().split('\n');
    rmSync(log);
    return calls.map((call) => (call.startsWith('git ') ? `git ${verbOf(call)}` : call));
  } finally {
    await daemon.stop();
  }
}

/** The git command behind its options. */
function verbOf(call: string): string {
  const words = call.split(' ').slice(1);
  while (words[0]?.startsWith('-')) words.splice(0, words[0] === '-c' ? 2 : 1);
  return words[0] ?? '';
}

function tally(programs: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const program of programs) counts.set(program, (counts.get(program) ?? 0) + 1 / COUNTED);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([program, count]) => `${count} ${program}`)
    .join(', ');
}
