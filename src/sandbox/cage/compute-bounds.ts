import { totalmem } from 'node:os';
import { computeLimits, type AskedLimits, type CageLimits } from '../cage-limits.ts';
import type { CagedCommand } from '../cage.ts';
import type { Bounds } from '../processes/bounds.ts';
import type { RunProgram } from '../processes/run.ts';
import type { WrittenAmount } from '../processes/usage.ts';
import { readOverlayUsage, type OverlayTarget } from './with-overlay.ts';

const MB = 1024 * 1024;
/** Size of an overlay above the limit: a command that passes the limit is ended before it runs out of space. */
const MORE_BYTES = 1024 * MB;
const MORE_FILES = 100_000;

/** The memory of this machine, or of andon's container. */
function machineMemoryMb(): number {
  const constrained = process.constrainedMemory();
  return Math.floor((constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()) / MB);
}

export const machineLimits = (
  { user, project }: { readonly user: AskedLimits; readonly project: AskedLimits } = { user: {}, project: {} },
): CageLimits => computeLimits(machineMemoryMb(), user, project);

/** The limits as text. */
export function formatLimits(limits: CageLimits, isAside: boolean): string {
  const { memoryMb, processes, diskMb, files, openFiles } = limits;
  if (process.platform !== 'linux') return `open files ${openFiles}; nothing else can be measured on this system`;
  const written = isAside ? 'kept in memory' : 'on the disk, watched; trees are rebuilt';
  return `${memoryMb} MB of memory, ${processes} processes and threads (checked every 0.25 s); ${diskMb} MB and ${files} files written (${written}); ${openFiles} open files`;
}

/** Whether a command's writes fit in memory; otherwise they go to the disk. */
export const fitsInMemory = ({ diskMb }: CageLimits): boolean => diskMb <= machineMemoryMb() / 2;

const moreBytes = (): number => Math.min(MORE_BYTES, Math.floor(machineMemoryMb() / 8) * MB);

/** The overlay for a command's writes. */
export const overlaySize = (tree: string, { diskMb, files }: CageLimits): OverlayTarget => ({
  tree,
  bytes: diskMb * MB + moreBytes(),
  files: files + MORE_FILES,
});

/** The size of other mounts in memory: the write limit, or the memory limit for `setup`, whose tree has no limit. */
export const maxTmpfsBytes = ({ diskMb, memoryMb }: CageLimits, isSetup: boolean): number =>
  (isSetup ? memoryMb : diskMb) * MB + moreBytes();

/** The most segments of System V in a cage. */
const MOST_SEGMENTS = 4096;
const LEAST_SEGMENT = 64 * 1024;

/**
 * The largest segment of System V that a command may make: only the kernel sees one that no process has attached.
 */
export const largestSegment = ({ memoryMb }: CageLimits): number =>
  Math.max(LEAST_SEGMENT, Math.floor((memoryMb * MB) / MOST_SEGMENTS));

/** The limits of a command. `setup` may write freely to its tree, since it installs packages there. */
export function computeBounds(
  run: RunProgram,
  { tree, network, discards }: Pick<CagedCommand, 'tree' | 'network' | 'discards'>,
  limits: CageLimits,
  writes: readonly string[],
): Bounds {
  const isSetup = network;
  const since = `@${(Date.now() - 1000) / 1000}`;
  return {
    memoryBytes: limits.memoryMb * MB,
    processes: limits.processes,
    bytes: isSetup ? Infinity : limits.diskMb * MB,
    files: isSetup ? Infinity : limits.files,
    ...(discards === true
      ? { leftBehind: () => readOverlayUsage(tree) }
      : { onDisk: { folder: tree, written: () => writtenSince(run, since, [tree, ...writes]) } }),
  };
}

/** The size of new files below some folders, as `find` counts them; undefined where `find` fails. */
async function writtenSince(
  run: RunProgram,
  since: string,
  folders: readonly string[],
): Promise<WrittenAmount | undefined> {
  const { exit, stdout } = await run({
    program: 'find',
    args: [...folders, '-xdev', '-newerct', since, '-printf', '%k\n'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    input: '',
    signal: new AbortController().signal,
    hardMs: 60_000,
  });
  const sizes = stdout.split('\n').filter((row) => row !== '');
  if (exit === null || sizes.length === 0) return undefined;
  return { bytes: sizes.reduce((sum, size) => sum + Number(size) * 1024, 0), files: sizes.length };
}
