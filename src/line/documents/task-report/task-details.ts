import { formatComment } from '../../../record/comment.ts';
import { formatDiffStat } from '../../../record/change.ts';
import type { JournalEntry } from '../../../record/journal-entry.ts';
import { formatTodos, listTodoRows } from '../../../record/facts.ts';
import { formatModelName, type Cost } from '../../cost.ts';
import { describeNextStep } from '../../describe-line.ts';
import { explain } from '../../step.ts';
import { resumeCommand } from '../../resume-command.ts';
import { formatEntry } from '../../story.ts';
import { viewTask } from '../../view.ts';
import { measureWaits, type TaskReport } from './facts.ts';
import { describeHaltAnswer } from './halts.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { proofs, scopeRows } from './plain-facts.ts';

/** A task as plain data: the board's task page and the report page show the same. */
export function viewTaskDetails(report: TaskReport) {
  const { record, story, cost, now } = report;
  const { specification, holdout } = record.contract;
  const todos = record.todos ?? [];
  return {
    now,
    report: reportFacts(report),
    ...outcomeWord(report),
    figures: keyFigures(report),
    contract: {
      requirements: specification.requirements,
      criteria: [...specification.acceptanceCriteria, ...holdout.criteria],
      checklist: todos.length === 0 ? null : { summary: formatTodos(todos), items: listTodoRows(todos) },
      bounds: scopeRows(record),
      document: JSON.stringify(record.document, null, 2),
    },
    calls: story.flatMap(callIn),
    cost_total: costRow({ ...cost.total, station: 'Together', model: '' }),
    breakers: (explain(story).at(-1)?.answers ?? []).map(({ breaker, question, trips }) => {
      return { id: breaker, question, answer: trips ?? 'no' };
    }),
    story: story.flatMap((entry) => {
      const text = formatEntry(entry);
      return text === undefined ? [] : [{ at: entry.at, text }];
    }),
  };
}

export type TaskDetails = ReturnType<typeof viewTaskDetails>;

function callIn(entry: JournalEntry) {
  if (entry.kind !== 'called') return [];
  const { call, station, ok, why = null, ms, usd, tokensIn, tokensOut } = entry;
  const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
  return [{ call, station, model: formatModelName(entry), ok, why, ms, usd, tokens }];
}

function costRow(row: Cost & { readonly station: string; readonly model: string }) {
  const { station, model, calls, tokensIn, tokensOut, usd, minutes, unknown } = row;
  const tokens = { tokens_in: tokensIn, tokens_out: tokensOut };
  return { station, model, calls, ...tokens, usd, agent_minutes: minutes, calls_not_wholly_reported: unknown };
}

/** The report for programs: `andon show --json`, with what the report page adds. */
export function reportFacts(report: TaskReport) {
  const { record, from, to, isOver, refs, isChainWhole } = report;
  const { human, agents } = measureWaits(report);
  return {
    ...viewTask(record),
    outcome: outcomeSentence(report),
    from,
    to,
    is_over: isOver,
    waited_for_human_ms: human,
    waited_for_agents_ms: agents,
    journal_is_whole: isChainWhole,
    timeline: report.spans.map(({ lane, kind, from, to, isBad, number, text }) => {
      return { lane, kind, from, to, sent_back: isBad, number: number ?? null, text };
    }),
    halts: report.halts.map(({ at, halt, choice }) => {
      const isOpen = choice === undefined && record.halt?.id === halt.id;
      const steps = ([1, 2] as const).map((path) => ({
        next: describeNextStep(halt.paths[path === 1 ? 0 : 1].effect),
        command: isOpen ? resumeCommand(record.taskId, path, halt.id) : null,
      }));
      const answer =
        choice === undefined
          ? null
          : {
              ...choice,
              path: choice.path ?? null,
              comments: (choice.comments ?? []).map(formatComment),
              answer: describeHaltAnswer(choice),
            };
      return { at, ...halt, steps, choice: answer };
    }),
    rounds: report.rounds.map(({ by, reviewer, number, at, attempt, verdict, blocking, others, report, ledTo }) => {
      const findings = blocking.map(({ finding, isGone }) => ({ ...finding, gone_in_next_round: isGone ?? null }));
      const evidence = report?.evidence ?? [];
      const { said, why, summary, fixes, suggestions, securityFlags } = report ?? {};
      const judged = report && { said, why, summary, fixes, suggestions, security_flags: securityFlags };
      const led = { evidence, judged: judged ?? null, led_to: ledTo ?? null };
      return { by, reviewer, number, at, attempt, verdict, blocking: findings, others, ...led };
    }),
    attempts: report.attempts.map(({ number, at, change, gates, fate }) => {
      const commit = change?.commit ?? null;
      const ref = commit === null ? null : (refs.get(commit) ?? null);
      const diff = change === undefined ? null : formatDiffStat(change);
      const ran = { gates: gates?.results ?? [], gates_tree: gates?.tree ?? null, cage: gates?.cage ?? null };
      return { number, at, commit, tree: change?.tree ?? null, ref, diff, ...ran, notes: change?.notes ?? '', fate };
    }),
    cost_by_role: report.cost.rows.map(costRow),
    verification: Object.fromEntries(proofs(report)),
  };
}

export type ReportFacts = ReturnType<typeof reportFacts>;
