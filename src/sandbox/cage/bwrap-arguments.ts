import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StartCommand } from './run-shell.ts';
import { seccompFilter, type Doors } from './seccomp.ts';
import { GIVES_ACCOUNT } from './retry-until-started.ts';
import { findOnPath } from './resolve-path.ts';
import { visiblePaths, type CageWorld, type VisiblePaths } from './sandbox-mounts.ts';

/** A command in a cage, and what it may reach there. */
interface InCage {
  /** The real path of the one tree that it may write. */
  readonly tree: string;
  /** Whether it gets the machine's network. */
  readonly network: boolean;
  /** Whether it may connect to Unix sockets. */
  readonly unixSockets: boolean;
  /** What is mounted at `/tmp`, and the size of mounts in memory. */
  readonly tmp: { readonly temporary?: string | undefined; readonly most: number };
  /** Bytes of its largest segment of System V. */
  readonly largestSegment: number;
  /** Arguments of bwrap for mounts below the tree, and over it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Its variables, in addition to those that every command has. */
  readonly env: Readonly<Record<string, string>>;
  /** The command line. */
  readonly run: readonly string[];
}

/**
 * The bwrap call around a command of a gate or an agent: own namespaces, visible paths read-only, one writable tree.
 * bwrap itself starts with an empty environment, because its own is readable inside.
 */
export function callOfBwrap(
  world: CageWorld,
  { tree, network, unixSockets, tmp, largestSegment, before, after, env, run }: InCage,
): StartCommand {
  const sight = visiblePaths(world, network);
  const filter = seccompArguments({ namespaces: true, unixSockets, largestSegment });
  const variables = Object.entries({ ...world.environment, ...env, TMPDIR: '/tmp' });
  return {
    program: findOnPath('bwrap', world.environment['PATH']) ?? 'bwrap',
    args: [
      ...namespaceArguments(network),
      ...mountArguments(sight, tmp),
      ...before,
      '--bind',
      tree,
      tree,
      ...after,
      ...['/', ...sight.hidden].flatMap((folder) => ['--remount-ro', folder]),
      ...filter.words,
      '--clearenv',
      ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
      '--chdir',
      tree,
      '--',
      ...run,
    ],
    cwd: '/',
    env: {},
    ...filter.handed,
  };
}

/** The filter of system calls, which bwrap reads from descriptor 3; empty where the processor has no filter. */
export function seccompArguments(doors: Doors): {
  readonly words: readonly string[];
  readonly handed: { handed?: Uint8Array };
} {
  const handed = seccompFilter(doors);
  return handed === undefined ? { words: [], handed: {} } : { words: ['--seccomp', '3'], handed: { handed } };
}

/**
 * The visible paths, outer before inner. Nothing is mounted over a link, which bwrap would refuse. `most`: bytes of an
 * empty mount.
 */
export function mountArguments(
  { shown, own, hidden, masked, links }: VisiblePaths,
  { temporary, most }: { readonly temporary?: string | undefined; readonly most?: number } = {},
): readonly string[] {
  const size = most === undefined ? [] : ['--size', String(most)];
  const empty = (path: string): readonly string[] =>
    path === '/tmp' && temporary !== undefined ? ['--bind', temporary, path] : [...size, '--tmpfs', path];
  const places: (readonly [path: string, ...words: string[]])[] = [
    ...shown.map((path) => [path, '--ro-bind', path, path] as const),
    ...[...own, ...hidden].map((path) => [path, ...empty(path)] as const),
    ...masked.map((path) => [path, '--ro-bind', '/dev/null', path] as const),
    ...links.map(([path, target]) => [path, '--symlink', target, path] as const),
  ];
  return [
    ...places.toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, ...words]) => words),
    '--dev',
    '/dev',
    ...size,
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--proc',
    '/proc',
    ...kernelMounts(),
    // There a process could undo that the kernel ends it first.
    '--remount-ro',
    '/proc',
  ];
}

/** The arguments of bwrap that separate a command from the machine; `--json-status-fd` reports its end. */
export function namespaceArguments(network: boolean): readonly string[] {
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
    ...GIVES_ACCOUNT,
  ];
}

/**
 * The arguments of bwrap that hide the machine's part of `/proc`; they follow its `--proc`. Folders and writable files
 * become read-only, because root may change the kernel's settings there even in a cage. Files that only root may read
 * are hidden. Only names are listed: Node fails on a process that ends meanwhile, whose type the kernel no longer
 * gives.
 */
export function kernelMounts(): readonly string[] {
  const all = readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name)) // processes
    .map((name) => join('/proc', name))
    .flatMap((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined || stat.isSymbolicLink()
        ? []
        : [{ path, isFolder: stat.isDirectory(), mode: stat.mode }]; // `self` and what leads there
    });
  const masked = all.filter(({ isFolder, mode }) => !isFolder && (mode & 0o4) === 0);
  const readOnly = all.filter((one) => !masked.includes(one) && (one.isFolder || (one.mode & 0o222) !== 0));
  return [
    ...readOnly.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...masked.flatMap(({ path }) => ['--ro-bind', '/dev/null', path]),
  ];
}
