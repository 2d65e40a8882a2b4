import { readProcessStat } from '../../src/sandbox/processes/proc.ts';
import { aFactory, eventually, type Factory, type Options, type Watchdog } from './factory.ts';

/** A daemon that stands still at every hit of a failpoint, and is continued where nothing is to happen. */
export interface SlowDisk {
  readonly factory: Factory;
  /** Until the daemon watches. */
  readonly watches: () => Promise<Watchdog>;
  /** Until the daemon stands at a hit of the failpoint at which this is so. */
  readonly reach: (isPlace: (pid: number) => boolean) => Promise<void>;
  /** Through every further stop, until something is so. */
  readonly letGo: (isSo: () => boolean, what: string) => Promise<void>;
}

/** Starts such a daemon; what a test does while it stands happens in the middle of what the daemon does. */
export async function aSlowDisk(failpoint: string, options: Options = {}): Promise<SlowDisk> {
  const factory = await aFactory({ apart: true, ...options });
  factory.env['ANDON_FAILPOINT'] = `${failpoint}:stop#1-`;
  let dog: Watchdog | undefined;
  const stopped = (): number | undefined =>
    factory.processes().find(({ pid }) => readProcessStat(pid)?.state === 'T')?.pid;
  const stepTo = (isSo: (pid: number | undefined) => boolean, what: string): Promise<void> =>
    eventually(() => {
      const pid = stopped();
      if (isSo(pid)) return true;
      if (pid !== undefined) process.kill(pid, 'SIGCONT');
      return false;
    }, what);
  const starting = factory.watch().then((started) => (dog = started));
  return {
    factory,
    async watches() {
      await stepTo(() => dog !== undefined, 'the daemon watches');
      return starting;
    },
    reach: (isPlace) => stepTo((pid) => pid !== undefined && isPlace(pid), `the daemon stands at that ${failpoint}`),
    letGo: stepTo,
  };
}
