import { FILES, HANDOFF, type Status } from '../base/names.ts';

/** What andon shows of a task in its contract; the journal is what it believes. */
export interface ContractStatusView {
  readonly status: Status;
  readonly statusReason: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** When andon admitted it; what the user says of it himself stays. */
  readonly createdAt: string;
  readonly attempt: number;
  readonly rebuttals: number;
  readonly reviewCycles: number;
  /** Undefined when nobody measured it: it is then left out, never written as 0. */
  readonly tokens: number | undefined;
  readonly usd: number | undefined;
  readonly breaker: 'armed' | 'tripped';
  readonly triggeredBy?: string;
  readonly triggerReason?: string;
  readonly changedFiles: readonly string[];
  /** What the judge is to look at, by the name that the blueprint's prompt has for it; undefined while nobody judges. */
  readonly artifacts?: readonly string[];
  readonly notes: string;
  /** The newest 50 transitions, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** How many transitions came before those. */
  readonly historyOmitted: number;
  readonly localReview?: { readonly passed: boolean; readonly issues: readonly string[] };
  readonly diffSummary?: string;
}

/** One transition as the contract shows it. */
interface HistoryEntry {
  readonly at: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

type Section = Record<string, unknown>;

/**
 * Writes a contract back in the version, spelling and key order its user chose, with andon's fields updated; fields
 * that only schema 2.0 knows go into a 1.0 contract only where it has them already.
 */
export function writeContract(document: Readonly<Record<string, unknown>>, view: ContractStatusView): string {
  const isTwo = document['schema_version'] === '2.0';
  const named = (status: string): string => (isTwo && status === 'review_in_progress' ? `judge_${status}` : status);
  const written: Section = { ...document };
  const put = into(isTwo);

  put(written, { status: named(view.status), status_reason: view.statusReason });
  put(written, {}, { last_transition_id: lastTransition(view), attempt: view.attempt });
  const times = section(written, 'timestamps');
  const createdAt = typeof times['created_at'] === 'string' ? times['created_at'] : view.createdAt;
  written['timestamps'] = put(times, { created_at: createdAt, updated_at: view.updatedAt });
  written['handoff_data'] = handoff(section(written, 'handoff_data'), view, put);
  written['breaker'] = put(
    section(written, 'breaker'),
    { status: view.breaker, rebuttal_count: view.rebuttals },
    {
      triggered_by: view.triggeredBy ?? null,
      trigger_reason: view.triggerReason ?? null,
      review_cycle_count: view.reviewCycles,
      tokens_used: view.tokens,
      cost_usd: view.usd,
    },
  );
  put(written, {
    history: view.history.map(({ at, event, from, to, reason }) => ({
      at,
      event,
      from: named(from),
      to: named(to),
      reason,
    })),
    history_omitted: view.historyOmitted > 0 ? view.historyOmitted : undefined,
  });
  return `${JSON.stringify(written, null, 2)}\n`;
}

type Put = (target: Section, always: Section, onlyTwo?: Section) => Section;

/** Sets fields in place: an existing key keeps its place in the order, `undefined` takes the key away. */
function into(isTwo: boolean): Put {
  return (target, always, onlyTwo = {}) => {
    const wanted = Object.entries(onlyTwo).filter(([key]) => isTwo || Object.hasOwn(target, key));
    for (const [key, value] of [...Object.entries(always), ...wanted]) {
      if (value === undefined) delete target[key];
      else target[key] = value;
    }
    return target;
  };
}

function section(document: Section, key: string): Section {
  return { ...(document[key] as Section | undefined) };
}

function handoff(written: Section, view: ContractStatusView, put: Put): Section {
  const { localReview } = view;
  return put(
    written,
    {
      implementer_notes: view.notes,
      changed_files: view.changedFiles,
      artifacts: view.artifacts,
      judge_report_path: written['judge_report_path'] || `${HANDOFF}/${FILES.judgeReport}`,
      judge_report_json: written['judge_report_json'] || `${HANDOFF}/${FILES.judgeReportJson}`,
      rebuttal_path: written['rebuttal_path'] || `${HANDOFF}/${FILES.rebuttal}`,
    },
    {
      diff_summary: view.diffSummary ?? '',
      local_review_passed: localReview?.passed ?? null,
      local_review_issues: localReview?.issues ?? [],
    },
  );
}

function lastTransition({ history, historyOmitted }: ContractStatusView): string | null {
  const number = history.length + historyOmitted;
  return number === 0 ? null : `tr-${String(number).padStart(3, '0')}`;
}
