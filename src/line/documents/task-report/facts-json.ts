import { viewTask } from '../../view.ts';
import { countTalk } from '../../message-stats.ts';
import { measureWaits, type TaskReport } from './facts.ts';
import { outcomeSentence } from './outcome.ts';
import { proofs } from './plain-facts.ts';

/** The report for programs: `andon show --json`, with the additional facts of page and Markdown. */
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
      return { at, ...halt, choice: choice === undefined ? null : { ...choice, path: choice.path ?? null } };
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
      return { number, at, commit, tree: change?.tree ?? null, ref, gates: gates?.results ?? [], fate };
    }),
    cost_by_role: report.cost.rows.map(({ station, model, calls, tokensIn, tokensOut, usd, minutes, unknown }) => {
      const tokens = { tokens_in: tokensIn, tokens_out: tokensOut };
      return { station, model, calls, ...tokens, usd, agent_minutes: minutes, calls_not_wholly_reported: unknown };
    }),
    messages: countTalk([report.story]),
    verification: Object.fromEntries(proofs(report)),
  };
}

export type ReportFacts = ReturnType<typeof reportFacts>;
