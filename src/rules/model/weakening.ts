import { z } from 'zod';
import { closedObject } from '../../base/shape.ts';

/** Ways to weaken a gate. `cannot_fail` and `snapshots_rewritten` are in older journals only. */
const WEAKENING_KINDS = [
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

/** One way in which a change weakens what decides about it, as code measured it. */
const weakeningSchema = closedObject(() => ({
  kind: z.enum(WEAKENING_KINDS),
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
export type Weakening = z.infer<ReturnType<typeof weakeningSchema>>;

/** Tests and skip marks in the files that a change touches; older journals count assertions as well. */
const countsSchema = closedObject(() => ({ tests: z.int(), assertions: z.int().optional(), skipped: z.int() }));
export type TestCounts = z.infer<ReturnType<typeof countsSchema>>;

export const weakeningReportSchema = closedObject(() => ({
  tree: z.string(),
  weakenings: z.array(weakeningSchema()),
  notes: z.array(z.string()).describe('What is no loss, and what a judge should know all the same.'),
  before: countsSchema(),
  after: countsSchema(),
  secondLook: z
    .union([z.literal('off'), z.strictObject({ ms: z.int(), later: z.array(z.string()) })])
    .optional()
    .describe(
      'What running gates again took, and which slow ones run right before the merge; off: the user switched it off.',
    ),
}));
export type WeakeningReport = z.infer<ReturnType<typeof weakeningReportSchema>>;

const NONE: TestCounts = { tests: 0, skipped: 0 };
export const UNMEASURED: WeakeningReport = { tree: '', weakenings: [], notes: [], before: NONE, after: NONE };

/** Weakenings without consent that does not wait for the judge. */
export const unallowed = (report: WeakeningReport | undefined): readonly Weakening[] =>
  (report?.weakenings ?? []).filter(({ consent, awaits }) => consent === undefined && awaits === undefined);

/** The tests of the base that a change breaks, as long as the judge has not tied them to a requirement. */
export const awaitingJudge = (report: WeakeningReport | undefined): readonly Weakening[] =>
  (report?.weakenings ?? []).filter(({ consent, awaits }) => consent === undefined && awaits === 'judge');

/** The report after a judgement: broken tests that the judge did not tie to a requirement no longer wait for it. */
export const withoutWaiting = (report: WeakeningReport): WeakeningReport => ({
  ...report,
  weakenings: report.weakenings.map(({ awaits: _awaits, ...one }) => one),
});

/** The facts as text for reviewer, judge and people; undefined when the change leaves gates and tests alone. */
export function describeWeakeningReport(report: WeakeningReport | undefined): string | undefined {
  if (report === undefined) return undefined;
  const { weakenings, notes, before, after } = report;
  const isTouched = weakenings.length > 0 || notes.length > 0 || before.tests + after.tests > 0;
  if (!isTouched) return undefined;
  const counted = `Counted by andon in the files that the change touches: tests ${before.tests} before, ${after.tests} after; skipped tests ${before.skipped}, ${after.skipped}.`;
  return [
    counted,
    ...weakenings.map((one) => `- ${describeWeakening(one)}`),
    ...notes.map((note) => `- note: ${note}`),
  ].join('\n');
}

/** One fact, and who allowed it. */
export const describeWeakening = ({ kind, what, consent }: Weakening): string =>
  `${kind}: ${what}${consent === undefined ? '' : ` (allowed by ${ALLOWED_BY[consent]})`}`;

const ALLOWED_BY = {
  contract: 'the contract',
  you: 'the human in charge, at a halt',
  'your commits': 'the human who committed it',
  judge: 'the judge, who ties it to a requirement',
} as const;
