import { FILES, HANDOFF, type Status } from '../../base/names.ts';

/** The parts of a contract that andon writes, in the keys of the file; the journal is what it believes. */
export interface ContractStatusView {
  readonly status: Status;
  readonly status_reason: string;
  readonly attempt: number;
  /** ISO 8601, UTC. A `created_at` of the user stays. */
  readonly timestamps: { readonly created_at: string; readonly updated_at: string };
  readonly handoff_data: {
    readonly implementer_notes: string;
    readonly changed_files: readonly string[];
    /** The files to judge; undefined while no judge is asked. */
    readonly artifacts?: readonly string[] | undefined;
    readonly diff_summary: string;
    readonly local_review_passed: boolean | null;
    readonly local_review_issues: readonly string[];
  };
  readonly breaker: {
    readonly status: 'armed' | 'tripped';
    readonly rebuttal_count: number;
    readonly triggered_by: string | null;
    readonly trigger_reason: string | null;
    readonly review_cycle_count: number;
    /** Undefined when they were not measured: then the key is left out, never 0. */
    readonly tokens_used: number | undefined;
    readonly cost_usd: number | undefined;
  };
  /** The newest transitions, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** The number of transitions before those. */
  readonly history_omitted: number;
}

/** One transition in the contract. */
interface HistoryEntry {
  readonly at: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

type Section = Record<string, unknown>;

/** Keys of schema 2.0: they are written into a 1.0 contract only where it has them already. */
const OF_VERSION_2: readonly string[] = [
  'last_transition_id',
  'attempt',
  'diff_summary',
  'local_review_passed',
  'local_review_issues',
  'triggered_by',
  'trigger_reason',
  'review_cycle_count',
  'tokens_used',
  'cost_usd',
];

/** Where the papers of a task are; a contract cannot move them. */
export const PAPER_PATHS = {
  judge_report_path: `${HANDOFF}/${FILES.judgeReport}`,
  judge_report_json: `${HANDOFF}/${FILES.judgeReportJson}`,
  rebuttal_path: `${HANDOFF}/${FILES.rebuttal}`,
} as const;

/** Writes a contract back in the version, spelling and key order of its user, with andon's keys updated. */
export function writeContract(document: Readonly<Section>, view: ContractStatusView): string {
  const isTwo = document['schema_version'] === '2.0';
  const named = (status: string): string => (isTwo && status === 'review_in_progress' ? `judge_${status}` : status);
  /** An existing key keeps its place in the order; `undefined` removes the key. */
  const put = (target: Section, values: Readonly<Section>): Section => {
    for (const [key, value] of Object.entries(values)) {
      if (!isTwo && OF_VERSION_2.includes(key) && !Object.hasOwn(target, key)) continue;
      if (value === undefined) delete target[key];
      else target[key] = value;
    }
    return target;
  };
  const section = (key: string): Section => ({ ...(document[key] as Section | undefined) });
  const { timestamps, handoff_data: handoff, history, history_omitted: omitted } = view;
  const [times, papers] = [section('timestamps'), section('handoff_data')];
  const { implementer_notes: notes, changed_files: files, artifacts, ...review } = handoff;

  const written = put(
    { ...document },
    {
      status: named(view.status),
      status_reason: view.status_reason,
      last_transition_id: transitionId(history.length + omitted),
      attempt: view.attempt,
    },
  );
  const created = typeof times['created_at'] === 'string' ? times['created_at'] : timestamps.created_at;
  written['timestamps'] = put(times, { created_at: created, updated_at: timestamps.updated_at });
  written['handoff_data'] = put(papers, {
    implementer_notes: notes,
    changed_files: files,
    artifacts,
    ...PAPER_PATHS,
    ...review,
  });
  written['breaker'] = put(section('breaker'), view.breaker);
  put(written, {
    history: history.map(({ at, event, from, to, reason }) => ({
      at,
      event,
      from: named(from),
      to: named(to),
      reason,
    })),
    history_omitted: omitted > 0 ? omitted : undefined,
  });
  return `${JSON.stringify(written, null, 2)}\n`;
}

const transitionId = (number: number): string | null => (number === 0 ? null : `tr-${String(number).padStart(3, '0')}`);
