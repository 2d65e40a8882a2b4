import { z } from 'zod';
import { toSeparatedCase, type InCamelCase } from '../base/letter-case.ts';
import { lazy } from '../base/lazy.ts';
import { optionalKey } from '../base/optional.ts';

/** The program that makes the cage; `none`: commands run outside any. */
export const cageDriverSchema = lazy(() => z.enum(['bubblewrap', 'sandbox-runtime', 'none']));
export type CageDriver = z.infer<ReturnType<typeof cageDriverSchema>>;

/** The limits of a caged command and its descendants; a command that exceeds one is ended and is an ERROR. */
export type CageLimits = Required<AskedLimits>;

/** The requested limits; missing ones are not requested. */
export type AskedLimits = InCamelCase<WrittenLimits>;

const count = (most: number, what: string) => optionalKey(z.int().min(1).max(most), what);

/** `cage.limits`, in the user's configuration and in a repository's, which may only lower them. */
export const limitsSchema = lazy(() =>
  z.strictObject({
    memory_mb: count(
      1 << 24,
      'MB of memory for all its processes together; if not set, at most half of the machine. Default: 4096.',
    ),
    processes: count(1 << 22, 'Processes and threads at a time. Default: 2048.'),
    disk_mb: count(
      1 << 24,
      'MB that it writes; if not set, at most half of the memory, which holds them. Default: 4096.',
    ),
    files: count(1 << 24, 'Files it makes. Default: 150000.'),
    open_files: count(1 << 20, 'Open files of each program. Default: 8192.'),
  }),
);

type WrittenLimits = z.infer<ReturnType<typeof limitsSchema>>;

export const DEFAULT_CAGE_LIMITS: CageLimits = {
  memoryMb: 4096,
  processes: 2048,
  diskMb: 4096,
  files: 150_000,
  openFiles: 8192,
};

/** The user's limits, or andon's for this much memory; lowered where the repository asks for less. */
export function computeLimits(machineMb: number, user: AskedLimits, project: AskedLimits): CageLimits {
  const half = Math.max(64, Math.floor(machineMb / 2));
  const most: CageLimits = {
    ...DEFAULT_CAGE_LIMITS,
    memoryMb: Math.min(DEFAULT_CAGE_LIMITS.memoryMb, half),
    diskMb: Math.min(DEFAULT_CAGE_LIMITS.diskMb, half),
    ...user,
  };
  const least = (key: keyof CageLimits): number => Math.min(most[key], project[key] ?? most[key]);
  return Object.fromEntries(LIMITS.map((key) => [key, least(key)])) as CageLimits;
}

const LIMITS = Object.keys(DEFAULT_CAGE_LIMITS) as (keyof CageLimits)[];

/** A repository may only lower the limits of the cage. */
export const onlyLimits = (cage: unknown): boolean =>
  typeof cage === 'object' && cage !== null && Object.keys(cage).every((key) => key === 'limits');

/** A sentence for each limit that a repository tries to raise. */
export const listRaisedLimits = (
  { user, project }: { readonly user: AskedLimits; readonly project: AskedLimits },
  name: string,
  userName: string,
): readonly string[] =>
  LIMITS.filter((key) => (project[key] ?? 0) > { ...DEFAULT_CAGE_LIMITS, ...user }[key]).map(
    (key) =>
      `${name} asks for more than \`cage.limits.${toSeparatedCase('_', key)}\` allows; a repository may only lower it. Raise it in ${userName}.`,
  );
