import { formatCount } from '../documents/task-report/words.ts';
import { isBlockingFinding, formatFinding } from '../../record/finding.ts';
import type { Moved } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { getJudgeReport } from '../../record/review.ts';
import type { RejectedRound, SentBack } from './digest.ts';
import { toDigestLine, type RecordChange, type RepositoryNight, type TaskStory } from './repository-night.ts';

export const listSentBack = ({ root }: RepositoryNight, stories: readonly TaskStory[]): readonly SentBack[] =>
  stories.flatMap((story) => sentBack(root, story) ?? []);

function sentBack(root: string, { taskId, record, news }: TaskStory): SentBack | undefined {
  const turned = news.flatMap((one) => turnedDown(one) ?? []);
  if (turned.length === 0) return undefined;
  return {
    repository: root,
    task_id: taskId,
    status: record.status,
    rounds: turned.map(({ round }) => round),
    halts: news.flatMap(({ entry }) => (entry.kind === 'moved' ? (entry.facts.halt?.trip.breaker ?? []) : [])),
    red_gates: counted(turned.flatMap(({ reason: { red = [] } }) => red)),
    verdicts: counted(turned.flatMap(({ reason: { verdict } }) => verdict ?? [])),
  };
}

/** A step that brought no progress. A halt sends nothing back, and a person's choice is no news to that person. */
function turnedDown({ entry, before }: RecordChange): { round: RejectedRound; reason: Reason } | undefined {
  if (entry.kind !== 'moved' || before === undefined) return undefined;
  if (entry.from === 'erik_consultation' || entry.to === 'erik_consultation') return undefined;
  const isBack = entry.to === 'pending_implementer' && entry.event !== 'rules_checked'; // which precedes any work
  const reason = (READ[entry.event] ?? (isBack ? as('line') : undefined))?.(entry, before);
  if (reason === undefined) return undefined;
  const { by, why, says } = reason;
  const attempt = entry.facts.change?.attempt ?? before.change?.attempt ?? before.attempt;
  const round = {
    at: entry.at,
    attempt,
    by,
    why: toDigestLine(why),
    says: says === undefined ? null : toDigestLine(says),
  };
  return { round, reason };
}

interface Reason {
  readonly by: RejectedRound['by'];
  readonly why: string;
  readonly says?: string | undefined;
  readonly red?: readonly string[];
  readonly verdict?: string | undefined;
}

const gatesSay = ({ facts, reason }: Moved): Reason => {
  const red = (facts.gates?.results ?? []).filter((gate) => gate.blocks);
  const words = red.map(
    ({ name, outcome, exit }) => `gate ${name} ${outcome}${exit === null ? '' : ` (exit ${exit})`}`,
  );
  return { by: 'gates', why: words.join(', ') || reason, red: red.map(({ name }) => toDigestLine(name, 80)) };
};

const reviewerSays = ({ facts, reason }: Moved): Reason => {
  const found = (facts.review?.findings ?? []).filter(isBlockingFinding);
  const [first] = found;
  const why = `local review: ${facts.review?.verdict ?? 'FAIL'}, ${formatCount(found.length, 'blocking finding')}`;
  return facts.review === undefined
    ? { by: 'reviewer', why: reason }
    : { by: 'reviewer', why, says: first === undefined ? undefined : formatFinding(first) };
};

const judgeSays = ({ reason }: Moved, before: LineRecord): Reason => {
  const report = getJudgeReport(before);
  if (report === undefined) return { by: 'judge', why: reason };
  const [first] = report.blocking;
  const { verdict } = report;
  const why = `judge: ${verdict}, ${formatCount(report.blocking.length, 'blocking finding')}`;
  return { by: 'judge', why, verdict, says: first === undefined ? undefined : formatFinding(first) };
};

const as =
  (by: RejectedRound['by'], what = '') =>
  ({ reason }: Moved): Reason => ({ by, why: `${what}${reason}` });

const READ: Readonly<Record<string, ((entry: Moved, before: LineRecord) => Reason) | undefined>> = {
  gate_red: gatesSay,
  gate_weakened: as('gates'),
  rule_red: as('rules'),
  quick_fix: as('rules'),
  sent_back: as('human'),
  local_fail: reviewerSays,
  review_unreadable: as('reviewer', 'local review: '),
  fail_agree: judgeSays,
  fail_disagree: () => ({ by: 'judge', why: 'the judge contradicted the facts and had to judge again' }),
  report_unreadable: as('judge', 'no readable report: '),
  report_unproven: as('judge', 'no proven report: '),
  answer_refused: as('implementer'),
  strike: as('implementer'),
  target_moved: as('target'),
  gates_again: as('target'),
};

const counted = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
