import type { Handoff } from '../ports/handoff.ts';
import type { Queue } from '../ports/queue.ts';
import type { Repository } from '../ports/repository.ts';
import type { Services } from './services.ts';

/** What changes something in the project: its papers, and its git. */
const WRITES = [
  'prepare',
  'write',
  'append',
  'rename',
  'renameToFree',
  'remove',
  'take',
  'takeIn',
  'removeBeside',
  'removeAside',
] as const;
const TAKES = ['claim', 'release', 'withdraw'] as const;
const MOVES = ['publish', 'restore', 'removeRef', 'land', 'repair'] as const;

type Writes = (typeof WRITES)[number];
type Moves = (typeof MOVES)[number];

/**
 * The world of a repository in which nothing is done to another one: before every single effect it is asked whether the
 * repository still lies where it was found. The journal is andon's own and takes what was received all the same.
 */
export function onlyHere(services: Services, mustBeHere: () => void): Services {
  const handoff: Handoff = { ...services.handoff, ...asking<Handoff, Writes>(services.handoff, WRITES, mustBeHere) };
  const queue: Queue = {
    ...services.queue,
    ...asking<Queue, (typeof TAKES)[number]>(services.queue, TAKES, mustBeHere),
  };
  const repository: Repository = {
    ...services.repository,
    ...asking<Repository, Moves>(services.repository, MOVES, mustBeHere),
  };
  return { ...services, handoff, queue, repository, mustBeHere };
}

/** The same functions, each of which asks first. */
function asking<Port, Name extends keyof Port>(port: Port, names: readonly Name[], ask: () => void): Pick<Port, Name> {
  const entries = names.map((name) => {
    const act = port[name] as (...args: readonly unknown[]) => unknown;
    return [
      name,
      (...args: readonly unknown[]): unknown => {
        ask();
        return act(...args);
      },
    ] as const;
  });
  return Object.fromEntries(entries) as unknown as Pick<Port, Name>;
}
