import type { CagedCommand, CagedResult } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';

/** Runs a command by the given program and arguments, and puts its two streams together as people see them. */
export async function runShell(
  run: RunProgram,
  command: CagedCommand,
  start: {
    readonly program: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<CagedResult> {
  const ending = await run({
    ...start,
    input: '',
    signal: command.signal,
    hardMs: command.timeoutMs,
    outputCap: 2 * 1024 * 1024,
  });
  const output = [ending.stdout, ending.stderr].filter((text) => text !== '').join('\n');
  if (ending.ended === 'missing')
    return {
      exit: null,
      output: `${start.program} cannot be started${ending.notStarted === undefined ? '' : `: ${ending.notStarted.why}`}`,
      ms: ending.ms,
      ended: 'not started',
    };
  if (ending.ended === 'aborted') return { exit: null, output, ms: ending.ms, ended: 'aborted' };
  if (ending.ended === 'hard' || ending.ended === 'idle')
    return { exit: null, output, ms: ending.ms, ended: 'timeout' };
  if (ending.ended === 'too much output')
    return { exit: 1, output: `${output}\n(ended by andon: too much output)`, ms: ending.ms, ended: 'exited' };
  return { exit: ending.exit ?? 128, output, ms: ending.ms, ended: 'exited' };
}

/** The words by which a cage starts a shell command; a fork bomb ends there (not for root, whom the kernel does not count). */
export const bounded = (run: string): readonly string[] => ['/bin/sh', '-c', BOUNDED, 'sh', run];

/** bash and dash call the limit by another letter. */
const BOUNDED = '{ ulimit -u 2048 || ulimit -p 2048; } 2>/dev/null; exec /bin/sh -c "$1"';
