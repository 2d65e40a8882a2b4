import type { JournalEntry } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { formatTodos, listTodoRows } from '../../../record/facts.ts';
import { formatModelName, type Cost } from '../../cost.ts';
import { explain } from '../../step.ts';
import { formatEntry } from '../../story.ts';
import { viewTask } from '../../view.ts';
import { gatherFacts, type ReportBasis, type ReportContext } from './facts.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { proofs, scopeRows } from './plain-facts.ts';

export function viewTaskDetails(record: LineRecord, entries: readonly JournalEntry[], around: ReportContext) {
  const basis = gatherFacts(record, entries, around);
  const { story, cost } = basis;
  const { specification, holdout } = record.contract;
  const todos = record.todos ?? [];
  return {
    now: around.now,
    report: reportFacts(basis),
    ...outcomeWord(basis),
    figures: keyFigures(basis),
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
