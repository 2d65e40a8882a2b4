import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { Shell } from '../../src/app/cli/command.ts';

/** A command that runs in the warm process, with streams and signals of its own. */
export interface WarmRun {
  /** The exit code. */
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Both, in the order in which they were printed. */
  readonly output: () => string;
  /** Of the process. */
  readonly pid: number;
  /** Delivers a signal to its listeners. */
  readonly signal: (name: string) => void;
}

/** What the process tells: of a command by its number, or of itself. */
interface Told {
  readonly id?: number;
  readonly stream?: 'stdout' | 'stderr';
  readonly text?: string;
  readonly code?: number;
  readonly fault?: string;
}

interface Running {
  readonly hear: (told: Told) => void;
}

interface Warm {
  readonly child: ChildProcess;
  readonly isReady: Promise<void>;
  readonly running: Map<number, Running>;
}

const PROGRAM = join(import.meta.dirname, 'warm-andon.mjs');
/**
 * As `bin/andon.mjs` starts the daemon: to start a program takes longer the more memory its parent holds. A test runs most
 * code a few times, so that optimizing compilers cost more than they save: a tenth of the CPU time of a line.
 */
const FLAGS = ['--max-semi-space-size=2', '--no-opt', '--no-maglev'];
const FEW_ARENAS = { MALLOC_ARENA_MAX: '1' };
/** What git and andon look for in the environment of the process itself. */
const SEEN = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'NO_COLOR', 'FORCE_COLOR'];
/** One for each worker; files that run one after the other in it load this module anew. */
const kept = globalThis as { warmAndon?: Warm | undefined; warmRuns?: number };

/**
 * Runs the command line of the built andon in a process that runs already: the same code as the program's, but warm, and
 * without a start of Node.js a command. Not in the test's own: that holds 200 MB, and to start a git from there takes
 * 15 ms of CPU time, not 4. Where a process is the point (kill -9, a terminal, what is inherited), start the program.
 */
export function runWarm(
  args: readonly string[],
  { cwd, env, input }: Pick<Shell, 'cwd' | 'env'> & { readonly input?: string | undefined },
): WarmRun {
  const { child, isReady, running } = (kept.warmAndon ??= start());
  const id = (kept.warmRuns = (kept.warmRuns ?? 0) + 1);
  const printed = { stdout: '', stderr: '', both: '' };
  const ended = new Promise<number>((resolve, reject) => {
    running.set(id, {
      hear({ stream, text = '', code, fault }) {
        if (stream !== undefined) {
          printed[stream] += text;
          printed.both += text;
          return;
        }
        running.delete(id);
        if (code === undefined) reject(new Error(`andon ${args.join(' ')}: ${fault}`));
        else resolve(code);
      },
    });
  });
  const seen = Object.fromEntries(SEEN.map((name) => [name, env[name] ?? null]));
  seen['TMPDIR'] = process.env['TMPDIR'] ?? null;
  void isReady.then(() => child.connected && child.send({ id, args, cwd, env, seen, input }));
  return {
    ended,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    output: () => printed.both,
    pid: child.pid ?? 0,
    signal: (signal) => void isReady.then(() => child.connected && child.send({ id, signal })),
  };
}

/** Ends the process, with whatever does not end in it by itself; the next command gets a new one. */
export function endWarm(): void {
  kept.warmAndon?.child.kill('SIGKILL');
  kept.warmAndon = undefined;
}

function start(): Warm {
  const cli = join(dirname(inject('andon')), 'cli.js');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...FLAGS, PROGRAM, cli], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...FEW_ARENAS },
  });
  const running: Warm['running'] = new Map();
  const isReady = new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
  });
  child.on('message', (told: Told) => {
    if (told.id !== undefined) running.get(told.id)?.hear(told);
    else if (told.fault !== undefined) failLoudly(told.fault);
  });
  child.once('exit', (code, signal) => {
    if (kept.warmAndon?.child === child) kept.warmAndon = undefined;
    for (const { hear } of running.values()) hear({ fault: `its process has ended (${code ?? signal})` });
  });
  child.unref();
  child.channel?.unref();
  return { child, isReady, running };
}

/** What nobody caught there would have ended the program: the run is red. */
function failLoudly(fault: string): void {
  setImmediate(() => {
    throw new Error(`nobody caught in andon: ${fault}`);
  });
}
