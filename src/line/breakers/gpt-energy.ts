import { formatCount } from '../../base/format-count.ts';
import type { Breaker } from './breaker.ts';
import type { Change } from '../record/change.ts';
import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { JudgeReport } from '../record/review.ts';

/** One remark of taste is no pattern. */
const FEWEST = 2;
/** From this share of remarks on previously accepted lines on, the goalposts move. */
const MOVED_SHARE = 0.5;
/** The most remarks of taste per round, and per ten changed lines (from four on). */
const MOST = 10;
const PER_LINES = 10;
const EXCESS_FROM = 4;

/** A judge that blocks on taste alone, round after round, keeps the line busy without improving the change. */
export const gptEnergy: Breaker = {
  question:
    'Does the judge block on taste alone: a second time, on lines that it passed, against its own earlier wish, or with too many remarks?',
  check(record) {
    const { change } = record;
    const report = record.report;
    if (report === undefined || change === undefined || record.lastFacts.report === undefined) return undefined;
    const rounds = roundsOfTaste(record.rounds);
    const nits = rounds.flatMap(({ blocking }) => blocking);
    if (!isTasteAlone(report) || nits.length < FEWEST) return undefined;
    const why = reasonFor(rounds, report, change, record);
    if (why === undefined) return undefined;
    return {
      reason: `the judge blocks on ${formatCount(report.blocking.length, 'matter')} of taste and nothing else; ${why}`,
      sides: [
        { who: 'judge', says: report.blocking.map(formatFinding).join('\n') },
        { who: 'andon', says: 'none of these names a requirement, a wrong result, a risk or a failing check' },
      ],
      paths: [
        {
          title: 'Merge unchanged',
          does: 'The judged tree is merged; the findings are kept as notes in the archive.',
          effect: { to: 'review_complete', verdict: 'PASS' },
        },
        {
          title: 'One last round of polish',
          does: 'The findings go to the implementer once more. The next round of taste alone halts the task again.',
          effect: { to: 'review_complete', verdict: 'FAIL', polishRounds: 1 },
        },
      ],
    };
  },
};

function roundsOfTaste(rounds: readonly JudgeReport[]): readonly JudgeReport[] {
  const last = rounds.findLastIndex((round) => !isTasteAlone(round));
  return rounds.slice(last + 1);
}

const isTasteAlone = ({ verdict, blocking, securityFlags }: JudgeReport): boolean =>
  (verdict === 'FAIL' || verdict === 'CONDITIONAL') &&
  securityFlags.length === 0 &&
  blocking.length > 0 &&
  blocking.every(({ weight }) => weight === 'nit');

function reasonFor(
  rounds: readonly JudgeReport[],
  { blocking }: JudgeReport,
  change: Change,
  { grants, rounds: all }: TaskRecord,
): string | undefined {
  if (rounds.length > 1 + grants.polishRounds) return `it is round ${rounds.length} of that kind`;
  if (grants.polishRounds > 0) return undefined; // a person granted one more round
  const moved = blocking.filter(({ unchanged }) => unchanged === true).length;
  if (moved > 0 && moved >= MOVED_SHARE * blocking.length)
    return `${moved} of them are about lines that passed unblamed the last time`;
  const earlier = all.slice(0, -1).flatMap((round) => round.blocking);
  const back = blocking.find((finding) => earlier.some((old) => takesBack(old, finding)));
  if (back !== undefined) return `"${formatFinding(back)}" takes back what was asked for before`;
  const lines = change.added + change.deleted;
  if (blocking.length > MOST || (blocking.length >= EXCESS_FROM && blocking.length * PER_LINES > lines))
    return `${blocking.length} remarks on ${lines} changed lines are too many`;
  return undefined;
}

/** "Rename `a` to `b`", and later "rename `b` to `a`". */
function takesBack(old: Finding, now: Finding): boolean {
  const [before, after] = [wish(old), wish(now)];
  return before !== undefined && after !== undefined && before.from === after.to && before.to === after.from;
}

function wish({ description, fix }: Finding): { readonly from: string; readonly to: string } | undefined {
  const text = `${description}\n${fix ?? ''}`;
  const quoted = '[`\'"]([^`\'"\\n]{1,80})[`\'"]';
  const change = new RegExp(`${quoted}\\s+(?:to|with|by|into|becomes?|->|→|=>)\\s+${quoted}`, 'iu').exec(text);
  if (change?.[1] !== undefined && change[2] !== undefined) return { from: change[1], to: change[2] };
  const instead = new RegExp(`${quoted}\\s+(?:instead of|rather than|over|not)\\s+${quoted}`, 'iu').exec(text);
  if (instead?.[1] !== undefined && instead[2] !== undefined) return { from: instead[2], to: instead[1] };
  return undefined;
}
