import { describeFailedTests, extractFailures } from '../../base/failure-excerpt.ts';
import { describeNextStep } from '../words/describe-line.ts';
import { fitRedGates } from '../words/describe-red-gates.ts';
import { HALT_WORDS } from './halt-words.ts';
import { completeResumeCommand, reportCommand } from './resume-command.ts';
import { formatDiffStat, listNonGreen, nameRedGate, type GateResult } from '../record/change.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import { describeWeakeningReport } from '../../rules/model/weakening.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import { getCurrentImplementer } from '../record/implementers.ts';
import { getScope } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatTodos, isTracked, listTodoRows } from '../record/facts.ts';
import { FILES, HANDOFF, type Status } from '../../base/names.ts';
import { toMarkdownBlock, toMarkdownLine } from '../../base/plain-text.ts';
import { haltReach, type Halt, type Trip } from '../record/trip.ts';
import { formatComment } from '../../project/requests/comment.ts';
import { noteSuggestion, summarizeHalt } from './halt-summary.ts';
import { nameSpeaker } from '../words/list-story.ts';
import { createCommentPath } from '../core/comment-path.ts';
import { getContractTitle } from '../words/commit-messages.ts';
import { isUngated, listDoubtSentences } from '../words/view-task.ts';
import { getBudget } from '../record/get-budget.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatDuration, formatSpentTokens } from '../reports/task-report/format-figures.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** The most lines of one side and of the diff; more is one command away, so that the report fits on a screen. */
const SIDE_LINES = 14;
const DIFF_LINES = 30;
/** The lines of a gate's failed tests: what each expected and found decides. */
const TEST_LINES = 40;
/** The most requirements and findings; as few lines more of a text are not cut. */
const FEW = 5;
const LAST_STEPS = 3;

/** `ERIK_HALT.md`: the reason of the halt, its two paths and the state. A person can decide from it alone. */
export function renderHalt(record: TaskRecord, halt: Halt, diff: string): string {
  const { taskId } = record;
  const { breaker } = halt.trip;
  const isWide = haltReach(halt) === 'line';
  const parts = [
    `# ${taskId}: ${toMarkdownLine(getContractTitle(record.contract))}`,
    `**${toMarkdownLine(HALT_WORDS[breaker].ask(record, halt), 600)}**\n${isWide ? `The line is halted at task ${taskId}` : `Task ${taskId} is halted`} (${breaker}): ${reasonOf(halt.trip).replace(/\.?$/, '.')} ${isWide ? 'No task runs or is merged' : 'It does not run and is not merged'} until you answer.`,
    `## The Two Paths\n${path(record, halt, 1)}`,
    path(record, halt, 2),
    `## The Conflict\n${halt.trip.sides.map(({ who, says }) => (who === lastGatesOf(record) ? gatesSide(record, who, says) : side(taskId, who, says))).join('\n\n')}`,
    ...listTamperedVersions(record, halt).map(({ name }) => `Full text: \`${HANDOFF}/${name}\``),
    `## The State\n${state(record).join('\n')}`,
    ...(isShownAsSide(record, halt) ? [] : listNonGreen(record.gates).map((gate) => redGate(taskId, gate))),
    ...(diff === '' ? [] : [toMarkdownBlock(firstLines(diff, DIFF_LINES, `andon show ${taskId} --diff`), 'diff')]),
    ...(halt.also.length === 0
      ? []
      : [
          `## Also tripped\n${halt.also.map((trip) => `- **${HALT_WORDS[trip.breaker].phrase}**: ${reasonOf(trip)}`).join('\n')}`,
        ]),
    [
      '## Other ways',
      ...describeOptions(record, halt),
      ...record.comments.map((one) => `- Your comment is still open: ${toMarkdownLine(formatComment(one), 300)}`),
      `- Full report: \`${reportCommand(taskId)}\`.${record.change === undefined ? '' : ` The change: \`andon show ${taskId} --diff\`.`}`,
      ...sendBackCommand(record, halt),
      ...describeOwnFix(record, halt),
      ...(halt.paths.some(({ effect }) => effect.to === 'abandoned')
        ? []
        : [`- End the task: \`andon abandon ${taskId}\`. ${describeNextStep({ to: 'abandoned' })}`]),
      ...describeDecisionFile(record, halt),
    ].join('\n'),
    forPrograms(record, halt),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The budgets that the task has, as an answer raises them. */
function budgetKeys(record: TaskRecord): readonly string[] {
  const { usd, minutes } = getBudget(record);
  return [...(usd === undefined ? [] : ['budget_usd']), ...(minutes === undefined ? [] : ['budget_minutes'])];
}

/** Where a path ends the task or merges the change, no agent follows that an option could change. */
function describeOptions(record: TaskRecord, { paths }: Halt): readonly string[] {
  const budget = budgetKeys(record).map((key) => ` \`--${key.replace('_', '-')} N\`,`);
  const open = paths.flatMap(({ effect }, at) =>
    effect.to === 'abandoned' || effect.verdict === 'PASS' ? [] : [`path ${at + 1}`],
  );
  return open.length === 0
    ? []
    : [
        `- Add to the command of ${open.join(' or ')}: \`--say "a sentence for the agents"\`, \`--allow FILE\`, \`--model NAME\`,${budget.join('')} \`--max-diff-size LINES\`.`,
      ];
}

/** What a person can do with the change itself; without a change there is no branch. */
function describeOwnFix({ taskId, change }: TaskRecord, { paths }: Halt): readonly string[] {
  const keeping = paths.flatMap(({ effect }, at) =>
    effect.fresh === true || effect.to === 'abandoned' ? [] : [`path ${at + 1}`],
  );
  return change === undefined || keeping.length === 0
    ? []
    : [
        `- Fix it yourself: \`git switch --no-overwrite-ignore task/${taskId}\`, commit, \`git switch -\`, then answer with ${keeping.join(' or ')}. Whatever the path says, your commits are merged only after limits, gates, review and judge.`,
      ];
}

/** A reason may be mixed with text from outside, which stays escaped; a command of andon in it shows as code. */
const reasonOf = ({ reason }: Trip): string =>
  toMarkdownLine(reason, 600).replace(/\\`(andon [a-z][a-z -]*)\\`/g, '`$1`');

/** One side in its own words: a short plain sentence on its line, anything else in a fence. */
function side(taskId: string, who: string, says: string): string {
  const named = `**${toMarkdownLine(who)}**:`;
  const text = says.trimEnd();
  if (text.trim() === '') return `${named} (nothing)`;
  if (text.length <= SENTENCE && toMarkdownLine(text) === text) return `${named} ${text}`;
  const part = /^gates?\b/.test(who) ? fitRedGates(text, EXCERPT) : firstLines(text, SIDE_LINES, reportCommand(taskId));
  return `${named}\n\n${toMarkdownBlock(part, 'text')}`;
}

/** Whether the output of the last gate run is one of the sides already. */
const isShownAsSide = (record: TaskRecord, { trip }: Halt): boolean =>
  trip.sides.some(({ who }) => who === lastGatesOf(record));

const lastGatesOf = ({ attempt }: TaskRecord): string => `gates on attempt ${attempt}`;

/** The last gate run as a side: each red gate by itself, from its own results instead of from an excerpt of them. */
function gatesSide(record: TaskRecord, who: string, says: string): string {
  const red = listNonGreen(record.gates).filter(({ blocks }) => blocks);
  if (red.length === 0) return side(record.taskId, who, says);
  return [`**${who}**:`, ...red.map((gate) => redGate(record.taskId, gate))].join('\n\n');
}

/** The longest text that is shown on its line, where it has no sign that Markdown would take. */
const SENTENCE = 200;

function firstLines(text: string, most: number, rest: string): string {
  const lines = text.split('\n');
  if (lines.length <= most + FEW) return text; // a few lines more are no reason to look elsewhere
  return [...lines.slice(0, most), `(${lines.length - most} more lines: ${rest})`].join('\n');
}

function path(record: TaskRecord, halt: Halt, number: 1 | 2): string {
  const { taskId } = record;
  const way = halt.paths[number - 1] ?? halt.paths[0];
  const why = noteSuggestion(summarizeHalt(record, halt), number);
  return [
    `### Path ${number}: ${toMarkdownLine(way.title)}`,
    `${toMarkdownLine(way.does, 1000)} ${describeNextStep(way.effect, way.does)}`.trimEnd() + why,
    toMarkdownBlock(completeResumeCommand(taskId, number, halt.id, way), 'sh'),
  ].join('\n');
}

/** What an answer is bound to: this halt, its tree and its contract. */
const bindingOf = ({ taskId, contractDigest }: TaskRecord, { id, tree, nonce }: Halt) => ({
  task_id: taskId,
  halt: id,
  tree: tree ?? 'none',
  contract_digest: contractDigest,
  ...(nonce === undefined ? {} : { nonce }),
});

/** `DECISION.json`, for programs and editors. */
function describeDecisionFile(record: TaskRecord, halt: Halt): readonly string[] {
  const suggested = summarizeHalt(record, halt).suggestion?.path ?? 1;
  const needs = halt.paths.flatMap((way, at) => [
    ...(way.typed === true ? [`; path ${at + 1} needs \`"confirm": "${record.taskId}"\``] : []),
    ...(way.reasoned === true ? [`; path ${at + 1} needs \`"reason"\``] : []),
  ]);
  return [
    `- Or write this JSON to \`_handoff/DECISION.json\`, with \`path\` 1 or 2${needs.join('')}.${createCommentPath(record) === undefined ? '' : IN_PLACE} Editing this report has no effect. Optional keys: \`by\`, \`reason\`, \`say\`, \`allow\`, \`model\`, ${budgetKeys(
      record,
    )
      .map((key) => `\`${key}\`, `)
      .join('')}\`max_diff_size\`.`,
    toMarkdownBlock(JSON.stringify({ ...bindingOf(record, halt), path: suggested }), 'json'),
  ];
}

const IN_PLACE =
  ' To send the change back, put `"comments": [{"file": "src/a.ts", "line": 12, "text": "…"}]` in place of `"path"`.';

/** The command that sends the change back, and what that permits; empty where no change can be sent back. */
function sendBackCommand(record: TaskRecord, { id }: Halt): readonly string[] {
  const path = createCommentPath(record);
  return path === undefined
    ? []
    : [
        `- Send it back with comments: \`andon comment ${record.taskId} FILE:LINE "what must change" --halt ${id}\`. ${path.does}`,
      ];
}

/** The facts of a halt in a comment, for scripts: Markdown readers do not show it. */
function forPrograms(record: TaskRecord, halt: Halt): string {
  const facts = { ...bindingOf(record, halt), breaker: halt.trip.breaker, status_before: halt.statusBefore };
  const json = JSON.stringify(facts)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`);
  return `<!-- ${json} -->`;
}

/** The step in which a task was halted. */
const STEPS: Partial<Record<Status, string>> = {
  pending_implementer: 'implementation',
  pending_local_review: 'local review',
  pending_judge_review: 'judge review',
  review_in_progress: 'judge review',
  review_complete: 'the floor manager’s decision',
};

function state(record: TaskRecord): readonly string[] {
  const { contract, change, gates, spent, openCall, todos = [] } = record;
  const [review, report] = [record.review, record.report];
  const measured = describeWeakeningReport(record.weakeningReport);
  const unknown = spent.unknownUsd > 0 ? `, and ${formatCount(spent.unknownUsd, 'call')} of unknown cost` : '';
  const now = new Date(record.updatedAt);
  const counters = [
    record.attempt === 0
      ? openCall?.station === 'implementer'
        ? 'During the first attempt'
        : 'Before the first attempt'
      : `Attempt ${record.attempt} by ${toMarkdownLine(getCurrentImplementer(record), 200)}`,
    `Sent back by gates, rules, reviewers or judge: ${formatCount(record.reviewCycles, 'time')} (${contract.limits.maxReviewCycles + record.grants.reviewCycles} allowed)`,
    `The floor manager contradicted the judge: ${formatCount(record.rebuttals, 'time')} (${contract.limits.maxRebuttals + record.grants.rebuttals} allowed)`,
  ];
  const rows = [
    // Without a title of its own, the first requirement is the heading.
    ...few(contract.specification.requirements.filter((text) => text !== getContractTitle(contract))).map(
      (text) => `Wanted: ${text}`,
    ),
    `May change: ${getScope(record).allowedPaths.join(', ')}`,
    `Halted in: ${[...(record.halt === undefined ? [] : [STEPS[record.halt.statusBefore] ?? '']), ...counters].join('. ')}`,
    change === undefined
      ? `There is no change yet${record.refusedAnswers > 0 ? `; ${formatCount(record.refusedAnswers, 'answer')} of the implementer ${record.refusedAnswers === 1 ? 'was' : 'were'} refused` : ''}.`
      : `Change: ${formatDiffStat(change)}, commit ${change.commit.slice(0, 12)} on task/${record.taskId}`,
    ...(isUngated(record)
      ? [UNGATED]
      : gates === undefined
        ? ['No gate has run on this attempt yet.']
        : gates.results.map(gateRow)),
    isTracked(todos) ? `Checklist, ${formatTodos(todos)}. ${listTodoRows(todos).join('; ')}` : '',
    measured === undefined ? '' : `Gates and tests: ${measured}`,
    ...few(listDoubtSentences(record)),
    review === undefined ? '' : `Local review: ${review.verdict}${review.critical ? ', critical security flaw' : ''}`,
    ...few(review?.findings ?? []).map((finding) => `Local review: ${formatFinding(finding)}`),
    report === undefined ? '' : `Judge: ${report.verdict}. ${report.summary}`,
    `Cost so far: $${spent.usd.toFixed(4)}${unknown}; ${formatSpentTokens(record)}; ${formatDuration(spent.minutes * 60_000)} of agents' time in ${formatCount(record.calls.length + record.interruptedCalls, 'call')}${openCall === undefined ? '' : ` and one that was broken off (${openCall.station})`}.`,
  ];
  // The halt itself is above.
  const steps = record.history
    .filter(({ to }) => to !== 'erik_consultation')
    .slice(-LAST_STEPS)
    .map(({ at, event, reason }) => `${formatLocalTime(at, now)} ${nameSpeaker(event)}${reason}`);
  return [
    ...rows.filter((row) => row !== '').map((row) => `- ${toMarkdownLine(row, 600)}`),
    ...(steps.length > 1 ? ['- Last steps:'] : []),
    ...steps.map((step) => `${steps.length > 1 ? '  - ' : '- Last step: '}${toMarkdownLine(step, 600)}`),
  ];
}

const few = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, FEW);

/** The failed tests of a gate, or without results the part of its output around the failure. */
function redGate(taskId: string, { name, failures, output }: GateResult): string {
  const tests = describeFailedTests(failures);
  const shown = tests === '' ? extractFailures(output, EXCERPT) : firstLines(tests, TEST_LINES, reportCommand(taskId));
  return `Gate ${toMarkdownLine(name)}:\n\n${toMarkdownBlock(shown, 'text')}`;
}

/** Characters of a red gate's output in the report; the journal has more. */
const EXCERPT = 1600;

const UNGATED = 'There is no gate, neither in the project nor in the contract: no test was run on this change.';

const gateRow = (gate: GateResult): string => {
  const { outcome, exit, ms, base } = gate;
  return `Gate ${nameRedGate(gate)}: ${outcome}${exit === null ? '' : `, exit ${exit}`}, ${(ms / 1000).toFixed(1)} s; on the base: ${base}`;
};

interface OtherHalt {
  readonly taskId: string;
  readonly halt: Halt;
  /** Its report, from the root of the project. */
  readonly file: string;
}

/** A halt report with a list of the other halts; each names its own report. */
export function withOthers(report: string, others: readonly OtherHalt[]): string {
  if (others.length === 0) return report;
  const rows = others.map(
    ({ taskId, halt, file }) =>
      `- **${taskId}**: ${HALT_WORDS[halt.trip.breaker].phrase}: ${toMarkdownLine(halt.trip.reason, 300)}\n  \`${file}\` has the commands of both paths.`,
  );
  const heading = others.length === 1 ? 'One more halt' : `${others.length} more halts`;
  return `${report}\n## ${heading}\n\n${rows.join('\n')}\n`;
}

/** Both versions of an edited file, and their names below `_handoff/`. */
export function listTamperedVersions(
  { taskId, lastFacts }: TaskRecord,
  { id, trip }: Halt,
): readonly { readonly name: string; readonly text: string }[] {
  const { tampered } = lastFacts;
  if (tampered === undefined || trip.breaker !== 'contract_tampered') return [];
  const { edited, ours, file = FILES.contract } = tampered;
  const named = (whose: string): string => `${FILES.archive}/${taskId}/${id}.${whose}.${file}`;
  return [
    { name: named('edited'), text: withoutSecrets(edited) },
    ...(ours === undefined ? [] : [{ name: named('andon'), text: ours }]),
  ];
}
