import { z } from 'zod';
import { closed } from './shape.ts';

/** How a gate can be changed instead of met. */
const BENDS = [
  'gate_changed',
  'tests_lost',
  'assertions_lost',
  'skipped',
  'only',
  'cannot_fail',
  'snapshots_rewritten',
  'uncountable',
  'fewer_run',
  'tests_broken',
] as const;

/** One measured weakening of a change's own checks. */
const bendSchema = closed(() => ({
  kind: z.enum(BENDS),
  what: z.string().describe('The fact in one sentence, with its figures.'),
  files: z.array(z.string()),
  tests: z
    .array(z.string())
    .optional()
    .describe('Tests of the base that fail on the changed product, by name, where the runner names them.'),
  output: z.string().optional().describe('The failing part of what the gate printed.'),
  awaits: z
    .literal('judge')
    .optional()
    .describe('The judge may tie it to a requirement; what it does not tie goes back.'),
  mark: z.string().describe('SHA-256 of kind, files and their blobs before and after: consent is bound to it.'),
  consent: z
    .enum(['contract', 'you', 'your commits', 'judge'])
    .optional()
    .describe('Who allows it; without consent it goes back.'),
}));
export type Bend = z.infer<ReturnType<typeof bendSchema>>;

/** Tests, assertions and skips in the files of a change. */
const countsSchema = closed(() => ({ tests: z.int(), assertions: z.int(), skipped: z.int() }));
export type TestCounts = z.infer<ReturnType<typeof countsSchema>>;

/** What a change does to its gates and tests. */
export const gateBendingSchema = closed(() => ({
  tree: z.string(),
  bends: z.array(bendSchema()),
  notes: z.array(z.string()).describe('What is no loss, and what a judge should know all the same.'),
  before: countsSchema(),
  after: countsSchema(),
  secondLook: z
    .union([z.literal('off'), z.strictObject({ ms: z.int(), later: z.array(z.string()) })])
    .optional()
    .describe(
      'What asking gates a second time took, and which slow ones are asked right before the merge; off: the user switched it off.',
    ),
}));
export type GateBending = z.infer<ReturnType<typeof gateBendingSchema>>;

const NONE: TestCounts = { tests: 0, assertions: 0, skipped: 0 };
export const UNMEASURED: GateBending = { tree: '', bends: [], notes: [], before: NONE, after: NONE };

/** Weakenings without consent that need no ruling of the judge. */
export const unallowed = (bending: GateBending | undefined): readonly Bend[] =>
  (bending?.bends ?? []).filter(({ consent, awaits }) => consent === undefined && awaits === undefined);

/** Broken tests of the base that the judge has not tied to a requirement. */
export const awaitingJudge = (bending: GateBending | undefined): readonly Bend[] =>
  (bending?.bends ?? []).filter(({ consent, awaits }) => consent === undefined && awaits === 'judge');

/** Broken tests that the judge left untied, as a weakening without consent. */
export const withoutWaiting = (bending: GateBending): GateBending => ({
  ...bending,
  bends: bending.bends.map(({ awaits: _awaits, ...bend }) => bend),
});

/** The facts as text for reviewer, judge and people; undefined when the change leaves gates and tests alone. */
export function bendingInWords(bending: GateBending | undefined): string | undefined {
  if (bending === undefined) return undefined;
  const { bends, notes, before, after } = bending;
  const isTouched = bends.length > 0 || notes.length > 0 || before.tests + after.tests > 0;
  if (!isTouched) return undefined;
  const counted = `Measured by andon in the files that the change touches: tests ${before.tests} before, ${after.tests} after; assertions ${before.assertions}, ${after.assertions}; skipped tests ${before.skipped}, ${after.skipped}.`;
  return [counted, ...bends.map((bend) => `- ${bendInWords(bend)}`), ...notes.map((note) => `- note: ${note}`)].join(
    '\n',
  );
}

/** One fact, with its consent. */
export const bendInWords = ({ kind, what, consent }: Bend): string =>
  `${kind}: ${what}${consent === undefined ? '' : ` (allowed by ${ALLOWED_BY[consent]})`}`;

const ALLOWED_BY = {
  contract: 'the contract',
  you: 'the human in charge, at a halt',
  'your commits': 'the human who committed it',
  judge: 'the judge, who ties it to a requirement',
} as const;
