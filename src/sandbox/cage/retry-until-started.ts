import { getLastLine } from '../../base/get-last-line.ts';
import type { CagedResult } from '../cage.ts';
import { notStarted, type StartCommand } from './run-shell.ts';

/** The arguments that make bwrap write its command's exit code to descriptor 4. */
export const GIVES_ACCOUNT = ['--json-status-fd', '4'];

/** Retries when shown or covered files keep disappearing. */
const MOST_TRIES = 5;
/** The exit code of a bwrap that could not build its cage. */
export const NOT_BUILT = 1;

/**
 * Runs a command in a cage and rebuilds the cage while a file to show or cover disappears before bwrap reaches it.
 * bwrap reports that in a place that no command can write, so the command's output is not trusted. A command that began
 * is never started again.
 */
export async function retryUntilStarted(
  cage: string,
  build: () => StartCommand,
  run: (start: StartCommand) => Promise<CagedResult>,
): Promise<CagedResult> {
  if (process.platform !== 'linux') return run(build()); // no bwrap there
  for (let tries = 1; ; tries += 1) {
    const { result, why, isOver } = await attempt(build, run);
    if (why === undefined) return result;
    if (isOver || tries === MOST_TRIES) return notStarted(`${cage} cannot build a cage here: ${why}`, result.ms);
  }
}

/** The remedy where bwrap cannot build a cage. */
export const ARE_THEY_ALLOWED =
  '(are user namespaces allowed? on Ubuntu see `kernel.apparmor_restrict_unprivileged_userns`)';

interface Attempt {
  readonly result: CagedResult;
  /** Why the command did not start, or was ended. */
  readonly why?: string;
  /** Whether the command may have begun. */
  readonly isOver?: boolean;
}

async function attempt(
  build: () => StartCommand,
  run: (start: StartCommand) => Promise<CagedResult>,
): Promise<Attempt> {
  const start = tryBuild(build);
  if (typeof start === 'string') return { result: notStarted(''), why: start };
  let status = '';
  const result = await run({ ...start, account: (text) => (status += text) });
  if (result.ended !== 'exited' || status.includes('"exit-code"')) return { result };
  if (result.exit === NOT_BUILT) return { result, why: `${getLastLine(result.output)} ${ARE_THEY_ALLOWED}` };
  return { result, why: `it was ended from outside, with ${result.exit ?? 'no exit code'}`, isOver: true };
}

/** The start of the cage; a text where a path vanished while it was prepared. */
function tryBuild(build: () => StartCommand): StartCommand | string {
  try {
    return build();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return (error as Error).message;
    throw error;
  }
}
