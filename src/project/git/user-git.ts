import type { SimpleGit } from 'simple-git';
import { userGitHome } from './run-git.ts';

/** git in the checkout of a user: returns its output, throws its words. */
export type UserGit = (...args: string[]) => Promise<string>;

/**
 * git with its user's settings and filters, which must act where a checkout is changed; hooks and file monitors are off.
 * `settings` are further variables of its environment. simple-git is loaded on the first call, which a reading command
 * never makes.
 */
export function openUserGit(folder: string, settings: Readonly<Record<string, string>> = {}): UserGit {
  let opened: Promise<{ readonly git: SimpleGit }> | undefined;
  return async (...args) => {
    opened ??= openGit(folder, settings);
    const { git } = await opened;
    return git.raw(...args);
  };
}

/** The same; an empty text when git refuses. */
export const tryUserGit = async (folder: string, ...args: string[]): Promise<string> =>
  (await openUserGit(folder)(...args).catch(() => '')).trim();

async function openGit(folder: string, env: Readonly<Record<string, string>>): Promise<{ readonly git: SimpleGit }> {
  const { simpleGit } = await import('simple-git');
  const git = simpleGit({
    baseDir: folder,
    config: [
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'core.fsync=committed,reference,index',
      'gc.auto=0',
      'maintenance.auto=false',
    ],
    allowEnvironment: Object.keys(env), // else it removes every GIT_ variable as a foreign one
    // By default it takes a killed, silent git for a success.
    errors: (error, { exitCode, stdErr }) => error ?? (exitCode === 0 ? undefined : getGitOutput(stdErr, exitCode)),
    unsafe: { allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true, allowUnsafeConfigEnvCount: true },
  }).env({ PATH: process.env['PATH'] ?? '', ...userGitHome(), LC_ALL: 'C', ...env });
  return { git };
}

/** git's error output; a killed git has no exit code, whatever the types say. */
function getGitOutput(stdErr: readonly Buffer[], exitCode: number | null): Buffer {
  const output = Buffer.concat(stdErr);
  return output.length > 0 ? output : Buffer.from(exitCode === null ? 'git was killed' : `git ended with ${exitCode}`);
}
