import type { Facts } from './facts.ts';
import type { JudgeReport, LocalReview } from './review.ts';

/** Who said it: the id of a role, or of a profile where several review at one station. */
interface By<Station> {
  readonly reviewer: string;
  readonly station: Station;
}
type Local = LocalReview & By<'local-reviewer'>;
type Judged = JudgeReport & By<'judge'>;

/** What one reviewer says of one tree. */
export type Review = Local | Judged;

/** The reviews of a record; everything that is asked of them is asked here, so that a panel is no concern of readers. */
interface Reviewed {
  readonly reviews: readonly Review[];
}

/** What a step brought of reviews, by whom and at which station. */
export function reviewsIn({ review, report }: Facts): readonly Review[] {
  return [
    ...(review === undefined ? [] : [by('local-reviewer', review)]),
    ...(report === undefined ? [] : [by('judge', report)]),
  ];
}

const by = <Said extends { readonly reviewer?: string | undefined }, Station extends string>(
  station: Station,
  said: Said,
): Said & By<Station> => ({ ...said, reviewer: said.reviewer ?? station, station });

/** The reviews with newer ones: of each reviewer only the last word counts, in the place of his first. */
export const withReviews = (before: readonly Review[], now: readonly Review[]): readonly Review[] => [
  ...before.map((old) => now.find((one) => isBySame(one, old)) ?? old),
  ...now.filter((one) => !before.some((old) => isBySame(one, old))),
];

const isBySame = (one: Review, other: Review): boolean =>
  one.station === other.station && one.reviewer === other.reviewer;

/** Whether what a reviewer says is a judge's report. */
export const isJudged = (review: Review): review is Judged => review.station === 'judge';

/** What the local reviewers say together: what one of them holds against the change, all do; undefined before a review. */
export function localReview({ reviews }: Reviewed): LocalReview | undefined {
  const local = reviews.filter((review) => !isJudged(review));
  const last = local.at(-1);
  if (last === undefined) return undefined;
  return {
    tree: last.tree,
    verdict: local.some(({ verdict }) => verdict === 'FAIL') ? 'FAIL' : 'PASS',
    critical: local.some(({ critical }) => critical),
    findings: local.flatMap(({ findings }) => findings),
  };
}

/** The judge's report that is decided on: of several the strictest; undefined before one. */
export function judgeReport({ reviews }: Reviewed): JudgeReport | undefined {
  const judged = reviews.filter(isJudged);
  return STRICTEST_FIRST.map((verdict) => judged.find((report) => report.verdict === verdict)).find(
    (report) => report !== undefined,
  );
}

const STRICTEST_FIRST = [
  'CRITICAL_HALT',
  'FAIL',
  'NEEDS_REVIEW',
  'CONDITIONAL',
  'PASS',
] as const satisfies readonly JudgeReport['verdict'][];

/** What a reviewer found: everything of a local review, what blocks of a report. */
export const foundBy = (review: Review): Local['findings'] => (isJudged(review) ? review.blocking : review.findings);
