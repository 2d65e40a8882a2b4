import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in memory in which this run's temporary repositories lie; undefined where they lie on the disk. */
    worlds: string | undefined;
  }
}

const MEMORY = '/dev/shm';
/** What statfs calls a file system that lies in memory. */
const TMPFS = 0x01_02_19_94;
/** Ten times what a whole run was seen to hold at once; a container often has 64 MB in all. */
const ROOM = 4 * 1024 ** 3;
/** What a killed run left lies untouched for so long before the next run takes it away. */
const LEFT_MS = 60 * 60 * 1000;

/**
 * Puts the temporary repositories of a run into memory, where git and SQLite wait for no disk: a run takes two thirds of
 * the time. Where there is no such place, or whoever runs the tests names one (`TMPDIR=/tmp npm test`), they lie there.
 */
export default function worldsInMemory(project: TestProject): (() => void) | undefined {
  removeLeft();
  const folder = process.env['TMPDIR'] === undefined ? roomInMemory() : undefined;
  project.provide('worlds', folder);
  return folder === undefined ? undefined : () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A new folder in memory with room for a run, from which programs may be started; undefined where there is none. */
function roomInMemory(): string | undefined {
  try {
    if (statfsSync(tmpdir()).type === TMPFS) return undefined; // it lies in memory as it is
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || Math.min(bavail * bsize, process.availableMemory()) < ROOM) return undefined;
    const folder = mkdtempSync(join(MEMORY, `andon.${process.pid}.`));
    if (startsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // There is no such place, or nobody may write there.
  }
  return undefined;
}

/** Containers often mount it so that nothing in it can be started. */
function startsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 7\n');
  chmodSync(program, 0o755);
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 7;
}

/** A run that was killed took nothing away; memory is scarcer than a disk. */
function removeLeft(): void {
  try {
    for (const name of readdirSync(MEMORY)) {
      const [, pid] = /^andon\.(\d+)\.\w+$/.exec(name) ?? [];
      const folder = join(MEMORY, name);
      if (pid === undefined || isAlive(Number(pid)) || Date.now() - statSync(folder).mtimeMs < LEFT_MS) continue;
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // There is no such place, or it is somebody else's.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
