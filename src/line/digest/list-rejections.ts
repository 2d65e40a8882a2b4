import { formatCount } from '../../base/format-count.ts';
import { isBlockingFinding, formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { Moved } from '../record/journal-entry.ts';
import { nameRedGate } from '../record/change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { classifyEvent, type StepEvent } from '../record/step-event.ts';
import type { RejectedRound, SentBack } from './digest.ts';
import { toDigestLine, type RecordChange, type RepositoryNight, type TaskStory } from './repository-night.ts';

/** Each task whose changes or answers were sent back, and why. */
export const listRejections = ({ root }: RepositoryNight, stories: readonly TaskStory[]): readonly SentBack[] =>
  stories.flatMap((story) => summarizeRejections(root, story) ?? []);

function summarizeRejections(root: string, { taskId, record, news }: TaskStory): SentBack | undefined {
  const rejections = news.flatMap((one) => findRejection(one) ?? []);
  if (rejections.length === 0) return undefined;
  return {
    repository: root,
    task_id: taskId,
    status: record.status,
    undone_as: record.undone ?? null,
    rounds: rejections.map(({ round }) => round),
    halts: news.flatMap(({ entry }) => (entry.kind === 'moved' ? (entry.facts.halt?.trip.breaker ?? []) : [])),
    red_gates: counted(rejections.flatMap(({ reason: { red = [] } }) => red)),
    verdicts: counted(rejections.flatMap(({ reason: { verdict } }) => verdict ?? [])),
  };
}

/**
 * A step that brought no progress, also one that led to a halt. A target that moved rejects nothing, and a person's choice
 * is no news to that person.
 */
function findRejection({ entry, before }: RecordChange): { round: RejectedRound; reason: Reason } | undefined {
  if (entry.kind !== 'moved' || before === undefined) return undefined;
  if (entry.from === 'erik_consultation') return undefined;
  const kind = classifyEvent(entry.event);
  if (entry.to === 'erik_consultation' && kind.of !== 'answer' && kind.rejects !== true) return undefined;
  const by = findSource(entry);
  if (by === undefined || by === 'target') return undefined;
  const reason = EXPLAIN[entry.event]?.(entry, before) ?? { why: reasonOf(entry) };
  const { why, says } = reason;
  const attempt = entry.facts.change?.attempt ?? before.change?.attempt ?? before.attempt;
  const round = {
    at: entry.at,
    attempt,
    by,
    of: classifyEvent(entry.event).of ?? 'change',
    why: toDigestLine(why),
    says: says === undefined ? null : toDigestLine(says),
  };
  return { round, reason };
}

/** What sent something back; at a strike, the station that failed. `line` where the name of the event does not say it. */
function findSource({ event, facts, to }: Moved): RejectedRound['by'] | undefined {
  const { by } = classifyEvent(event);
  if (by !== undefined) return by;
  const station = facts.strike?.station;
  if (station === 'local-reviewer') return 'reviewer';
  if (station === 'implementer' || station === 'judge') return station;
  return to === 'pending_implementer' && event !== 'rules_checked' ? 'line' : undefined; // which precedes any work
}

interface Reason {
  readonly why: string;
  readonly says?: string | undefined;
  readonly red?: readonly string[];
  readonly verdict?: string | undefined;
}

const gatesSay = ({ facts, reason }: Moved): Reason => {
  const red = (facts.gates?.results ?? []).filter((gate) => gate.blocks);
  const words = red.map(
    (gate) => `gate ${nameRedGate(gate)} ${gate.outcome}${gate.exit === null ? '' : ` (exit ${gate.exit})`}`,
  );
  return { why: words.join(', ') || reason, red: red.map(({ name }) => toDigestLine(name, 80)) };
};

const describeVerdict = (who: string, verdict: string, blocking: readonly Finding[]): Reason => ({
  why: `${who} says ${verdict}, with ${formatCount(blocking.length, 'blocking finding')}`,
  says: blocking[0] && formatFinding(blocking[0]),
});

const reviewerSays = ({ facts: { review } }: Moved): Reason | undefined =>
  review && describeVerdict('local review', review.verdict, review.findings.filter(isBlockingFinding));

const judgeSays = (_: Moved, before: TaskRecord): Reason | undefined => {
  const report = before.report;
  return report && { ...describeVerdict('judge', report.verdict, report.blocking), verdict: report.verdict };
};

const prefix =
  (words: string) =>
  (entry: Moved): Reason => ({ why: `${words}: ${reasonOf(entry)}` });

/** The reason of a step without the name of a breaker. */
const reasonOf = ({ facts, reason }: Moved): string => facts.halt?.trip.reason ?? reason;

/** Better words than the reason of the step. */
const EXPLAIN: Readonly<Partial<Record<StepEvent, (entry: Moved, before: TaskRecord) => Reason | undefined>>> = {
  gate_red: gatesSay,
  local_fail: reviewerSays,
  review_unreadable: prefix('local review'),
  fail_agree: judgeSays,
  fail_disagree: () => ({ why: 'the floor manager contradicted the judge, which judged again' }),
  report_unreadable: prefix('no readable report'),
  report_unproven: prefix('no proven report'),
};

const counted = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
