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
  'removeArchived',
] as const;
const TAKES = ['claim', 'release', 'withdraw'] as const;
const MOVES = ['publish', 'restore', 'removeRef', 'land', 'repair'] as const;

/**
 * The world of a repository in which nothing is done to another one: before every single effect it is asked whether the
 * repository is still at its path. The journal is andon's own and accepts entries all the same.
 */
export function guardRepository(services: Services, mustBeHere: () => void): Services {
  return {
    ...services,
    handoff: asking(services.handoff, WRITES, mustBeHere),
    queue: asking(services.queue, TAKES, mustBeHere),
    repository: asking(services.repository, MOVES, mustBeHere),
    mustBeHere,
  };
}

/** The same port, in which each of these functions asks first. */
function asking<Port extends object>(port: Port, names: readonly (keyof Port)[], ask: () => void): Port {
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
  return { ...port, ...Object.fromEntries(entries) };
}
