import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Finding } from '../../rules/model/finding.ts';
import { writtenPointSchema } from '../record/agent-answers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatFindingNumber, type RebuttalAnswer } from '../record/review.ts';
import { lookUpAgainst, type WeighQuote } from './evidence.ts';

type Rebutted = Pick<TaskRecord, 'rebuttal' | 'rounds'>;

/** The rebutted findings of the last report, by number; each must be accepted or refused. */
export const listRebuttedFindings = ({ rebuttal, rounds }: Rebutted): readonly { number: string; finding: Finding }[] =>
  (rounds.at(-1)?.blocking ?? [])
    .map((finding, at) => ({ number: formatFindingNumber(at), finding }))
    .filter(({ number }) => rebuttal.some((point) => point.finding === number));

/**
 * Parses a judge's answers to a rebuttal. A refusal needs a verified citation; one without, or with only a comment,
 * invalidates the report. With `all`, a missing answer does so too; an external judge may omit them.
 */
export function readRebuttalAnswers(
  written: readonly unknown[] | undefined,
  record: Rebutted,
  { weigh, all }: { readonly weigh: WeighQuote; readonly all: boolean },
): Outcome<readonly RebuttalAnswer[], string> {
  const items = (written ?? []).flatMap((one) => {
    const read = writtenPointSchema().safeParse(one);
    const { finding, answer } = read.success ? read.data : {};
    return read.success && finding !== undefined && answer !== undefined ? [{ ...read.data, finding, answer }] : [];
  });
  const answers: RebuttalAnswer[] = [];
  for (const { number: finding } of listRebuttedFindings(record)) {
    const [answer, ...more] = items.filter((one) => one.finding.trim().toUpperCase() === finding);
    if (more.length > 0) return failure(`it answers the rebuttal of ${finding} more than once`);
    if (answer === undefined) {
      if (all) return failure(`it does not answer the rebuttal of ${finding} in \`rebuttal_answers\``);
      continue;
    }
    const says = answer.answer.trim().toUpperCase();
    const why = (answer.why ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
    if (says === 'ACCEPTED') answers.push({ finding, says, why });
    else if (says === 'REFUSED') {
      const cites = lookUpAgainst(answer, weigh);
      if (!cites.ok) return failure(`it refuses the rebuttal of ${finding}, and that does not count: ${cites.why}`);
      answers.push({ finding, says, why, cites: cites.value });
    } else
      return failure(
        `its answer to the rebuttal of ${finding} is ${JSON.stringify(answer.answer.slice(0, 40))}; ACCEPTED and REFUSED are known`,
      );
  }
  return success(answers);
}

const LONGEST_REASON = 500;

/**
 * Blockers from the answers alone: a refused rebuttal upholds its finding, at the cited place, even if the report omits
 * it.
 */
export function listUpheld(
  answers: readonly RebuttalAnswer[],
  record: Rebutted,
  repeated: readonly Finding[],
): readonly Finding[] {
  return listRebuttedFindings(record).flatMap(({ number, finding }) => {
    const cites = answers.find((one) => one.finding === number && one.says === 'REFUSED')?.cites;
    if (cites === undefined || repeated.some((one) => isSaidAgain(one, finding))) return [];
    const { source, severity, category, description, security, fix } = finding;
    const { file, line, quote } = cites;
    return [
      {
        source,
        severity,
        category,
        description,
        security,
        file,
        evidence: quote,
        ...(fix === undefined ? {} : { fix }),
        ...(line === null ? {} : { line }),
      },
    ];
  });
}

const isSaidAgain = (one: Finding, other: Finding): boolean =>
  one.file === other.file && one.description.trim() === other.description.trim();
