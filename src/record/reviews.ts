import type { Facts } from './facts.ts';
import type { JudgeReport, LocalReview } from './review.ts';

/** The id of a role, or of a profile where several review at one station. */
interface By<Station> {
  readonly reviewer: string;
  readonly station: Station;
}
type Local = LocalReview & By<'local-reviewer'>;
type Judged = JudgeReport & By<'judge'>;

export type StoredReview = Local | Judged;

/** Every query about reviews is here, so that readers need no knowledge of panels. */
interface Reviewed {
  readonly reviews: readonly StoredReview[];
}

export function listReviews({ review, report }: Facts): readonly StoredReview[] {
  return [
    ...(review === undefined ? [] : [by('local-reviewer', review)]),
    ...(report === undefined ? [] : [by('judge', report)]),
  ];
}

const by = <Said extends { readonly reviewer?: string | undefined }, Station extends string>(
  station: Station,
  said: Said,
): Said & By<Station> => ({ ...said, reviewer: said.reviewer ?? station, station });

/** Merges newer reviews: only the last of each reviewer counts, in the place of its first. */
export const withReviews = (before: readonly StoredReview[], now: readonly StoredReview[]): readonly StoredReview[] => [
  ...before.map((old) => now.find((one) => isBySame(one, old)) ?? old),
  ...now.filter((one) => !before.some((old) => isBySame(one, old))),
];

const isBySame = (one: StoredReview, other: StoredReview): boolean =>
  one.station === other.station && one.reviewer === other.reviewer;

export const isJudgeReview = (review: StoredReview): review is Judged => review.station === 'judge';

/** The combined local review: a finding of one is a finding of all; undefined before a review. */
export function getLocalReview({ reviews }: Reviewed): LocalReview | undefined {
  const local = reviews.filter((review) => !isJudgeReview(review));
  const last = local.at(-1);
  if (last === undefined) return undefined;
  return {
    tree: last.tree,
    verdict: local.some(({ verdict }) => verdict === 'FAIL') ? 'FAIL' : 'PASS',
    critical: local.some(({ critical }) => critical),
    findings: local.flatMap(({ findings }) => findings),
  };
}

/** The report to decide on: the strictest of several; undefined before one. */
export function getJudgeReport({ reviews }: Reviewed): JudgeReport | undefined {
  const judged = reviews.filter(isJudgeReview);
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

/** A reviewer's findings: all of a local review, the blocking ones of a report. */
export const listReviewFindings = (review: StoredReview): Local['findings'] =>
  isJudgeReview(review) ? review.blocking : review.findings;
