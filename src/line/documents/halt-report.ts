import { describeNextStep } from '../describe-line.ts';
import { completeResumeCommand } from '../resume-command.ts';
import type { GateRun } from '../../record/change.ts';
import { describeFailedTests, formatDiffStat, listNonGreen } from '../../record/change.ts';
import { extractFailures } from '../../base/failing-part.ts';
import { describeTamperingReport } from '../../record/gate-tampering.ts';
import { formatFinding } from '../../record/finding.ts';
import { getCurrentImplementer } from '../../record/implementers.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { getJudgeReport, getLocalReview } from '../../record/reviews.ts';
import { listTodoRows, formatTodos } from '../../record/todo.ts';
import { HANDOFF } from '../../base/names.ts';
import { toMarkdownBlock, toMarkdownLine, toTerminalLine } from '../../base/plain-text.ts';
import { haltReach } from '../../record/trip.ts';
import type { ResumeEffect, Halt, Trip } from '../../record/trip.ts';
import { getContractTitle } from '../commit-messages.ts';
import { isUngated } from '../view.ts';
import { formatCount, formatDuration } from './task-report/words.ts';
import { listTamperedVersions } from './tampered-versions.ts';

/** How much of a diff the report shows; the rest is one command away. */
const DIFF_LINES = 400;

/** `ERIK_HALT.md`: the reason of the halt, its two paths and the state. A person can decide from it alone. */
export function renderHalt(record: LineRecord, halt: Halt, diff: string): string {
  const versions = listTamperedVersions(record, halt);
  const isWide = haltReach(halt) === 'line';
  return (
    [
      frontMatter(record, halt),
      `# ${toMarkdownLine(getContractTitle(record.contract))}`,
      `${isWide ? `The line is stopped at task ${record.taskId}` : `Task ${record.taskId} is halted`}.`,
      `**${halt.trip.breaker}**: ${reasonOf(halt.trip)}`,
      `${isWide ? 'No task runs or is merged' : 'This task does not run and is not merged'} until you choose one of the two paths below.`,
      '## The Conflict',
      ...halt.trip.sides.flatMap(({ who, says }) => [
        `**${toMarkdownLine(who)}** says:`,
        toMarkdownBlock(says.trim() === '' ? '(nothing)' : says, 'text'),
      ]),
      ...versions.map(({ name }) => `Full text: \`${HANDOFF}/${name}\``),
      '## The Two Paths',
      'Run one of the two commands, or write `_handoff/DECISION.json` as shown below.',
      'andon never reads `ERIK_HALT.md`: edits of this report have no effect.',
      path(record, halt, 1),
      path(record, halt, 2),
      ...asFile(record, halt),
      '## The State',
      ...state(record, diff),
      ...(halt.also.length > 0
        ? ['## Also tripped', halt.also.map((trip) => `- **${trip.breaker}**: ${reasonOf(trip)}`).join('\n')]
        : []),
      '## Other ways',
      [
        `- Add to the resume command: \`--say "a sentence for the agents"\`, \`--allow FILE\`, \`--model NAME\`, \`--budget-usd N\`, \`--max-diff LINES\`. In \`DECISION.json\` the keys are \`say\`, \`allow\`, \`model\`, \`budget_usd\`, \`max_diff\`.`,
        `- See the change: \`andon show ${record.taskId} --diff\`. See the history: \`andon show ${record.taskId}\`.`,
        `- Fix it yourself: commit on the branch \`task/${record.taskId}\`, switch back (\`git switch -\`), then take a path. Your commits must go through gates, review and judge, like any change. They stay in git even if the path restarts or ends the task.`,
        `- End the task: \`andon abandon ${record.taskId}\`. Its branch and attempts stay in git.`,
      ].join('\n'),
    ].join('\n\n') + '\n'
  );
}

/** A reason may be mixed with text from outside, which stays escaped; a command of andon in it shows as code. */
const reasonOf = ({ reason }: Trip): string =>
  toMarkdownLine(reason, 600).replace(/\\`(andon [a-z][a-z -]*)\\`/g, '`$1`');

function frontMatter(record: LineRecord, halt: Halt): string {
  const [one, two] = halt.paths;
  const rows = {
    halt: halt.id,
    task: record.taskId,
    breaker: halt.trip.breaker,
    status_before: halt.statusBefore,
    tree: halt.tree ?? 'none',
    contract_digest: record.contractDigest,
    ...(halt.nonce === undefined ? {} : { nonce: halt.nonce }),
    path_1: inOrder(one.effect),
    path_2: inOrder(two.effect),
  };
  return `---\n${Object.entries(rows)
    .map(([key, text]) => `${key}: ${JSON.stringify(toTerminalLine(text, 2000)).replaceAll('<', String.raw`\u003c`)}`)
    .join('\n')}\n---`;
}

/** The same text whether the effect comes from a breaker or, later, from the journal. */
const inOrder = (effect: ResumeEffect): string => JSON.stringify(effect, Object.keys(effect).toSorted());

function path({ taskId }: LineRecord, { id, paths }: Halt, number: 1 | 2): string {
  const [one, two] = paths;
  const way = number === 1 ? one : two;
  return [
    `### Path ${number}: ${toMarkdownLine(way.title)}`,
    `${toMarkdownLine(way.does, 1000)} ${describeNextStep(way.effect.to)}`,
    toMarkdownBlock(completeResumeCommand(taskId, number, id, way), 'sh'),
  ].join('\n\n');
}

/** `DECISION.json`, for scripts and editors. */
function asFile({ taskId, contractDigest }: LineRecord, { id, tree, nonce, paths }: Halt): readonly string[] {
  const bound = { tree: tree ?? 'none', contract_digest: contractDigest, ...(nonce === undefined ? {} : { nonce }) };
  const answer = { task_id: taskId, halt: id, path: 1, ...bound };
  const needs = paths.flatMap((way, at) => [
    ...(way.typed === true ? [`; path ${at + 1} needs \`"confirm": "${taskId}"\` too`] : []),
    ...(way.reasoned === true ? [`; path ${at + 1} needs \`"reason"\``] : []),
  ]);
  return [
    `Content of \`_handoff/DECISION.json\` (\`path\` is 1 or 2; \`by\` and \`reason\` are optional${needs.join('')}):`,
    toMarkdownBlock(JSON.stringify(answer, null, 2), 'json'),
  ];
}

function state(record: LineRecord, diff: string): string[] {
  const { contract, change, gates, spent } = record;
  const [review, report] = [getLocalReview(record), getJudgeReport(record)];
  const measured = describeTamperingReport(record.bending);
  const lines = diff.split('\n');
  const shown =
    lines.length > DIFF_LINES
      ? [...lines.slice(0, DIFF_LINES), `(${lines.length - DIFF_LINES} more lines: andon show ${record.taskId} --diff)`]
      : lines;
  const snapshot = {
    task_id: record.taskId,
    status_before: record.halt?.statusBefore,
    attempt: record.attempt,
    implementer: toTerminalLine(getCurrentImplementer(record), 200),
    rebuttals: `${record.rebuttals} of ${contract.limits.maxRebuttals + record.grants.rebuttals}`,
    review_cycles: `${record.reviewCycles} of ${contract.limits.maxReviewCycles + record.grants.reviewCycles}`,
    requirements: contract.specification.requirements,
    allowed_paths: [...contract.constraints.allowedPaths, ...record.grants.paths],
    base: record.base,
    branch: `task/${record.taskId}`,
    commit: change?.commit ?? 'none',
  };
  const unknown = spent.unknownUsd > 0 ? `, and ${formatCount(spent.unknownUsd, 'call')} of unknown cost` : '';
  return [
    `Contract and counters:\n\n${toMarkdownBlock(JSON.stringify(snapshot, null, 2), 'json')}`,
    change === undefined
      ? 'There is no change yet.'
      : `The change, ${formatDiffStat(change)}:\n\n${toMarkdownBlock(shown.join('\n'), 'diff')}`,
    isUngated(record) ? UNGATED : gates === undefined ? 'No gate has run on this tree.' : gateTable(gates),
    (record.todos ?? []).length === 0
      ? ''
      : `Checklist, ${formatTodos(record.todos ?? [])}:\n\n${toMarkdownBlock(listTodoRows(record.todos ?? []).join('\n'), 'text')}`,
    measured === undefined ? '' : `Gates and tests:\n\n${toMarkdownBlock(measured, 'text')}`,
    review === undefined
      ? ''
      : `Local review: ${review.verdict}${review.critical ? ', critical security flaw' : ''}.${review.findings.length > 0 ? `\n\n${toMarkdownBlock(review.findings.map(formatFinding).join('\n'), 'text')}` : ''}`,
    report === undefined ? '' : `Judge: ${report.verdict}. ${toMarkdownLine(report.summary, 600)}`,
    `Cost so far: $${spent.usd.toFixed(4)}${unknown}; ${spent.tokens} tokens; ${formatDuration(spent.minutes * 60_000)} of agents' time in ${formatCount(record.calls.length, 'call')}.`,
    `Timeline:\n\n${toMarkdownBlock(
      record.history
        .slice(-30)
        .map(({ at, event, from, to, reason }) => `${at}  ${from} -> ${to}  ${event}: ${toTerminalLine(reason, 160)}`)
        .join('\n'),
      'text',
    )}`,
  ].filter((part) => part !== '');
}

/** Shown at every halt of a task without gates. */
const UNGATED = 'There is no gate, neither in the project nor in the contract: only the reviewers decide.';

function gateTable(gates: GateRun): string {
  const rows = gates.results.map(
    ({ name, outcome, exit, ms, base }) =>
      `| ${toMarkdownLine(name)} | ${outcome} | ${exit ?? '-'} | ${(ms / 1000).toFixed(1)} s | ${base} |`,
  );
  const table = ['| gate | outcome | exit | time | on the base |', '|---|---|---|---|---|', ...rows].join('\n');
  const red = listNonGreen(gates).map((gate) => {
    const failed = describeFailedTests(gate.failures);
    const part = extractFailures(gate.output, failed === '' ? EXCERPT : EXCERPT / 4);
    return `Gate ${toMarkdownLine(gate.name)}:\n\n${toMarkdownBlock([failed, part].filter((one) => one !== '').join('\n\n'), 'text')}`;
  });
  return [table, ...red].join('\n\n');
}

/** Characters of a red gate's output in the report; the journal has more. */
const EXCERPT = 3000;
