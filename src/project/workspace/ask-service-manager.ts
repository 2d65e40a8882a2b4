import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { runServiceManager, type ServiceManagerAnswer } from '../../sandbox/processes/run-service-manager.ts';
import { findUserConfig } from '../folders/user-folders.ts';
import { isProgram } from './on-path.ts';

/** Asks `systemctl` or `loginctl`; undefined where no absolute folder of PATH has it. */
export function askServiceManager(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ServiceManagerAnswer | undefined {
  const program = absoluteFolders(env['PATH'])
    .map((folder) => join(folder, name))
    .find(isProgram);
  return program === undefined ? undefined : runServiceManager(program, args, env);
}

/** The folders of a PATH that are the same from everywhere. */
export const absoluteFolders = (path = ''): readonly string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder));

/** Where systemd looks for the units of this user. */
export const unitFolder = (env: NodeJS.ProcessEnv): string =>
  join(dirname(dirname(findUserConfig(env))), 'systemd', 'user');
