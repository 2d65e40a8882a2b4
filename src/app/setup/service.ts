import { basename, join, delimiter, dirname, isAbsolute } from 'node:path';
import { userInfo } from 'node:os';
import { findUserPath } from '../../base/environment-variables.ts';
import { Problem } from '../../base/problem.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { installRoot } from '../../base/system/install-root.ts';
import { systemdUnit, type ServicePlan } from './service-unit.ts';
import { runServiceManager, type ServiceManagerAnswer } from '../../sandbox/processes/run-service-manager.ts';
import { findUserConfig } from '../../project/folders/user-folders.ts';
import { isProgram } from '../../project/workspace/on-path.ts';

/** The service of one repository as the system's service manager knows it. */
export type Service = ReturnType<typeof findService>;

/** Variables that say where configuration, state and caches are. */
const PLACES = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

function planOf({ facts }: Workspace, env: NodeJS.ProcessEnv): ServicePlan {
  const places = PLACES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return {
    root: facts.root,
    node: process.execPath,
    program: join(installRoot(), 'bin', 'andon.mjs'),
    environment: { PATH: absoluteFolders(findUserPath(env)).join(':'), ...Object.fromEntries(places) },
  };
}

const LARGEST = 64 * 1024;
/** The name of the state folder tells repositories of the same name apart. */
const nameOf = ({ state }: Workspace): string => basename(state);

export function findService(place: Workspace, env: NodeJS.ProcessEnv) {
  const name = `andon-${nameOf(place)}.service`;
  const door = openDir(unitFolder(env));
  const text = systemdUnit(planOf(place, env));
  const ask = (...args: readonly string[]) => askServiceManager('systemctl', ['--user', ...args], env);
  const must = (...args: readonly string[]): void => {
    const answer = ask(...args);
    if (answer?.isDone !== true)
      throw refused(`systemctl --user ${args.join(' ')} failed: ${answer?.text ?? 'systemctl is gone'}`, door.at(name));
  };
  const isActive = (): boolean => ask('is-active', '--quiet', name)?.isDone === true;
  return {
    name,
    file: join(door.folder, name),
    text,
    output: `journalctl --user --unit ${name}`,
    isInstalled: (): boolean => door.stat(name) !== undefined,
    isActive,
    /** Writes the unit, then starts it now and at every login; throws a Problem, and changes nothing, where no manager answers. */
    install(): void {
      const answer = ask('show-environment');
      if (answer === undefined) throw withoutManager('systemd is not here: no systemctl on PATH');
      if (!answer.isDone) throw withoutManager(`no user bus of systemd is reachable: ${answer.text}`);
      const wasActive = isActive();
      const before = door.text(name, LARGEST);
      door.makeFolder('');
      door.write(name, text);
      must('daemon-reload');
      must('enable', '--now', name);
      if (wasActive && before.ok && before.value !== text) must('restart', name);
    },
    restart: (): void => must('restart', name),
    /** Ends it and removes the unit; false where there was none. */
    remove(): boolean {
      if (door.stat(name) === undefined) return false;
      const answer = ask('disable', '--now', name);
      door.remove(name);
      if (answer?.isDone === true) must('daemon-reload');
      return true;
    },
    /** What the manager says of it, in its own words. */
    state: (): string => ask('is-active', name)?.text ?? 'unknown: no systemctl on PATH',
    /** What has to be done so that it also runs while the user is logged out. */
    hint(): string | undefined {
      const { username } = userInfo();
      const linger = askServiceManager('loginctl', ['show-user', username, '--property=Linger'], env);
      return linger?.text === 'Linger=yes'
        ? undefined
        : `it ends when you log out; to keep it running: loginctl enable-linger ${username}`;
    },
  };
}

const withoutManager = (why: string): Problem =>
  new Problem('no-answer', why, 'install the unit above by hand, or use andon start', 1);

const refused = (why: string, file: string): Problem =>
  new Problem('no-answer', why, `the unit is ${file}; put that right, then type it again`, 1);

/** Asks `systemctl` or `loginctl`; undefined where no absolute folder of PATH has it. */
function askServiceManager(
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
const absoluteFolders = (path = ''): readonly string[] => path.split(delimiter).filter((folder) => isAbsolute(folder));

/** Where systemd looks for the units of this user. */
const unitFolder = (env: NodeJS.ProcessEnv): string => join(dirname(dirname(findUserConfig(env))), 'systemd', 'user');
