import type { Finding } from '../../rules/model/finding.ts';
import {
  formatRebuttalAnswer,
  type CitedFinding,
  type Dropped,
  type PanelTurn,
  type JudgeReport,
} from '../record/review.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { writtenPointSchema, writtenReportSchema } from '../record/agent-answers.ts';
import { lookUp, type WeighQuote } from '../stations/weigh-quotes.ts';
import { type PanelResult, type SettledFinding, summarisePanel } from './settle.ts';

/** The blocking issues of one panel judge with a verified citation; others are dropped. */
export function citedIssues(
  { blocking }: JudgeReport,
  written: unknown,
  weigh: WeighQuote,
): { readonly findings: readonly { finding: Finding; cited: CitedFinding }[]; readonly dropped: readonly Dropped[] } {
  const read = writtenReportSchema().safeParse(written);
  const issues = read.success ? read.data.blocking_issues : [];
  const dropped: Dropped[] = [];
  const findings = blocking.flatMap((finding, at) => {
    const place = writtenPointSchema().safeParse(issues[at]);
    const quote = (place.success ? place.data.quote : undefined) ?? finding.evidence; // for an upheld one, the quote of the refusal
    const cited = lookUp({ ...finding, quote }, weigh);
    if (!cited.ok) {
      dropped.push({ what: finding.description.slice(0, 300), why: cited.why });
      return [];
    }
    const { severity, category, description, security, fix } = finding;
    const { file, line } = cited.value;
    const put = { ...finding, file, evidence: cited.value.quote, ...(line === null ? {} : { line }) };
    return [
      { finding: put, cited: { ...cited.value, severity, category, description, security, ...(fix && { fix }) } },
    ];
  });
  return { findings, dropped };
}

/**
 * Merges several judges' reports into one: an upheld MUST fails the change, an objection of the highest role makes it
 * CONDITIONAL, and a call for a person cannot be outvoted.
 */
export function createPanelReport(record: TaskRecord, settled: PanelResult, turns: readonly PanelTurn[]): JudgeReport {
  const { change, contractDigest } = record;
  if (change === undefined) throw new Error('there is no change that could have been judged');
  const voting = turns.flatMap(({ round, report, reviewer }) =>
    round === 1 && report !== undefined && !settled.silent.has(reviewer) ? [{ report, reviewer }] : [],
  );
  const verdict = verdictOf(settled, turns);
  const standing = settled.findings.filter(({ state }) => state === 'stands');
  const objecting = new Set(settled.votes.filter(({ said }) => said === 'VIOLATED').map(({ agent }) => agent));
  const against = voting.filter(({ reviewer }) => verdict !== 'PASS' && objecting.has(reviewer));
  const halting = turns.flatMap(({ report, reviewer }) =>
    report?.verdict === 'CRITICAL_HALT' ? [`${reviewer}: ${report.summary}`] : [],
  );
  return {
    tree: change.tree,
    commit: change.commit,
    contractDigest,
    said: verdict,
    verdict,
    why: '',
    summary: [...halting, settled.consensus.because].join('; '),
    blocking: verdict === 'PASS' ? [] : standing.map(toIssue),
    fixes: [...new Set(against.flatMap(({ report }) => report.fixes))],
    suggestions: [
      ...new Set([
        ...(verdict === 'PASS' ? standing.map(({ finding }) => finding.description) : []),
        ...voting.flatMap(({ report }) => report.suggestions),
      ]),
    ],
    securityFlags: [...new Set(against.flatMap(({ report }) => report.securityFlags))],
    evidence: eachOnce(voting.flatMap(({ report }) => report.evidence)),
    digest: '',
    ...answersOf(voting),
    ...tiesOf(voting),
    panel: summarisePanel(settled),
  };
}

const eachOnce = <One>(all: readonly One[]): One[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

function verdictOf({ consensus: { status } }: PanelResult, turns: readonly PanelTurn[]): JudgeReport['said'] {
  if (turns.some(({ report }) => report?.verdict === 'CRITICAL_HALT')) return 'CRITICAL_HALT';
  return status === 'PASS' ? 'PASS' : status === 'WARN' ? 'CONDITIONAL' : 'FAIL';
}

const toIssue = ({ finding, by, alsoBy, agreed }: SettledFinding): Finding => {
  const { line, quote, fix, ...rest } = finding;
  return {
    ...rest,
    source: 'judge',
    evidence: quote,
    ...(line === null ? {} : { line }),
    ...(fix === undefined ? {} : { fix }),
    by: [by, ...[...new Set([...alsoBy, ...agreed])].filter((name) => name !== by).toSorted()],
  };
};

/** The broken tests that judges tie to requirements, each test once; a failing judge ties none. */
function tiesOf(voting: readonly { readonly report: JudgeReport }[]): Pick<JudgeReport, 'tied'> {
  const all = voting.flatMap(({ report }) => (report.verdict === 'PASS' ? (report.tied ?? []) : []));
  const tied = [...new Map(all.map((one) => [one.number, one])).values()];
  return tied.length === 0 ? {} : { tied };
}

/** The judges' answers to a rebuttal, by name; a refusal comes first. */
function answersOf(
  voting: readonly { readonly report: JudgeReport; readonly reviewer: string }[],
): Pick<JudgeReport, 'answers'> {
  const all = voting.flatMap(({ report, reviewer }) =>
    (report.answers ?? []).map((one) => ({ ...one, why: `${reviewer}: ${one.why}` })),
  );
  const sorted = all.toSorted(
    (one, other) =>
      other.says.localeCompare(one.says) || formatRebuttalAnswer(one).localeCompare(formatRebuttalAnswer(other)),
  );
  return sorted.length === 0 ? {} : { answers: sorted };
}
