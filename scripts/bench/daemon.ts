import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, memoryOf } from './figures.ts';
import type { Stage } from './stage.ts';
import { contractFor } from './stub-agents.ts';

/** A task that takes longer than this is not slow but stuck. */
const PATIENCE_MS = 120_000;

/** A running `andon watch`, started from the installed command. */
export interface Daemon {
  readonly pid: number;
  /** Drops a contract and gives back how long it took until the task's papers lay in the archive, merged. */
  task(repo: string, taskId: string, more?: object): Promise<number>;
  /** Writes a contract as an editor does: beside its place, then renamed. */
  drop(repo: string, taskId: string, more?: object): void;
  /** Waits until a task is merged and archived. */
  merged(repo: string, taskId: string): Promise<void>;
  /** Milliseconds of CPU of the daemon and of everything it has started. */
  cpu(): number;
  memory(): number;
  stop(): Promise<void>;
}

/** Starts the daemon over some repositories and waits until it watches all of them. */
export async function startDaemon(stage: Stage, repos: readonly string[], env = stage.env): Promise<Daemon> {
  const child = spawn(process.execPath, [stage.andon, 'watch', ...repos], {
    cwd: repos[0],
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const die = (): boolean => child.kill('SIGKILL');
  process.prependOnceListener('exit', die); // a benchmark that is stopped leaves no daemon behind, and no folder
  let output = '';
  let over = false;
  let wake = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-20_000);
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      over = true;
      process.off('exit', die);
      wake();
      resolve();
    });
  });
  const fail = (what: string): Error => new Error(`${what}\n--- the daemon printed\n${output}`);
  /** Waits for the daemon's word, and only then looks again and again: watching costs the daemon's own CPU otherwise. */
  const until = async (isSo: () => boolean, what: string): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      if (over) throw fail(`the daemon ended: ${what}`);
      if (performance.now() > end) throw fail(`it did not happen: ${what}`);
      await Promise.race([sleep(2), new Promise<void>((resolve) => (wake = resolve))]);
    }
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const drop: Daemon['drop'] = (repo, taskId, more) => {
    const handoff = join(repo, '_handoff');
    mkdirSync(handoff, { recursive: true });
    writeFileSync(join(handoff, '.drop.tmp'), JSON.stringify(contractFor(taskId, more)));
    renameSync(join(handoff, '.drop.tmp'), join(handoff, 'TASK_CONTRACT.json'));
  };
  const merged = async (repo: string, taskId: string): Promise<void> => {
    const archived = join(repo, '_handoff/archive', taskId, 'TASK_CONTRACT.json');
    await until(() => existsSync(archived) || existsSync(join(repo, '_handoff/ERIK_HALT.md')), `${taskId} is merged`);
    if (!existsSync(archived) || !readFileSync(archived, 'utf8').includes('"merged"'))
      throw fail(`${taskId} was not merged`);
  };
  await until(() => output.split(' watches ').length > repos.length, 'the daemon watches').catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return {
    pid,
    drop,
    merged,
    stop,
    async task(repo, taskId, more) {
      const began = performance.now();
      drop(repo, taskId, more);
      await merged(repo, taskId);
      return performance.now() - began;
    },
    cpu() {
      const { own, children } = cpuOf(pid);
      return own + children;
    },
    memory: () => memoryOf(pid),
  };
}
