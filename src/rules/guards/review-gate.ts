import type { MessageSettings } from '../../project/config/message-settings.ts';
import { wrongCitations } from './named-files.ts';
import { evidenceIn, joinEvidence, type ReviewEvidence } from './review-evidence.ts';
import { blankSpans, type TextSpan } from './message-words.ts';
import { withoutHidden } from '../text/words.ts';
import { readProse, splitProse, type Prose } from './prose.ts';
import { compareWithRecords, type ReviewRecords } from './review-records.ts';
import { readJsonReview } from './json-review.ts';
import { approvalsIn } from './verdict.ts';

export interface ReviewCheck {
  readonly isApproval: boolean;
  /** Whether it goes on: no approval, or one with evidence. */
  readonly accepted: boolean;
  readonly evidence: ReviewEvidence;
  /** Why an approval does not count, a sentence each. */
  readonly against: readonly string[];
  readonly crossCheckedWith: 'records' | 'text alone';
  /** The approving words, in UTF-16 units of the text `withoutHidden`. */
  readonly approvals: readonly TextSpan[];
}

export const APPROVE_REFUSED = '[SYSTEM] APPROVE rejected: no verification evidence. Run tests or show diff.';
export const DOWNGRADED = 'APPROVE downgraded to NEEDS_REVIEW (no evidence after 2 retries)';

/**
 * Whether a review may go on. An approval needs evidence that is affirmative, already seen and of this change. Records
 * decide where they are given; text alone then proves nothing. A review without a verdict approves of nothing.
 */
export function checkReview(
  written: string,
  settings: MessageSettings['review_gate'],
  records?: ReviewRecords,
): ReviewCheck {
  const text = withoutHidden(written);
  const json = readJsonReview(text);
  const prose = readProse(json?.beside ?? text, { showsQuotes: true });
  const approvals = json?.isRejected === true ? [] : [...(json?.approvals ?? []), ...approvalsIn(prose)];
  const evidence = joinEvidence([
    evidenceIn(withoutVerdicts(prose, approvals)),
    evidenceIn(readProse(json?.fields ?? '', { showsQuotes: true })),
  ]);
  const isApproval = approvals.length > 0;
  const against = isApproval && settings.require_evidence ? explainRefusal(text, evidence, records) : [];
  return {
    isApproval,
    accepted: against.length === 0,
    evidence,
    against,
    crossCheckedWith: records === undefined ? 'text alone' : 'records',
    approvals,
  };
}

const NO_RUN = 'it shows no run, no diff and no file that was read';

/** `+1` and `PASS` are no figures and no outcomes of a run. */
const withoutVerdicts = (prose: Prose, verdicts: readonly TextSpan[]): Prose => ({
  ...prose,
  sentences: splitProse(blankSpans(prose.masked, verdicts)),
});

function explainRefusal(
  text: string,
  { claims, failing, refused }: ReviewEvidence,
  records: ReviewRecords | undefined,
): readonly string[] {
  if (failing.length > 0) return failing.slice(0, 3).map((one) => `it reports something red: ${one}`);
  if (records !== undefined) {
    const { confirmed, against, unknown } = compareWithRecords(claims, records);
    const wrong = [...against, ...wrongCitations(text, records.lines)];
    if (wrong.length > 0) return wrong.slice(0, 5);
    if (confirmed.length > 0) return [];
    if (unknown.length > 0) return unknown.slice(0, 3);
  } else if (claims.some((claim) => !refused.some((one) => isWithdrawn(claim, one)))) return [];
  return refused.length > 0 ? refused.slice(0, 3).map((one) => `${one.why}: ${one.text}`) : [NO_RUN];
}

/** `Tests pass. I did not run the tests.`: a denial takes back the run that it speaks of. */
const RUN_DENIED =
  /(?:(?<!\w)(?:i|we)\s+(?:\w+\s+)?(?:\w*n['’]t|not|never)|^\W*(?:not|never|\w*n['’]t))\s+(?:\w+\s+)?(?:run|ran|execut\w*)(?:\s+(?:the|any|these|those|its|all))*\s+(?:tests?|test suite|suite|specs?|build|linter|lint)(?=\s*(?:$|[.,;:!)]|\s(?:but|myself|and)\b))|실행하지|没有?(?:运行|执行)|未(?:运行|执行)/iu;
const THINGS = [/test|spec|suite|pytest|테스트|测试/i, /build|compil|빌드|构建/i, /lint|type/i];
/** A count that names no check is one of tests. */
const NAMED_RUN = /build|compil|lint|type|(?<!\w)(?:ci|pipeline|npm|pnpm|yarn|cargo|go|make)(?!\w)|빌드|编译|构建/i;
const isWithdrawn = (
  { kind, text }: ReviewEvidence['claims'][number],
  { why, text: denial }: ReviewEvidence['refused'][number],
): boolean =>
  kind === 'run' &&
  why === 'negated' &&
  RUN_DENIED.test(denial) &&
  THINGS.some((one, at) => one.test(denial) && (one.test(text) || (at === 0 && !NAMED_RUN.test(text))));

export const reviewFeedback = ({ against }: Pick<ReviewCheck, 'against'>): string =>
  [
    APPROVE_REFUSED,
    ...against.map((one) => `Refused: ${one}.`),
    'Accepted: what you have run or read for this very change, such as "npm test: 42/42 passed", "git diff: +23 -5 in src/a.ts", "read src/a.ts:12-40". Where nothing was checked, say NEEDS_REVIEW.',
  ].join('\n');

export function downgraded(text: string, approvals: readonly TextSpan[]): string {
  const visible = withoutHidden(text);
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of approvals.toSorted((one, other) => one.from - other.from)) {
    if (from < end) continue;
    // `Approve: ok` is one verdict; what is left of it would approve again.
    const isSameVerdict = end > 0 && /^\s?[:：]\s?$/.test(visible.slice(end, from));
    if (!isSameVerdict) parts.push(visible.slice(end, from), 'NEEDS_REVIEW');
    end = to + (/^\p{Script=Hangul}*/u.exec(visible.slice(to))?.[0].length ?? 0);
  }
  return [...parts, visible.slice(end)].join('');
}
