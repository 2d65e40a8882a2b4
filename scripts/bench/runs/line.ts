import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startDaemon } from '../daemon.ts';
import { cpuOf, inTurns, median, sum } from '../figures.ts';
import { WrongInput, type Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { BIG_FROM, git, openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

const SCRIPT = join(import.meta.dirname, '../baseline-task.sh');

/** One task through the daemon against the same task by a shell script: wall time and CPU. */
export async function line(stage: Stage, { repo, pairs }: Options): Promise<Measured> {
  const source = await openSource(stage, repo);
  const size = source.files > BIG_FROM ? 'big' : 'small';
  const [ours, theirs] = [source.copy('daemon'), source.copy('script')];
  const daemon = await startDaemon(stage, [ours]);
  const cpu = { daemon: [] as number[], script: [] as number[] };
  const spent = async (into: number[], read: () => number, work: () => Promise<number>): Promise<number> => {
    const before = read();
    const wall = await work();
    into.push(read() - before);
    return wall;
  };
  try {
    const [wallDaemon = [], wallScript = []] = await inTurns(pairs, [
      (round) =>
        spent(
          cpu.daemon,
          () => daemon.cpu(),
          () => daemon.task(ours, `TASK-${round}`),
        ),
      (round) =>
        spent(
          cpu.script,
          () => cpuOf('self').children,
          () => byHand(stage, theirs, `TASK-${round}`),
        ),
    ]);
    checkSameWork(stage, ours, theirs);
    const [cpuDaemon, cpuScript] = [cpu.daemon.slice(1), cpu.script.slice(1)];
    return {
      name: `line (${size}, ${source.files} files)`,
      notes: ['No gates are configured, so that both sides do the same; the agents are stubs on both sides.'],
      sides: [
        { label: 'daemon, wall', unit: 'ms', values: wallDaemon },
        { label: 'script, wall', unit: 'ms', values: wallScript },
        { label: 'daemon, CPU with children', unit: 'ms', values: cpuDaemon },
        { label: 'script, CPU', unit: 'ms', values: cpuScript },
      ],
      figures: [
        { key: `line.${size}.wall`, label: 'wall time', value: median(wallDaemon) / median(wallScript) },
        // CPU comes in ticks of 10 ms, so only the sums are exact.
        { key: `line.${size}.cpu`, label: 'CPU', value: sum(cpuDaemon) / sum(cpuScript) },
      ],
    };
  } finally {
    await daemon.stop();
  }
}

/** One run of the shell script. */
function byHand(stage: Stage, repo: string, taskId: string): Promise<number> {
  const began = performance.now();
  const child = spawn('bash', [SCRIPT, repo, taskId, 'switch'], {
    env: stage.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(performance.now() - began);
      else if (code === 2) reject(new WrongInput(said.trim()));
      else reject(new Error(`baseline-task.sh ended with ${code}: ${said}`));
    });
  });
}

/** A comparison counts only when both sides have come to the same files. */
function checkSameWork(stage: Stage, ours: string, theirs: string): void {
  const notes = (repo: string): string => git(stage, repo, 'ls-tree', '-r', '--name-only', 'main', 'notes/');
  if (notes(ours) !== notes(theirs) || notes(ours) === '') throw new Error('the two sides did not do the same work');
}
