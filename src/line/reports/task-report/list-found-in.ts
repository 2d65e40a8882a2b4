import type { RoundFacts } from './list-rounds.ts';

/** A finding with the station that made it. */
export type FoundAt = RoundFacts['others'][number] & { readonly who: string };

/** What was found in the change of one attempt. */
export const listFoundIn = (rounds: readonly RoundFacts[], attempt: number): readonly FoundAt[] =>
  rounds
    .filter((round) => round.attempt === attempt)
    .flatMap(({ by, blocking, others }) => [...blocking, ...others].map((one) => ({ ...one, who: by })));

/** `judge, high src/a.ts:3: it is wrong (fix: do that)`. */
export const formatFoundAt = ({ who, severity, description, fix }: FoundAt, place = ''): string =>
  `${who}, ${severity}${place === '' ? '' : ` ${place}`}: ${description}${fix === undefined ? '' : ` (fix: ${fix})`}`;
