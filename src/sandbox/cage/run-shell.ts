import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CageLimits } from '../limits/cage-limits.ts';
import type { CagedCommand, CagedResult } from '../cage.ts';
import type { Bounds } from '../processes/bounds.ts';
import type { Command } from '../processes/command.ts';
import type { RunProgram } from '../processes/run.ts';

/** How to start a program around a command. */
export type StartCommand = Pick<Command, 'program' | 'args' | 'cwd' | 'env' | 'handed' | 'account'>;

/** Output limit: a verbose suite prints a few MB; more is a runaway. */
const MOST_MB = 16;

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
  const output = [ending.stdout, ending.stderr].filter((text) => text !== '').join('\n');
  if (ended === 'missing')
    return {
      exit: null,
      output: `${start.program} cannot be started${ending.notStarted === undefined ? '' : `: ${ending.notStarted.why}`}`,
      ms,
      ended: 'not started',
    };
  if (ended === 'aborted') return { exit: null, output, ms, ended };
  if (passed !== undefined) return { exit: null, output, ms, ended: 'limit', limit: passed };
  if (ended === 'idle') return { exit: null, output, ms, ended };
  if (ended === 'hard') return { exit: null, output, ms, ended: 'timeout' };
  if (ended === 'too much output')
    return { exit: null, output, ms, ended: 'limit', limit: `it printed more than ${MOST_MB} MB` };
  return { exit: ending.exit ?? 128, output, ms, ended: 'exited' };
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
