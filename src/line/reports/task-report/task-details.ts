import { formatImplementers } from '../../record/implementers.ts';
import { describeWeakening } from '../../../rules/model/weakening.ts';
import { toBranchName } from '../../../base/names.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { formatTodos, isTracked, listTodoRows } from '../../record/facts.ts';
import { formatModelName, toCostFacts, type Cost } from '../../core/cost.ts';
import { listApprovals } from '../../core/grants.ts';
import { explain } from '../../core/step.ts';
import { listStory } from '../../words/list-story.ts';
import { listDoubtSentences, viewTask } from '../../words/view-task.ts';
import { gatherFacts, type ReportBasis, type ReportContext } from './gather-facts.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './task-outcome.ts';

export function viewTaskDetails(record: TaskRecord, entries: readonly JournalEntry[], around: ReportContext) {
  const basis = gatherFacts(record, entries, around);
  const { story, cost } = basis;
  const { specification, holdout } = record.contract;
  const todos = record.todos ?? [];
  const approvals = listApprovals(record);
  return {
    now: around.now,
    report: reportFacts(basis),
    ...outcomeWord(basis),
    figures: keyFigures(basis),
    contract: {
      requirements: specification.requirements,
      criteria: [...specification.acceptanceCriteria, ...holdout.criteria],
      checklist: !isTracked(todos) ? null : { summary: formatTodos(todos), items: listTodoRows(todos) },
      bounds: scopeRows(record),
      document: JSON.stringify(record.document, null, 2),
    },
    calls: story.flatMap(callIn),
    cost_total: costRow({ ...cost.total, station: 'Together', model: '' }),
    breakers: (explain(story).at(-1)?.answers ?? []).map(({ breaker, question, trips }) => {
      const allowed = approvals.find((one) => one.breaker === breaker);
      return {
        id: breaker,
        question,
        answer: trips ?? (allowed === undefined ? 'no' : `yes, allowed by ${allowed.by}`),
      };
    }),
    story: listStory(story),
  };
}

export type TaskDetails = ReturnType<typeof viewTaskDetails>;

function callIn(entry: JournalEntry) {
  if (entry.kind !== 'called') return [];
  const { call, station, ok, why = null, ms, usd, tokensIn, tokensOut } = entry;
  const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
  return [{ call, station, model: formatModelName(entry), ok, why, ms, usd, tokens }];
}

const costRow = ({ station, model, ...cost }: Cost & { readonly station: string; readonly model: string }) => ({
  station,
  model,
  ...toCostFacts(cost),
});

/** The report for programs: `andon show --json`, with what the report page adds. */
function reportFacts(basis: ReportBasis) {
  const { record, from, to, isOver, isChainWhole, waits, timeline, halts, rounds, attempts } = basis;
  return {
    ...viewTask(record),
    outcome: outcomeSentence(basis),
    from,
    to,
    is_over: isOver,
    waited_for_human_ms: waits.human,
    waited_for_agents_ms: waits.agents,
    journal_is_whole: isChainWhole,
    timeline,
    halts,
    rounds,
    attempts,
    cost_by_role: basis.cost.rows.map(costRow),
    verification: Object.fromEntries(proofs(basis)),
  };
}

export type ReportFacts = TaskDetails['report'];

type Fact = readonly [name: string, value: string];

function scopeRows({ contract, grants }: TaskRecord): readonly Fact[] {
  const { constraints, limits, roles, gates, holdout } = contract;
  const { usd, tokens, minutes } = limits.budget;
  const budget = [
    ...(usd === undefined ? [] : [`$${usd + grants.usd}`]),
    ...(tokens === undefined ? [] : [`${tokens + grants.tokens} tokens`]),
    ...(minutes === undefined ? [] : [`${minutes + grants.minutes} minutes`]),
  ];
  const facts: readonly Fact[] = [
    ['Allowed paths', constraints.allowedPaths.join(', ')],
    ['Allowed by a human', grants.paths.join(', ')],
    ['Forbidden paths', constraints.forbiddenPaths.join(', ')],
    ['Deleting files', constraints.allowDeletes ? 'allowed' : 'not allowed'],
    ['Shortening files', constraints.allowShrink === true ? 'allowed' : ''],
    ['Tests that may change', (constraints.allowTestChanges ?? []).join(', ')],
    ['Losing tests', constraints.allowTestLoss === true ? 'allowed' : ''],
    ['Largest diff', `${constraints.maxDiffSize + grants.diffSize} lines`],
    ['Rebuttals', `at most ${limits.maxRebuttals + grants.rebuttals}`],
    ['Review cycles', `at most ${limits.maxReviewCycles + grants.reviewCycles}`],
    ['Budget', budget.join(', ') || 'none'],
    ['Gates of the contract', [...gates, ...holdout.gates].map(({ name }) => name).join(', ')],
    ['Implementer', formatImplementers(roles.implementers)],
    ['Local reviewer', (roles.reviewers ?? [roles.localReviewer]).join(', ')],
    ['Judge', (roles.judges ?? [roles.judge]).join(', ')],
    ['Floor manager', roles.floorManager ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The ids that tie the report to git and journal; whole, for comparison. */
function proofs({ record, isChainWhole, story }: ReportBasis): readonly Fact[] {
  const { change, merge } = record;
  const report = record.report;
  const isMerged = record.status === 'merged' && merge !== undefined;
  const facts: readonly Fact[] = [
    ['Contract digest (SHA-256)', record.contractDigest],
    ['Base commit', change?.base ?? record.base],
    ['Commit of the attempt', change?.commit ?? ''],
    ['Tree of the change', change?.tree ?? ''],
    ['Gates ran on tree', record.gates?.tree ?? ''],
    ['Gates and tests', (record.weakeningReport?.weakenings ?? []).map(describeWeakening).join('; ')],
    ['Rules that are not sure', listDoubtSentences(record).join('; ')],
    ['Judged commit', report?.commit ?? ''],
    ['Judged tree', report?.tree ?? ''],
    ['Judged contract digest', report?.contractDigest ?? ''],
    ['Judge’s report (SHA-256)', report?.digest ?? ''],
    ['Branch', `task/${record.taskId}, into ${toBranchName(record.target)}`],
    ['Merge commit', isMerged ? merge.commit : ''],
    ['Tip of the target after it', isMerged && merge.tip !== merge.commit ? merge.tip : ''],
    ['Undone by commit', record.undone ?? ''],
    [
      'Journal',
      `${story.length} entries; the repository’s chain of hashes is ${isChainWhole ? 'whole' : 'BROKEN: do not trust this report'}`,
    ],
  ];
  return facts.filter(([, value]) => value !== '');
}
