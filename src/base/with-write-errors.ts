import { Problem, createUsageError } from './problem.ts';

/** Runs a write; names the file in one sentence when the disk or its permissions refuse. */
export function withWriteErrors<Result>(name: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw describeWriteError(name, error);
  }
}

/** A write error of a named file as a Problem that a user can fix; other errors unchanged. */
function describeWriteError(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  const { code, syscall } = error as Error & { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code !== 'string' || typeof syscall !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error;
  const [why, remedy] = WORDS[code] ?? [code, 'make it a place that can be written, and try again'];
  return createUsageError(`${name} cannot be written: ${why}`, remedy);
}

const WORDS: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  EACCES: ['you may not write there (EACCES)', 'ls -ld shows whose it is; make it writable, and try again'],
  EPERM: ['you may not write there (EPERM)', 'ls -ld shows whose it is; make it writable, and try again'],
  EROFS: ['that disk is read-only (EROFS)', 'mount it writable, and try again'],
  ENOSPC: ['the disk is full (ENOSPC)', 'make room, and try again'],
  EDQUOT: ['your share of the disk is used up (EDQUOT)', 'make room, and try again'],
  ENOTDIR: ['a part of its path is no folder (ENOTDIR)', 'move that file away, and try again'],
  EEXIST: ['something else is there already (EEXIST)', 'move it away, and try again'],
  EISDIR: ['a folder is there (EISDIR)', 'move it away, and try again'],
  ENOENT: ['its folder is gone (ENOENT)', 'make the folder, and try again'],
};
