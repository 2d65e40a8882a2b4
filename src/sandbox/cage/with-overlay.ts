import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RunProgram } from '../processes/run.ts';
import type { WrittenAmount } from '../processes/usage.ts';
import type { StartCommand } from './run-shell.ts';
import { findOnPath } from './resolve-path.ts';

/** A way to mount an overlay on this machine. */
export interface OverlaySupport {
  readonly unshare: readonly string[];
  /** Further options of the overlay. */
  readonly options: string;
  /** The command that drops the rights needed for the mount. */
  readonly drop: readonly string[];
  readonly mount: string;
}

/** A tree, and the limits of its overlay. */
export interface OverlayTarget extends WrittenAmount {
  readonly tree: string;
}

/**
 * Starts a program in an overlay: it can change the tree, and the tree stays unchanged. Its writes go to a file system
 * of limited size in memory, mounted over the tree's path, and disappear with its last process. `temporaryFolder` is a folder
 * of the same file system.
 */
export function withOverlay(
  way: OverlaySupport,
  { tree, bytes, files }: OverlayTarget,
  start: StartCommand,
): StartCommand {
  const { place, facts } = overlayPaths(tree);
  const [program = '', ...rest] = way.unshare;
  const places = [way.mount, tree, place, facts, String(bytes), String(files), way.options];
  const args = [...rest, '/bin/sh', '-c', LAY_ASIDE, 'sh', ...places, ...way.drop, start.program, ...start.args];
  return { ...start, program, args };
}

/** An empty folder for temporary files, on the same file system. */
export const temporaryFolder = (tree: string): string => join(overlayPaths(tree).place, 'tmp');

/** What the overlay held when the program ended; undefined where it was never mounted, or every process was killed. */
export function readOverlayUsage(tree: string): WrittenAmount | undefined {
  const { facts } = overlayPaths(tree);
  if (!existsSync(facts)) return undefined;
  const [block = 0, blocks = 0, free = 0, inodes = 0, freeInodes = 0] = readFileSync(facts, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return { bytes: (blocks - free) * block, files: inodes - freeInodes };
}

/** The first way that works for the current user: as root, or as root of a user namespace. */
export async function findOverlaySupport(
  run: RunProgram,
  path: string | undefined,
): Promise<OverlaySupport | undefined> {
  if (process.platform !== 'linux') return undefined;
  const places = [path ?? '', '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(delimiter);
  const [unshare, mount, setpriv] = ['unshare', 'mount', 'setpriv'].map((name) => findOnPath(name, places));
  if (unshare === undefined || mount === undefined || setpriv === undefined) return undefined;
  const dies = [setpriv, '--pdeathsig', 'KILL', '--'];
  const drop = [setpriv, '--inh-caps=-all', '--ambient-caps=-all', '--'];
  const asRoot = [unshare, '--mount', '--', ...dies];
  const asUser = [unshare, '--map-current-user', '--keep-caps', '--mount', '--', ...dies];
  const ways: readonly OverlaySupport[] = [
    { unshare: asRoot, options: '', drop: [], mount },
    { unshare: asRoot, options: ',userxattr', drop: [], mount },
    { unshare: asUser, options: ',userxattr', drop, mount },
  ];
  for (const way of ways) if (await works(run, way)) return way;
  return undefined;
}

/** A user namespace has only the user's own group: files of another one could not be changed there. */
export const supportsOverlay = (way: OverlaySupport, folder: string): boolean =>
  way.drop.length === 0 || statSync(folder).gid === process.getgid?.();

/** Mounts (by plain names, because a path may hold a comma), runs, and reports the usage. */
const LAY_ASIDE = `mount=$1 tree=$2 place=$3 facts=$4 bytes=$5 files=$6 options=$7; shift 7
rm -f "$facts" && mkdir -p "$place" && "$mount" -t tmpfs -o "size=$bytes,nr_inodes=$files,mode=0700" andon "$place" &&
cd "$place" && mkdir tree upper work tmp && chmod 1777 tmp && "$mount" --bind "$tree" tree &&
"$mount" -t overlay -o "lowerdir=tree,upperdir=upper,workdir=work$options" andon "$tree" && cd / && unset OLDPWD || exit 125
"$@"
code=$?
stat -f -c '%S %b %f %c %d' "$place" > "$facts"
exit $code`;

/** What a gate may do to a tree: write, remove, and recreate. */
const TRY = 'cd "$1" && echo b > in/file && rm -r in && mkdir in && echo c > in/new && ! test -e in/file';

async function works(run: RunProgram, way: OverlaySupport): Promise<boolean> {
  const folder = join(realpathSync(tmpdir()), `andon-aside-${randomUUID()}`);
  const tree = join(folder, 'tree');
  const { program, args } = withOverlay(
    way,
    { tree, bytes: 1_000_000, files: 100 },
    { program: '/bin/sh', args: ['-c', TRY, 'sh', tree], cwd: '/', env: {} },
  );
  try {
    const ending = await run({
      program: '/bin/sh',
      args: ['-c', 'umask 077; mkdir -p "$1/in" && shift && exec "$@"', 'sh', tree, program, ...args],
      cwd: '/',
      env: {},
      input: '',
      signal: new AbortController().signal,
      hardMs: 10_000,
    });
    return ending.exit === 0 && readOverlayUsage(tree) !== undefined && readdirSync(join(tree, 'in')).length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const overlayPaths = (tree: string) => ({
  place: join(`${tree}.aside`, 'place'),
  facts: join(`${tree}.aside`, 'facts'),
});
