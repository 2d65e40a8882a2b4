import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import data from './negation-english.json' with { type: 'json' };

/**
 * How a cue bears on what it governs: `not` denies it, `avoid` denies it up to the means (`by`, `with`), `remove` takes
 * it away, `skip` leaves it undone, `later` puts it off, `mend` repairs it (a fault is gone, a virtue is not), `subject` says of it that something is not so.
 */
const KINDS = ['not', 'avoid', 'remove', 'skip', 'later', 'mend', 'subject'] as const;
export type CueKind = (typeof KINDS)[number];

const SIDES = ['right', 'left', 'both', 'next', 'none'] as const;

/** A cue and on which side of it stands what it governs; `next` is the next word, `none` only looks like one. */
export interface Cue {
  readonly kind: CueKind;
  readonly side: (typeof SIDES)[number];
}

/** A stretch of text that a cue denies, removes or puts off, by character offsets. */
export interface Scope {
  readonly kind: CueKind;
  readonly cue: string;
  readonly from: number;
  readonly to: number;
  /** Where the cue itself stands. */
  readonly cueFrom: number;
  readonly cueTo: number;
}

const phrases = z.array(z.string().min(1)).describe('a list of words or phrases');
const words = phrases.transform((listed): ReadonlySet<string> => new Set(listed));

/** What English is read by. */
const ENGLISH = tableOf(
  'src/rules/text/negation-english.json',
  z.strictObject({
    cues: z.array(z.strictObject({ kind: z.enum(KINDS), side: z.enum(SIDES), phrases })),
    stops: words,
    clause_starts: words,
    object_ends: words,
    means: words,
    step_verbs: words,
    finite: words,
    be: words,
    adverbs: words,
  }),
  data,
);

/** English cues, each phrase by its stems; the longest phrase counts. */
export const ENGLISH_CUES: readonly (readonly [phrase: string, cue: Cue])[] = ENGLISH.cues.flatMap(
  ({ kind, side, phrases }) => phrases.map((phrase) => [phrase, { kind, side }] as const),
);

export const {
  /** Words at which what a cue governs ends. */
  stops: STOPS,
  /** Words that begin a clause within a clause: what stands before a cue is sought no further back. */
  clause_starts: CLAUSE_STARTS,
  /** Prepositions that end what is removed, skipped or mended: its object has been named. */
  object_ends: OBJECT_ENDS,
  /** Words that name the means by which something is avoided. */
  means: MEANS,
  /** Verbs with which developers begin a new step of a plan; after a comma or `and` they begin a clause. */
  step_verbs: STEP_VERBS,
  /** Verb forms that show that a stretch of words is a clause of its own. */
  finite: FINITE,
  /** Forms of `be` and verbs like it, after which a participle speaks of what stands before. */
  be: BE,
  /** Words that may stand between such a verb and its participle. */
  adverbs: ADVERBS,
} = ENGLISH;
