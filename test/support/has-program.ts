import { spawnSync } from 'node:child_process';

/** Whether a program is on the PATH. */
export const hasProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;
