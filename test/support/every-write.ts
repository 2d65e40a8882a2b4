import type { LineServices } from '../../src/line/services/services.ts';

/** One effect on the disk: which, and whether it is about to be done or has just been. */
export type Effect = (what: string, side: 'before' | 'after') => void;

const PAPERS = ['write', 'append', 'rename', 'renameToFree', 'remove', 'take', 'takeIn', 'prepare'] as const;
const STATE = ['desk', 'empty', 'keepCall', 'keepReceived', 'forgetReceived', 'keepBaseRun', 'tidy'] as const;

/**
 * A world that tells of every write of a paper in `_handoff/` and of every one to the state disk; what `effect` throws is
 * what the disk says. A row of the journal is written or it is not: there is no moment after it that could fail.
 */
export function tellingOfWrites(services: LineServices, effect: Effect): LineServices {
  const { journal } = services;
  return {
    ...services,
    handoff: told(services.handoff, PAPERS, effect),
    folders: told(services.folders, STATE, effect),
    journal: {
      ...journal,
      append(taskId, entries) {
        effect(`journal ${entries.map(({ kind }) => kind).join(' ')}`, 'before');
        return journal.append(taskId, entries);
      },
    },
  };
}

function told<Port extends object>(port: Port, names: readonly (keyof Port & string)[], effect: Effect): Port {
  const wrapped = names.map((name) => {
    const write = port[name] as (...args: unknown[]) => unknown;
    const telling = (...args: unknown[]): unknown => {
      const what = [name, ...args.filter((arg) => typeof arg === 'string' && arg.length < 80)].join(' ');
      effect(what, 'before');
      const done = write.apply(port, args);
      effect(what, 'after');
      return done;
    };
    return [name, telling] as const;
  });
  return { ...port, ...(Object.fromEntries(wrapped) as Partial<Port>) };
}
