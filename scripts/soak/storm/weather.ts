import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Crew } from './crew.ts';
import type { Seeded } from './seeded.ts';
import type { User } from './user.ts';

/** What may happen at any moment. */
export const EVENTS = ['kill', 'stop and continue', 'full disk', 'edit', 'edit in the way', 'moved target'] as const;
export type Event = (typeof EVENTS)[number];

/** Everything that an event can happen to. */
export interface Scene {
  readonly crews: readonly Crew[];
  readonly users: readonly User[];
  readonly seeded: Seeded;
  /** The disk that holds everything; undefined where none of our own can be mounted. */
  readonly disk: string | undefined;
  readonly violate: (what: string) => void;
}

/** Makes one event happen; false when it could not. */
export async function strike(event: Event, { crews, users, seeded, disk, violate }: Scene): Promise<boolean> {
  const crew = seeded.pick(crews);
  const user = seeded.pick(users);
  switch (event) {
    case 'kill':
      await crew.killAndStart();
      return true;
    case 'stop and continue':
      crew.signal('SIGSTOP');
      await sleep(100 + seeded.below(2000));
      crew.signal('SIGCONT');
      return true;
    case 'full disk':
      if (disk === undefined) return false;
      await fill(join(disk, 'filler'), 200 + seeded.below(1500));
      return true;
    case 'edit':
      return user.edit();
    case 'edit in the way': {
      const lost = await user.standInTheWay();
      if (lost !== undefined) violate(lost);
      return true;
    }
    case 'moved target':
      return user.commit();
  }
}

/** Takes every byte again and again, also what others give back. */
async function fill(file: string, ms: number): Promise<void> {
  const filler = openSync(file, 'a');
  for (const end = performance.now() + ms; performance.now() < end;) {
    for (const size of [1_048_576, 65_536, 4096, 1])
      try {
        for (;;) writeSync(filler, Buffer.alloc(size));
      } catch {
        // No more of this size.
      }
    await sleep(10);
  }
  closeSync(filler);
  rmSync(file, { force: true });
}
