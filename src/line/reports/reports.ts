import { resumeCommand } from '../halts/resume-command.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import type { GateRun } from '../record/change.ts';
import { formatImplementers, formatTakeover } from '../record/implementers.ts';
import { awaitingJudge, describeWeakeningReport, type WeakeningReport } from '../../rules/model/weakening.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatRebuttalAnswer, formatRebuttalPoint, type JudgeReport } from '../record/review.ts';
import { toMarkdownBlock, toMarkdownLine } from '../../base/plain-text.ts';
import { listRebuttedFindings, explainRepeat } from '../stations/brief-judge.ts';

/** `JUDGE_REPORT.md`: the report for people. */
export function renderJudgeReport(record: TaskRecord, report: JudgeReport): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`## ${title}`, items.map((item) => `- ${toMarkdownLine(item, 800)}`).join('\n')];
  return (
    [
      `# Judge report: ${record.taskId}`,
      `**${report.verdict}**${report.why === '' ? '' : ` (the judge wrote ${report.said}; ${report.why})`}`,
      toMarkdownLine(report.summary, 2000),
      `Judged: commit \`${report.commit}\`, contract \`${report.contractDigest.slice(0, 16)}\`.`,
      ...list('Blocking issues', report.blocking.map(formatFinding)),
      ...list(
        'Votes',
        (report.panel?.votes ?? []).map(
          ({ reviewer, vote, why, dropped }) =>
            `${reviewer}: ${vote}${why === undefined ? '' : `, ${why}`}${dropped === 0 ? '' : ` (${dropped} left out, which cited nothing that is there)`}`,
        ),
      ),
      ...list('Answers to the rebuttal', (report.answers ?? []).map(formatRebuttalAnswer)),
      ...list('Required fixes', report.fixes),
      ...list('Security flags', report.securityFlags),
      ...list('Suggestions', report.suggestions),
      ...list(
        'Evidence',
        report.evidence.map(
          ({ file, line, quote, found, proves }) =>
            `${file}${line === null ? '' : `:${line}`} "${quote}"${found ? (proves === false ? ' (proves nothing)' : '') : ' (NOT in what was judged)'}`,
        ),
      ),
    ].join('\n\n') + '\n'
  );
}

/** `JUDGE_REPORT.json`: the report for programs, in the format of the contract's version. */
export function judgeReportDocument(record: TaskRecord, report: JudgeReport): object {
  const issues = report.blocking.map(({ severity, category, file, line, description, fix }, index) => ({
    id: `BI-${String(index + 1).padStart(3, '0')}`,
    severity,
    category,
    file: file ?? null,
    line: line ?? null,
    description,
    fix_required: fix ?? null,
  }));
  return {
    task_id: record.taskId,
    commit: report.commit,
    contract_digest: report.contractDigest,
    [record.contract.schemaVersion === '1.0' ? 'grade' : 'verdict']: report.verdict,
    verdict_as_written: report.said,
    summary: report.summary,
    blocking_issues: issues,
    required_fixes: report.fixes,
    suggestions: report.suggestions,
    security_flags: report.securityFlags,
    evidence: report.evidence,
    ...(report.answers === undefined
      ? {}
      : { rebuttal_answers: report.answers.map(({ says, cites, ...one }) => ({ ...one, answer: says, ...cites })) }),
    ...(report.panel === undefined ? {} : { panel: report.panel }),
  };
}

/** `REBUTTAL.md`: for each finding, the fact that contradicts it. */
export function renderRebuttal(record: TaskRecord): string {
  const rebutted = listRebuttedFindings(record).map(
    ({ number, finding }) => `- ${number} ${toMarkdownLine(formatFinding(finding), 800)}`,
  );
  return (
    [
      `# Rebuttal ${record.rebuttals} of ${record.taskId}`,
      ...(rebutted.length === 0 ? [] : ['What the judge holds against the change:', rebutted.join('\n')]),
      `The judge's report on commit \`${record.change?.commit ?? ''}\` is contradicted by these facts:`,
      record.rebuttal.map((point) => `- ${toMarkdownLine(formatRebuttalPoint(point), 1000)}`).join('\n'),
    ].join('\n\n') + '\n'
  );
}

/** `STALL_REPORT.md`: the failures that count, the last refused answer, the likely cause, and alternatives. */
export function renderStallReport(record: TaskRecord): string {
  const { strikes, contract } = record;
  const last = strikes.at(-1) ?? record.lastFacts.strike;
  return (
    [
      `# Stalled: ${record.taskId}`,
      '## Attempts',
      ...(record.takeovers.length === 0 ? [] : [takeoverList(record)]),
      [...strikes, ...(record.lastFacts.strike?.kind === 'refused' ? [record.lastFacts.strike] : [])]
        .map(({ station, kind, why }, index) => `${index + 1}. ${station}, ${kind}: ${toMarkdownLine(why, 1000)}`)
        .join('\n'),
      '## Hypothesis',
      HYPOTHESIS[last?.kind ?? 'crash'] ?? '',
      '## Alternatives',
      [
        `Try again: \`${resumeCommand(record.taskId, 1, record.halt?.id)}\`.`,
        `Name another model in \`roles\` of a new contract (now ${toMarkdownLine(formatImplementers(contract.roles.implementers))}, ${toMarkdownLine((contract.roles.reviewers ?? [contract.roles.localReviewer]).join(', '))}, ${toMarkdownLine((contract.roles.judges ?? [contract.roles.judge]).join(', '))}).`,
        ...(last?.kind === 'stall' ? ['Set a longer `limits.timeout_minutes` in a new contract.'] : []),
        'Split the task into smaller contracts.',
      ]
        .map((one) => `- ${one}`)
        .join('\n'),
    ].join('\n\n') + '\n'
  );
}

const takeoverList = ({ takeovers }: TaskRecord): string =>
  takeovers.map((takeover) => `- implementer: ${toMarkdownLine(formatTakeover(takeover), 1000)}`).join('\n');

const HYPOTHESIS: Readonly<Record<string, string | undefined>> = {
  stall:
    'The agent hangs, waits for something, or the model is too slow on this machine for the stall limit or the hard limit.',
  crash: 'The program or its server is failing; the reason above is in its own words.',
  empty: 'The model gave no text: often a prompt that is too long, or a model that only thinks.',
  unreadable: 'The model does not keep to the answer format; a stronger model or a smaller task usually does.',
  unchanged:
    'The agent ended well without touching a file: it asked back, took the task for done, or its tools failed and it did not say so.',
  'too-long':
    'The prompt is longer than the window of the model, even made small: `andon doctor --fix` gives it a larger one.',
  refused: 'The model keeps to the format but not to the limits; the task may need other allowed paths, or be split.',
};

export function renderGateEvidence(
  gates: GateRun | undefined,
  weakeningReport?: WeakeningReport,
  shownWhenGreen: ReadonlySet<string> = new Set(),
): string {
  const measured = describeWeakeningReport(weakeningReport);
  const broken = awaitingJudge(weakeningReport).flatMap(({ output }) => (output === undefined ? [] : [output]));
  return [gateOutcomes(gates, shownWhenGreen), ...(measured === undefined ? [] : [measured]), ...broken].join('\n\n');
}

function gateOutcomes(gates: GateRun | undefined, shownWhenGreen: ReadonlySet<string>): string {
  if (gates === undefined || gates.results.length === 0) return 'No gates are configured.';
  return gates.results
    .map(({ name, run, outcome, exit, consent, output, passed }) => {
      const known =
        consent === undefined
          ? ''
          : ' (not green on the base either; compared test by test, nothing that passed is red or missing)';
      return `gate ${name} (${run}): ${outcome}, exit ${exit ?? 'none'}, tests passed: ${passed ?? 'unknown'}${known}${outcome === 'green' && !shownWhenGreen.has(name) ? '' : `\n${output}`}`;
    })
    .join('\n');
}

export function renderFindings(record: TaskRecord): string {
  const findings = record.review?.findings ?? [];
  return findings.length === 0
    ? 'The local review has no findings.'
    : toMarkdownBlock(findings.map(formatFinding).join('\n'), 'text');
}

/** The judge's earlier reports on this task, and why its last answer did not count. */
export function renderEarlierRounds(record: TaskRecord): string {
  const rounds = record.rounds.map((round, index) =>
    [
      `Round ${index + 1}: ${round.verdict}. ${round.summary}`,
      ...round.blocking.map((finding) => `- ${formatFinding(finding)}`),
    ].join('\n'),
  );
  const again = explainRepeat(record);
  const refused = again === undefined ? [] : [`The last answer about this change did not count: ${again}`];
  return [...(rounds.length === 0 ? ['This is the first round.'] : rounds), ...refused].join('\n\n');
}
