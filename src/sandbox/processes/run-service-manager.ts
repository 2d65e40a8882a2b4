import { spawnSync } from 'node:child_process';

export interface ServiceManagerAnswer {
  readonly isDone: boolean;
  readonly text: string;
}

/** Longer than systemd waits for a unit that stops. */
const LIMIT_MS = 120_000;

/** Runs `systemctl` or `loginctl`, by its path, to its end. */
export function runServiceManager(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ServiceManagerAnswer {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  return { isDone: status === 0, text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim() };
}
