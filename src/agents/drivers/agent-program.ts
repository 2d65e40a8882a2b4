import { failure, success, type Outcome } from '../../base/outcome.ts';
import { getEnd } from '../../base/crash-reason.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../project/config/read-driver.ts';
import type { AgentCall, AgentFailure, AgentUsage } from '../agent.ts';
import type { Command, Ending } from '../../sandbox/processes/command.ts';

export interface AgentProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a program runs whose output is followed. Its stderr is no sign of life: even a dead network fills it. */
export const followedCall = (
  { signal, hardMs, idleMs }: AgentCall,
  { follow }: Required<Pick<Command, 'follow'>>,
  { first, graceMs }: Partial<Driver['end']> = {},
) => ({ signal, hardMs, idleMs, follow, firstSignal: first, graceMs });

/** The end of a call without a program. */
const NOTHING_RAN = { ms: 0, exit: null };

/** The usage of a call that asked no model: known, and nothing. */
export const NO_USAGE: AgentUsage = { tokensIn: 0, tokensOut: 0, usd: 0 };

/** A failure without reported usage. */
export const createFailure = (
  kind: AgentFailure['kind'],
  detail: string,
  ending: Pick<Ending, 'ms' | 'exit'> & Partial<Pick<Ending, 'stderr'>>,
): AgentFailure => ({
  kind,
  detail,
  tokensIn: null,
  tokensOut: null,
  usd: null,
  ms: ending.ms,
  exit: ending.exit,
  ...(ending.stderr === undefined || ending.stderr.trim() === '' ? {} : { output: getEnd(ending.stderr) }),
});

/** A call that failed before a model was asked, by default before a program ran. */
export const failCall = (
  kind: AgentFailure['kind'],
  detail: string,
  ending: Parameters<typeof createFailure>[2] = NOTHING_RAN,
): Outcome<never, AgentFailure> => failure({ ...createFailure(kind, detail, ending), ...NO_USAGE });

/** The failures that are the same for every program; undefined when it ended by itself. */
export function describeEarlyEnd(program: string, ending: Ending): AgentFailure | undefined {
  const seconds = Math.round(ending.ms / 1000);
  switch (ending.ended) {
    case 'missing':
      return describeFailedStart(program, ending);
    case 'aborted':
      return createFailure('aborted', 'ended by andon', ending);
    case 'idle':
      return createFailure(
        'stall',
        `no sign of life for too long, ended after ${seconds} s${lastSignOf(ending)}`,
        ending,
      );
    case 'hard':
      return createFailure(
        'stall',
        `still running at the hard limit, ended after ${seconds} s${lastSignOf(ending)}`,
        ending,
      );
    case 'too much output':
      return createFailure('unreadable', 'printed more than andon reads', ending);
    case 'out of bounds':
      return createFailure('crash', `was ended because ${ending.passed ?? 'it used too much'}`, ending);
    case 'exited':
      return undefined;
  }
}

const lastSignOf = ({ lastSign }: Ending): string =>
  lastSign === undefined ? '' : `; the last sign of life was ${lastSign.what}, at ${lastSign.at}`;

/**
 * Who sent the signal that ended a program, directly or as the exit code of a shell; undefined = it ended by itself.
 */
export function describeSignalEnd({ exit, signal }: Pick<Ending, 'exit' | 'signal'>): string | undefined {
  const name = signal ?? SIGNALS.get(exit ?? 0);
  if (name === undefined) return undefined;
  return name === 'SIGKILL' ? 'SIGKILL (by hand, or because the machine was out of memory)' : name;
}

/** A program that is asked for its version; `remedy` is added where it is missing. */
interface ProgramIdentity {
  readonly name: string;
  readonly program?: string;
  readonly remedy?: string;
}

/** The line by which a program that was asked for its version names itself; or why it is another program. */
export function readIdentity(
  { name, program = name, remedy = '' }: ProgramIdentity,
  ending: Ending,
  fits: (line: string) => boolean,
): Outcome<string, string> {
  const early = describeEarlyEnd(name, ending);
  if (early?.kind === 'missing') return failure(`${early.detail}${remedy}`);
  if (early !== undefined) return failure(`${name}, asked for its version: ${early.detail}`);
  const lines = `${ending.stdout}\n${ending.stderr}`.split('\n').map((line) => line.trim());
  const line = lines.find(fits);
  if (line !== undefined && ending.exit === 0) return success(line);
  const text = toTerminalLine(getLastLine(ending.stdout) || getLastLine(ending.stderr), 120);
  return failure(
    `this ${toTerminalLine(program, 80)} is not the program that andon drives as ${name}: asked for its version it says ${text === '' ? 'nothing' : JSON.stringify(text)} (exit ${ending.exit ?? ending.signal ?? '?'}); agents.${name}.program in your own configuration can name another file`,
  );
}

/** Whether a program that was asked for its version hung or was ended: it may be the right one, and is tried. */
export function isUndecided(name: string, ending: Ending): boolean {
  const kind = describeEarlyEnd(name, ending)?.kind;
  return kind === undefined ? ending.exit === null : kind !== 'missing' && kind !== 'refused';
}

/** Exit codes of shells and of programs with signal handlers: 128 and the number of the signal. */
const SIGNALS: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [134, 'SIGABRT'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
]);

function describeFailedStart(program: string, ending: Ending): AgentFailure {
  const failed = (as: AgentFailure['kind'], detail: string): AgentFailure => ({
    ...createFailure(as, detail, ending),
    ...NO_USAGE,
  });
  const { kind, why } = ending.notStarted ?? { kind: 'missing', why: 'is not installed or not on PATH' };
  const where = `agents.${program}.program in your own configuration can name another file`;
  if (kind === 'no room') return failed('unavailable', `${program} ${why}`);
  return failed(kind === 'missing' ? 'missing' : 'refused', `${program} ${why}; ${where}`);
}
