import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Cage } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { bounded, runShell } from './run-shell.ts';
import { hiddenFolders, shownPaths } from './what-is-seen.ts';
import type { CageWorld } from './what-is-seen.ts';

/**
 * The cage of Linux: own namespaces, no network, a read-only root, the home folder hidden, one writable tree.
 * bwrap itself is started with an empty environment, because its own stays readable inside.
 */
export function bubblewrap(run: RunProgram, world: CageWorld): Cage {
  return {
    name: 'bubblewrap',
    async unavailable() {
      const program = bwrapPath(world.environment['PATH']);
      if (program === undefined)
        return 'bubblewrap is not installed: install it (`apt-get install bubblewrap`, `dnf install bubblewrap`)';
      const result = await run({
        program,
        args: [...namespaces(false), ...ROOT_READ_ONLY, '--', '/bin/true'],
        cwd: '/',
        env: {},
        input: '',
        signal: new AbortController().signal,
        hardMs: 10_000,
      });
      if (result.exit === 0) return undefined;
      return `bubblewrap cannot build a cage here: ${result.stderr.trim().split('\n')[0] ?? ''} (are user namespaces allowed? on Ubuntu see \`kernel.apparmor_restrict_unprivileged_userns\`)`;
    },
    run: (command) =>
      runShell(run, command, {
        program: bwrapPath(world.environment['PATH']) ?? 'bwrap',
        args: [
          ...namespaces(command.network),
          ...ROOT_READ_ONLY,
          ...hiddenFolders(world).flatMap((folder) => ['--tmpfs', folder]), // never over a link: bwrap would refuse
          ...shownPaths(world, command.network).flatMap((path) => ['--ro-bind', path, path]),
          '--bind',
          command.tree,
          command.tree,
          ...command.share.flatMap(([from, path]) => ['--ro-bind', from, join(command.tree, path)]),
          '--clearenv',
          ...Object.entries({ ...world.environment, TMPDIR: '/tmp' }).flatMap(([name, value]) => [
            '--setenv',
            name,
            value,
          ]),
          '--chdir',
          command.tree,
          '--',
          ...bounded(command.run),
        ],
        cwd: '/',
        env: {},
      }),
  };
}

const ROOT_READ_ONLY = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

function namespaces(network: boolean): readonly string[] {
  return [
    '--unshare-user',
    '--disable-userns',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(network ? [] : ['--unshare-net']),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
  ];
}

function bwrapPath(path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'bwrap'))
    .find((file) => existsSync(file));
}
