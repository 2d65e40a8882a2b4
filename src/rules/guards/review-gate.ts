import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { falselyCited } from './cited.ts';
import { evidenceIn } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Span } from './patterns.ts';
import { readProse } from './prose.ts';
import { holdAgainst } from './hold-against.ts';
import type { ReviewRecords } from './review-records.ts';
import { structuredReview } from './structured-review.ts';
import { approvalsIn } from './verdict.ts';

/** What the gate says of one review. */
export interface ReviewCheck {
  readonly isApproval: boolean;
  /** Whether it goes on: no approval, or one with evidence. */
  readonly accepted: boolean;
  readonly evidence: Evidence;
  /** Why an approval does not count, a sentence each. */
  readonly against: readonly string[];
  /** What the claims were held against. */
  readonly crossCheckedWith: 'records' | 'text alone';
  /** Where the review approves, in UTF-16 units of its text. */
  readonly approvals: readonly Span[];
}

/** What goes back to whoever approved without evidence, as the seed of this layer words it. */
export const APPROVE_REFUSED = '[SYSTEM] APPROVE rejected: no verification evidence. Run tests or show diff.';

/** What is said beside a verdict that was turned down after the last retry. */
export const DOWNGRADED = 'APPROVE downgraded to NEEDS_REVIEW (no evidence after 2 retries)';

/**
 * Whether a review may go on. An approval needs evidence that is affirmative, seen already and of this change; where
 * records are given it must agree with them, and text alone proves nothing.
 */
export function checkReview(
  text: string,
  settings: MessageSettings['reviewGate'],
  records?: ReviewRecords,
): ReviewCheck {
  const structured = structuredReview(text);
  // A verdict or a command in code is said all the same.
  const prose = readProse((structured?.prose ?? text).replace(/(?<!`)`(?!`)/g, ' '));
  const approvals = structured === undefined ? approvalsIn(prose) : structured.approvals;
  const evidence = evidenceIn(prose);
  const isApproval = approvals.length > 0;
  const against = isApproval && settings.requireEvidence ? whyNot(text, evidence, records) : [];
  return {
    isApproval,
    accepted: against.length === 0,
    evidence,
    against,
    crossCheckedWith: records === undefined ? 'text alone' : 'records',
    approvals,
  };
}

function whyNot(
  text: string,
  { claims, failing, refused }: Evidence,
  records: ReviewRecords | undefined,
): readonly string[] {
  if (failing.length > 0) return failing.slice(0, 3).map((one) => `it tells of something red: ${one}`);
  const held = records === undefined ? { confirmed: claims, against: [], unknown: [] } : holdAgainst(claims, records);
  const against = [...held.against, ...(records === undefined ? [] : falselyCited(text, records))];
  if (against.length > 0) return against.slice(0, 5);
  if (held.confirmed.length > 0) return [];
  if (held.unknown.length > 0) return held.unknown.slice(0, 3);
  if (refused.length > 0) return refused.slice(0, 3).map(({ text, why }) => `${why}: ${text}`);
  return ['it shows no run, no diff and no file that was read'];
}

/** What is sent back: the seed's own sentence, why, and what would be accepted. */
export const reviewFeedback = ({ against }: Pick<ReviewCheck, 'against'>): string =>
  [
    APPROVE_REFUSED,
    ...against.map((one) => `Refused: ${one}.`),
    'Accepted: what you have run or read for this very change, such as "npm test: 42/42 passed", "git diff: +23 -5 in src/a.ts", "read src/a.ts:12-40". Where nothing was checked, say NEEDS_REVIEW.',
  ].join('\n');

/** Turns the verdicts of a text into NEEDS_REVIEW, and nothing else of it. */
export const downgraded = (text: string, approvals: readonly Span[]): string =>
  approvals
    .toSorted((one, other) => other.from - one.from)
    .reduce((said, { from, to }) => `${said.slice(0, from)}NEEDS_REVIEW${said.slice(to)}`, text);
