import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { falselyCited } from './cited.ts';
import { evidenceIn } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Span } from './patterns.ts';
import { readProse, unmasked, withoutHidden } from './prose.ts';
import type { Prose } from './prose.ts';
import { holdAgainst } from './hold-against.ts';
import type { ReviewRecords } from './review-records.ts';
import { NO_OPINION, bothOdds, decide, headOf, read } from './second-opinion.ts';
import type { Head } from './second-opinion.ts';
import { structuredReview } from './structured-review.ts';
import type { StructuredReview } from './structured-review.ts';
import { approvalsIn, isConditional } from './verdict.ts';

/** What the gate says of one review. */
export interface ReviewCheck {
  readonly isApproval: boolean;
  /** Whether it goes on: no approval, or one with evidence. */
  readonly accepted: boolean;
  readonly evidence: Evidence;
  /** Whether no rule refuses it, but what it reads like as a whole. */
  readonly isByReading: boolean;
  /** Why an approval does not count, a sentence each. */
  readonly against: readonly string[];
  /** Why it may go on though that is in doubt. */
  readonly unsure?: string;
  /** What the claims were held against. */
  readonly crossCheckedWith: 'records' | 'text alone';
  /** Where the review approves, in UTF-16 units of its text `withoutHidden`. */
  readonly approvals: readonly Span[];
}

/** What goes back to whoever approved without evidence, as the seed of this layer words it. */
export const APPROVE_REFUSED = '[SYSTEM] APPROVE rejected: no verification evidence. Run tests or show diff.';

/** What is said beside a verdict that was turned down after the last retry. */
export const DOWNGRADED = 'APPROVE downgraded to NEEDS_REVIEW (no evidence after 2 retries)';

/**
 * Whether a review may go on. An approval needs evidence that is affirmative, seen already and of this change; where
 * records are given it must agree with them, and text alone proves nothing. Without records what the review reads like as
 * a whole is a second opinion, which was learned.
 */
export function checkReview(
  written: string,
  settings: MessageSettings['reviewGate'],
  records?: ReviewRecords,
  heads: ReviewHeads = learnedHeads(),
): ReviewCheck {
  const text = withoutHidden(written);
  const { prose, structured } = readReview(text);
  const approvals = structured === undefined ? approvalsIn(prose) : structured.approvals;
  const evidence = evidenceIn(prose);
  const approves = approvals.length > 0;
  const against = approves && settings.requireEvidence ? whyNot(text, evidence, records) : [];
  const byRules: ReviewCheck = {
    isApproval: approves,
    accepted: against.length === 0,
    evidence,
    isByReading: false,
    against,
    crossCheckedWith: records === undefined ? 'text alone' : 'records',
    approvals,
  };
  const isSettled = records !== undefined || structured !== undefined || !settings.requireEvidence;
  return isSettled ? byRules : withSecondOpinion(byRules, prose, heads);
}

/** What a review says in its own words; a verdict or a command in code is said all the same. */
export function readReview(text: string): { readonly prose: Prose; readonly structured: StructuredReview | undefined } {
  const structured = structuredReview(text);
  return { prose: readProse((structured?.prose ?? text).replace(/(?<!`)`(?!`)/g, ' ')), structured };
}

/** For whom the rules alone decide. */
export const RULES_ALONE: ReviewHeads = { approves: NO_OPINION, bare: NO_OPINION };

/** What was learned of reviews: which of them approve, and which show no reason. */
export interface ReviewHeads {
  readonly approves: Head;
  readonly bare: Head;
}

const learnedHeads = (): ReviewHeads => ({ approves: headOf('approves'), bare: headOf('bare') });

/**
 * What the rules have found red stays red, and where both are divided the rules stand; where the second opinion alone
 * finds an approval, the sentence that approves most is it, unless it says on what condition it would.
 */
function withSecondOpinion(byRules: ReviewCheck, { sentences, blocks }: Prose, heads: ReviewHeads): ReviewCheck {
  if (byRules.evidence.failing.length > 0) return byRules;
  const approves = read(heads.approves, sentences, blocks.length > 0);
  const bare = read(heads.bare, sentences, blocks.length > 0);
  if (!approves.isOpinion || !bare.isOpinion) return byRules;
  const { isRefused, isSure } = decide(bothOdds(approves.odds, bare.odds), voteOf(byRules));
  if (!isRefused && !isSure) return byRules.accepted ? { ...byRules, unsure: DIVIDED } : byRules;
  if (!isRefused) return { ...byRules, accepted: true, against: [] };
  if (!byRules.accepted) return byRules;
  if (byRules.isApproval) return { ...byRules, accepted: false, isByReading: true, against: [NO_CHECK] };
  const highest = approves.bySentence.reduce((one, other) => Math.max(one, other), -Infinity);
  const most = sentences[approves.bySentence.indexOf(highest)];
  const said = most?.text.trim() ?? '';
  if (isConditional(said)) return byRules;
  const from = (most?.from ?? 0) + (most?.text.indexOf(said) ?? 0);
  return {
    ...byRules,
    isApproval: true,
    accepted: false,
    isByReading: true,
    against: [`it reads as an approval ("${unmasked(said).slice(0, 80)}"), and ${NO_RUN.replace('it ', '')}`],
    approvals: [{ from, to: from + said.length }],
  };
}

/** What the rules have found in a review, and what it adds to the odds that it is an approval without evidence. */
function voteOf({ isApproval, evidence: { claims, refused } }: ReviewCheck): number {
  if (!isApproval) return claims.length > 0 ? -0.5 : 0;
  if (claims.length > 0) return -1.2;
  return refused.length > 0 ? 0.75 : 0.5;
}

const DIVIDED = 'it reads as much like an approval without evidence as like a review that may go on';
const NO_RUN = 'it shows no run, no diff and no file that was read';
const NO_CHECK = 'what it tells of is no check of this change that was made and passed';

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
  return [NO_RUN];
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
    .reduce((said, { from, to }) => `${said.slice(0, from)}NEEDS_REVIEW${said.slice(to)}`, withoutHidden(text));
