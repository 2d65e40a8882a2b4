import { spawn } from 'node:child_process';

/** The result of a git call; `code` is not 0 when git refused. */
export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The output exceeded the limit. */
  readonly isCut?: true;
}

export interface GitCall {
  /** The git directory; explicit, so that git neither searches nor checks the owner of a work tree. */
  readonly gitDir: string;
  readonly workTree?: string;
  readonly index?: string;
  readonly input?: string | Uint8Array;
  /** The last input, derived from git's output so far; asked at each piece until it returns one. */
  readonly reply?: (output: Buffer) => string | undefined;
  /** Exit codes to accept in addition to 0. */
  readonly accept?: readonly number[];
  /** Limit of output bytes; git is ended at more, and the result shows it. */
  readonly most?: number;
  /** Changes to a copy of the allowed environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Time limit; git and its children run in a session without a terminal. */
  readonly limitMs?: number;
}

/** These calls execute nothing that a repository, a user or a machine configured. */
const HARDENED = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.fsync=committed,reference',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.untrackedCache=false',
  'i18n.commitEncoding=UTF-8',
].flatMap((setting) => ['-c', setting]);

const ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: '',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
};

/** Variables that locate the user's own settings, such as line endings and filters. */
export const userGitHome = (): Readonly<Record<string, string>> => ({
  HOME: process.env['HOME'] ?? '/',
  ...(process.env['XDG_CONFIG_HOME'] === undefined ? {} : { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] }),
});

/** Makes a call see a checkout as its user's git does; programs stay disabled. */
export const withUserSettings = (): Readonly<Record<string, string | undefined>> => ({
  ...userGitHome(),
  GIT_CONFIG_GLOBAL: undefined,
  GIT_CONFIG_NOSYSTEM: undefined,
});

/** An unexpected failure of git; a fault of andon or of the repository. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
}

/** Runs a hardened git plumbing command and returns its output; see `askGit`. */
export const runGit = async (args: readonly string[], call: Omit<GitCall, 'most'>): Promise<Buffer> =>
  (await askGit(args, call)).stdout;

/**
 * The same with the exit code, one of the accepted ones. Throws GitFailure with git's own words when it fails, but not
 * when it was ended at the limit of its output.
 */
export async function askGit(args: readonly string[], call: GitCall): Promise<GitResult> {
  const result = await tryGit(args, call);
  if (result.code === 0 || result.isCut === true || call.accept?.includes(result.code)) return result;
  throw new GitFailure(`git ${subCommandOf(args)} failed (${result.code}): ${result.stderr.trim().slice(0, 500)}`);
}

/** The subcommand after git's own options; `-c` takes an argument. */
const subCommandOf = (args: readonly string[]): string =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? '';

/** Runs a git plumbing command and returns its result. */
export function tryGit(args: readonly string[], call: GitCall): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...HARDENED, ...args], {
      cwd: call.workTree ?? call.gitDir,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        ...ENVIRONMENT,
        GIT_DIR: call.gitDir,
        ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
        ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
        ...call.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: call.limitMs !== undefined,
    });
    child.on('error', (error) => reject(new GitFailure(`cannot run git: ${error.message}`)));
    if (child.pid === undefined) return; // without a process the pipes may be missing too
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let left = call.most ?? Number.POSITIVE_INFINITY;
    child.stdout.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) return void child.kill();
      out.push(chunk);
      const more = child.stdin.writableEnded ? undefined : call.reply?.(Buffer.concat(out));
      if (more !== undefined) child.stdin.end(more);
    });
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {}); // git may end before it has read everything; its exit code gives the reason
    const settle = (code: number | null, why = ''): void =>
      resolve({
        code: code ?? 128,
        stdout: Buffer.concat(out),
        stderr: why + Buffer.concat(err).toString('utf8'),
        ...(left < 0 ? { isCut: true as const } : {}),
      });
    const timer =
      call.limitMs === undefined
        ? undefined
        : setTimeout(() => {
            killGroup(child.pid);
            settle(null, `it was ended after ${(call.limitMs ?? 0) / 1000} s without an answer\n`); // a grandchild may keep the pipes open
          }, call.limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      settle(code, code === null && left >= 0 ? 'git was killed\n' : '');
    });
    if (call.reply === undefined) child.stdin.end(call.input ?? '');
    else child.stdin.write(call.input ?? '');
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it has just ended
  }
}

/** The fields of git's output with `-z`. */
export const splitNul = (output: Buffer | string): readonly string[] =>
  String(output)
    .split('\0')
    .filter((field) => field !== '');

/** The output as text without its final newline. */
export const gitText = async (args: readonly string[], call: GitCall): Promise<string> =>
  (await runGit(args, call)).toString('utf8').trimEnd();
