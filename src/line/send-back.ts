import type { LineRecord } from '../record/line-record.ts';
import type { BreakerId, Path, ResumeEffect } from '../record/trip.ts';

/** Halts at which something else must be decided before any attempt can go on: the contract, or a gate of the base. */
const UNDECIDED: readonly BreakerId[] = ['contract_tampered', 'base_red'];

/** What a path permits so that the task can go on at all, without any decision about the change. */
const PERMITS = [
  'reviewCycles',
  'stallTries',
  'scopeTries',
  'reportTries',
  'polishRounds',
  'usd',
  'tokens',
  'minutes',
  'mergeAgain',
] as const satisfies readonly (keyof ResumeEffect)[];

/**
 * The third way at a halt: a person sends the change back with comments. It permits what the paths permit, so that the
 * same halt does not follow at once. Undefined without a change.
 */
export function findSendBack({ halt, change }: Pick<LineRecord, 'halt' | 'change'>): Path | undefined {
  if (halt === undefined || change === undefined) return undefined;
  if ([halt.trip, ...halt.also].some(({ breaker }) => UNDECIDED.includes(breaker))) return undefined;
  const effects = halt.paths.map(({ effect }) => effect);
  const permits = Object.fromEntries(
    PERMITS.flatMap((key) => {
      const value = effects.map((effect) => effect[key]).find((one) => one !== undefined);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  // The change conflicts with its target, so no attempt on top of it could be merged.
  const base = effects.map((effect) => effect.base).find((one) => one !== undefined);
  const raise = [permits['usd'], permits['tokens'], permits['minutes']].some((one) => one !== undefined);
  return {
    title: 'Send it back with your comments',
    does: [
      `Your comments are required fixes of the next attempt, which starts from ${base === undefined ? 'this one' : 'the current target branch'}.`,
      raise ? 'The budget is raised by as much as path 1 raises it.' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    effect: {
      to: 'pending_implementer',
      verdict: 'FAIL',
      ...permits,
      ...(base === undefined ? {} : { base, fresh: true }),
    },
  };
}
