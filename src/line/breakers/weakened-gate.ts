import type { GateTampering } from '../../record/gate-tampering.ts';
import { unallowed } from '../../record/gate-tampering.ts';
import type { Breaker } from './breaker.ts';

/** A change must not weaken its own checks: the first time it goes back, the second time a person decides. */
export const weakenedGate: Breaker<'weakened_gate'> = {
  id: 'weakened_gate',
  reach: 'task',
  question: 'Did a change weaken its gates or tests again, without consent, after it had been sent back for that?',
  check(record) {
    const bends = unallowed(record.lastFacts.bending);
    if (bends.length === 0 || record.weakenings <= 1) return undefined;
    return {
      breaker: 'weakened_gate',
      reason: `weakens what decides about it, the ${ordinal(record.weakenings)} time: ${inWords(bends)}`,
      sides: [
        { who: 'implementer', says: record.change?.notes.trim() || 'The change speaks for itself (no notes).' },
        { who: 'gates and tests', says: bends.map(({ kind, what }) => `${kind}: ${what}`).join('\n') },
      ],
    };
  },
  paths(_trip, record) {
    const bends = unallowed(record.lastFacts.bending);
    return [
      {
        title: 'Take those edits back and retry',
        does: `The attempt is set aside (refs/andon/ keeps it); the implementer starts from the target branch again, where ${files(bends)} are whole, with the instruction to keep the checks as strong.`,
        effect: {
          to: 'pending_implementer',
          fresh: true,
          say: `Your last attempts were thrown away because they weakened tests or gates: ${inWords(bends)}. Solve the task with every test and check as strong as on the target branch.`,
        },
      },
      {
        title: 'Allow exactly these',
        does: `The change goes on to its gates with these ${bends.length === 1 ? 'fact' : `${bends.length} facts`}, which the journal and a trailer of the merge record; any other weakening trips again.`,
        effect: { to: 'pending_implementer', onlyGates: true, allowWeakened: bends.map(({ mark }) => mark) },
      },
    ];
  },
};

const inWords = (bends: readonly GateTampering[]): string => bends.map(({ what }) => what).join('; ');
const files = (bends: readonly GateTampering[]): string => [...new Set(bends.flatMap((bend) => bend.files))].join(', ');
const ordinal = (count: number): string => (count === 2 ? 'second' : count === 3 ? 'third' : `${count}th`);
