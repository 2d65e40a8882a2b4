import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CageLimits } from '../cage-limits.ts';
import type { CagedCommand, CagedResult } from '../cage.ts';
import type { Bounds } from '../processes/bounds.ts';
import type { Command } from '../processes/command.ts';
import type { RunProgram } from '../processes/run.ts';

/** How to start a program around a command. */
export type StartCommand = Pick<Command, 'program' | 'args' | 'cwd' | 'env' | 'handed' | 'account'>;

/** Output limit: a verbose suite prints a few MB; more is a runaway. */
const MOST_MB = 16;

/** A command that did not run, because its cage could not be built. */
export const notStarted = (output: string, ms = 0): CagedResult => ({ exit: null, output, ms, ended: 'not started' });

/** Runs a command by the given program and arguments, and combines its streams as a terminal would. */
export async function runShell(
  run: RunProgram,
  command: Pick<CagedCommand, 'idleMs' | 'signal' | 'timeoutMs'> & Partial<Pick<CagedCommand, 'tree'>>,
  start: StartCommand,
  bounds?: Bounds,
): Promise<CagedResult> {
  const ending = await run({
    ...start,
    input: '',
    signal: command.signal,
    hardMs: command.timeoutMs,
    outputCap: MOST_MB * 1024 * 1024,
    bounds,
    idleMs: command.idleMs,
    worksIn: command.tree,
  });
  const { ended, ms, passed } = ending;
  const why = ending.notStarted === undefined ? '' : `: ${ending.notStarted.why}`;
  if (ended === 'missing') return notStarted(`${start.program} cannot be started${why}`, ms);
  const output = [ending.stdout, ending.stderr].filter((text) => text !== '').join('\n');
  const result = { exit: null, output, ms };
  if (ended === 'aborted') return { ...result, ended };
  if (passed !== undefined) return { ...result, ended: 'limit', limit: passed };
  if (ended === 'idle') return { ...result, ended };
  if (ended === 'hard') return { ...result, ended: 'timeout' };
  if (ended === 'too much output') return { ...result, ended: 'limit', limit: `it printed more than ${MOST_MB} MB` };
  return { ...result, exit: ending.exit ?? 128, ended: 'exited' };
}

/** A folder for one command, with its TMPDIR in it; removed with the command. */
export async function withScratchFolder<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'andon-caged-')));
  try {
    mkdirSync(join(scratch, 'tmp'));
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Why the cage of a command could not be built, by the note of its builder; undefined when it was. */
export function readCageFault(scratch: string): string | undefined {
  const note = join(scratch, 'not-started');
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined;
}

/**
 * The shell words that start a command in a cage. They limit processes (except for root) and open files. The watch
 * outside has a lower limit and ends a command first.
 */
export const boundedShellArguments = (run: string, { processes, openFiles }: CageLimits): readonly string[] => [
  '/bin/sh',
  '-c',
  BOUNDED,
  'sh',
  run,
  String(Math.ceil(processes * 1.25) + 64),
  String(openFiles),
];

/** bash and dash name the limit of processes by different letters. A lower limit is kept. */
const BOUNDED = `{ ulimit -u "$2" || ulimit -p "$2"; [ "$(ulimit -Sn)" -le "$3" ] || ulimit -Sn "$3"; ulimit -Hn "$3"; } 2>/dev/null
exec /bin/sh -c "$1"`;
