import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './negation.json' with { type: 'json' };

/**
 * How a cue bears on the words in its scope: `not` denies them, `avoid` denies them up to the means (`by`, `with`),
 * `remove` takes a thing away, `swap` puts another in its place, `skip` leaves a practice undone, `later` postpones it,
 * `mend` repairs a fault.
 */
const KINDS = ['not', 'avoid', 'remove', 'swap', 'skip', 'mend', 'later', 'none'] as const;
export type CueKind = (typeof KINDS)[number];

const SIDES = ['right', 'left', 'both', 'inside', 'none'] as const;

/** A cue, and on which side of it its scope is; a cue of the kind `none` only looks like one. */
export interface Cue {
  readonly kind: CueKind;
  readonly side: (typeof SIDES)[number];
}

/** A stretch of text that a cue bears on, by character offsets, and where the cue itself is. */
export interface NegationScope {
  readonly kind: CueKind;
  readonly cue: string;
  readonly from: number;
  readonly to: number;
  readonly cueFrom: number;
  readonly cueTo: number;
}

const words = z.string().transform((listed): ReadonlySet<string> => new Set(listed.split(' ')));

const ENGLISH = loadTable(
  'src/rules/text/negation.json',
  z.strictObject({
    cues: z.record(z.templateLiteral([z.enum(KINDS), ' ', z.enum(SIDES)]), z.string()),
    stops: words,
    clause_starts: words,
    object_ends: words,
    means: words,
    step_verbs: words,
    finite: words,
    be: words,
    hedges: words,
    qualifiers: words,
    guards: words,
  }),
  data,
);

/** English cues, each phrase by its stems; `~` is up to three words. */
export const CUES: readonly (readonly [phrase: string, cue: Cue])[] = Object.entries(ENGLISH.cues).flatMap(
  ([key, phrases]) => {
    const [kind, side] = key.split(' ') as [CueKind, Cue['side']];
    return phrases.split(', ').map((phrase) => [phrase, { kind, side }] as const);
  },
);

export const {
  /** Words at which every scope ends. */
  stops: STOPS,
  /** Words that begin a subordinate clause: a scope to the left reaches no further. */
  clause_starts: CLAUSE_STARTS,
  /** Prepositions that end the object of a verb. */
  object_ends: OBJECT_ENDS,
  /** Words that name the means by which something is avoided. */
  means: MEANS,
  /** Words that begin a new step of a plan after a comma or `and`. */
  step_verbs: STEP_VERBS,
  /** Verb forms that show that a stretch of words is a clause. */
  finite: FINITE,
  /** Verbs after which a participle speaks of the words before it. */
  be: BE,
  /** Words that show that a sentence is no plan but a thought or a report. */
  hedges: HEDGES,
  /** Words that narrow a ban: a plan without them may be no violation. */
  qualifiers: QUALIFIERS,
  /** Verbs of a guard: a sentence about one does not plan what the guard finds. */
  guards: GUARDS,
} = ENGLISH;
