import { readFinding, type Finding } from '../../rules/model/finding.ts';
import {
  writtenEvidenceSchema,
  writtenReportSchema,
  type WrittenReport,
  writtenPointSchema,
} from '../record/agent-answers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { VERDICTS, type Verdict } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { type JudgeReport, type TiedTest, type RebuttalAnswer } from '../record/review.ts';
import { type WeighQuote, lookUp, lookUpAgainst } from './weigh-quotes.ts';
import { readOnlyObject, type SpokenAnswer } from '../../agents/json-objects.ts';
import { contradictsVerdict } from './contradicts-verdict.ts';
import { type WeakeningReport } from '../../rules/model/weakening.ts';
import { listBrokenTests, listRebuttedFindings, type Rebutted } from './brief-judge.ts';

/** The report in a judge's answer: the structured one, else the only JSON object of its text. */
export function findReport(answer: SpokenAnswer): unknown {
  const read = readOnlyObject(
    answer,
    'report',
    (data) => ({ success: true, data: data as { readonly verdict?: unknown; readonly grade?: unknown } }),
    ({ verdict, grade }, around) => [verdict, grade].some((one) => contradictsVerdict(String(one), around)),
  );
  return read.ok ? read.value : undefined;
}

/**
 * Parses and verifies a report: it must name this task, commit and contract, and its verdict is recomputed from its
 * findings. An external report (`bound: 'by claim'`) may omit all three, as the original design's does, but not
 * contradict them.
 */
export function readReport(
  value: unknown,
  record: TaskRecord,
  proof: {
    readonly bound: 'by name' | 'by claim';
    readonly weigh: WeighQuote;
    /** An external judge may not know the format of rebuttal answers. */
    readonly outside?: boolean;
  },
): Outcome<JudgeReport, string> {
  const parsed = writtenReportSchema().safeParse(value);
  if (!parsed.success)
    return failure(
      `the report does not have the expected fields: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`,
    );
  const { data } = parsed;
  const { change } = record;
  if (change === undefined) return failure('there is no change that could have been judged');
  const foreign = explainForeignReport(data, record, proof.bound);
  if (foreign !== undefined) return failure(foreign);
  const verdict = toVerdict(data.verdict, data.grade);
  if (!verdict.ok) return verdict;
  const said = verdict.value;
  const blocking: Finding[] = [];
  for (const [at, issue] of data.blocking_issues.entries()) {
    const finding = readFinding(issue, 'judge');
    if (finding === undefined) return failure(`blocking issue ${at + 1} has no description or an unknown severity`);
    blocking.push(finding);
  }
  const answers = readRebuttalAnswers(data.rebuttal_answers, record, {
    weigh: proof.weigh,
    all: proof.outside !== true,
  });
  if (!answers.ok) return answers;
  blocking.push(...listUpheld(answers.value, record, blocking));
  const weak: string[] = [];
  const evidence = (data.evidence ?? []).flatMap((item) => {
    const line = writtenEvidenceSchema().safeParse(item);
    if (!line.success) return [];
    const quoted = typeof line.data === 'string' ? { file: '', quote: line.data } : line.data;
    const { line: at, found, proves, why } = proof.weigh(quoted);
    if (!proves) weak.push(why);
    return [{ file: quoted.file, line: at, quote: quoted.quote, found, proves }];
  });
  const tied = readTies(data.broken_tests, record, proof.weigh);
  const fixes = readPoints('required fix', data.required_fixes);
  if (!fixes.ok) return fixes;
  const flags = readPoints('security flag', data.security_flags);
  if (!flags.ok) return flags;
  const recomputed = recompute(
    said,
    blocking,
    [...fixes.value, ...flags.value],
    evidence.some(({ proves }) => proves) ? undefined : weak,
  );
  return success({
    tree: change.tree,
    commit: change.commit,
    contractDigest: record.contractDigest,
    said,
    ...recomputed,
    summary: data.summary ?? '',
    blocking,
    fixes: fixes.value,
    suggestions: (data.suggestions ?? []).flatMap((item) => readPoint(item) || []),
    securityFlags: flags.value,
    evidence,
    ...(answers.value.length === 0 ? {} : { answers: [...answers.value] }),
    ...(tied.length === 0 ? {} : { tied: [...tied] }),
    digest: '', // of the file, once it is written
  });
}

function explainForeignReport(
  data: WrittenReport,
  record: TaskRecord,
  bound: 'by name' | 'by claim',
): string | undefined {
  const commit = record.change?.commit;
  if (data.task_id === undefined && bound === 'by name') return 'the report does not name the task it is about';
  if (data.task_id !== undefined && data.task_id !== record.taskId)
    return `the report is about task "${data.task_id.slice(0, 64)}", not ${record.taskId}`;
  if (data.commit === undefined && bound === 'by name') return 'the report does not name the commit it judged';
  if (data.commit !== undefined && data.commit !== commit)
    return `the report judges commit "${data.commit.slice(0, 40)}", not ${commit}`;
  if (data.contract_digest === undefined && bound === 'by name')
    return 'the report does not name the contract it judged by';
  if (data.contract_digest !== undefined && data.contract_digest !== record.contractDigest)
    return 'the report was made for another version of the contract';
  return undefined;
}

/** Both keys name the verdict; a report with both must say the same. */
function toVerdict(verdict: string | undefined, grade: string | undefined): Outcome<Verdict, string> {
  const words = [verdict, grade]
    .filter((word) => word !== undefined)
    .map((word) => word.trim().toUpperCase().replace(/[ -]/g, '_'));
  const found = words.map((one) => VERDICTS.find((known) => known === one));
  const [first, second] = found;
  if (first === undefined || found.includes(undefined))
    return failure(`unknown verdict; known are ${VERDICTS.join(', ')}`);
  return second === undefined || second === first
    ? success(first)
    : failure(`the verdict is ${first}, but the grade is ${second}; give one of them, or the same in both`);
}

/** A PASS with blockers is a FAIL; a PASS without proof is no pass. */
function recompute(
  said: Verdict,
  blocking: readonly Finding[],
  fixes: readonly string[],
  weak: readonly string[] | undefined,
): { verdict: JudgeReport['verdict']; why: string } {
  if (said !== 'PASS') return { verdict: said, why: '' };
  if (blocking.length > 0)
    return {
      verdict: 'FAIL',
      why: `PASS with ${blocking.length} blocking issue${blocking.length === 1 ? '' : 's'} is a FAIL`,
    };
  if (fixes.length > 0)
    return { verdict: 'CONDITIONAL', why: 'PASS with required fixes or security flags is CONDITIONAL' };
  if (weak !== undefined)
    return {
      verdict: 'NEEDS_REVIEW',
      why: `${weak.length === 0 ? '' : `${weak.slice(0, MOST_REASONS).join('; ')}. So it is a `}PASS without a quoted line of the change (added or removed, and substantive) or of an acceptance gate's output`,
    };
  return { verdict: 'PASS', why: '' };
}

const MOST_REASONS = 5;

/** The texts of a list; an entry that cannot be read may be what speaks against a PASS. */
function readPoints(what: string, items: readonly unknown[] = []): Outcome<string[], string> {
  const points: string[] = [];
  for (const [at, item] of items.entries()) {
    const point = readPoint(item);
    if (point === undefined) return failure(`${what} ${at + 1} is neither a text nor an object with a description`);
    points.push(point);
  }
  return success(points.filter((point) => point.trim() !== ''));
}

function readPoint(item: unknown): string | undefined {
  const issue = typeof item === 'string' ? { description: item, fix: undefined } : readFinding(item, 'judge');
  return issue?.fix ?? issue?.description;
}

/** Whether an unchecked report says PASS. */
export function saysPass(report: unknown): boolean {
  const { success: isReport, data } = writtenReportSchema().safeParse(report);
  const verdict = isReport ? toVerdict(data.verdict, data.grade) : undefined;
  return verdict?.ok === true && verdict.value === 'PASS';
}

/** Reads the ties of a report. A tie needs a known test, a quoted requirement and a line of the change. */
function readTies(
  written: readonly unknown[] | undefined,
  record: Pick<TaskRecord, 'weakeningReport' | 'contract'>,
  weigh: WeighQuote,
): readonly TiedTest[] {
  const { requirements, acceptanceCriteria } = record.contract.specification;
  const wanted = [...requirements, ...acceptanceCriteria].map(spaced);
  const tests = listBrokenTests(record);
  return (written ?? []).flatMap((one): TiedTest[] => {
    const read = writtenPointSchema().safeParse(one);
    if (!read.success) return [];
    const test = tests.find(({ number }) => number === read.data.test?.trim().toUpperCase());
    const requirement = spaced(read.data.requirement ?? '');
    if (test === undefined || !wanted.some((text) => quotes(text, requirement))) return [];
    const cites = lookUp(read.data, weigh);
    return cites.ok ? [{ number: test.number, test: test.text, requirement, cites: cites.value }] : [];
  });
}

/** The gate facts with the judge's ties applied: a weakening is permitted when all of it is tied. */
export function applyTies(
  record: Pick<TaskRecord, 'weakeningReport'>,
  ties: readonly TiedTest[],
): WeakeningReport | undefined {
  const { weakeningReport: report } = record;
  if (report === undefined || ties.length === 0) return undefined;
  const tied = new Set(ties.map(({ number }) => number));
  const open = new Set(listBrokenTests(record).flatMap(({ number, of }) => (tied.has(number) ? [] : [of])));
  return {
    ...report,
    weakenings: report.weakenings.map((one) =>
      one.awaits === 'judge' && one.consent === undefined && !open.has(one) ? { ...one, consent: 'judge' } : one,
    ),
  };
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

const quotes = (text: string, part: string): boolean =>
  text === part || (part.length >= SHORTEST_PART && text.includes(part));

const SHORTEST_PART = 12;

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
