import type { Board } from '../../line/board/board.ts';

/** What the page knows at its start, and what it may ask for. */
export interface Start {
  readonly board: Board;
  /** Nothing can be asked for here; why, in words. */
  readonly read_only: string | null;
  readonly version: string;
}

/** One file of a patch. */
export interface FilePatch {
  readonly name: string;
  readonly added: number;
  readonly deleted: number;
  readonly text: string;
}

/** The files of a change without their text, or the text of one of them. */
export interface DiffTold {
  readonly files: readonly Omit<FilePatch, 'text'>[];
  /** Files that are not listed any more. */
  readonly hidden: number;
  readonly text: string | null;
  /** Characters of this file that are not shown. */
  readonly cut: number;
}

/** A text that is given in pieces. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly total: number;
}

/** What came of something that was asked for. */
export type Outcome =
  | { readonly ok: true; readonly said: string }
  | {
      readonly ok: false;
      readonly code: string;
      readonly said: string;
      readonly remedy: string;
      readonly faults?: readonly { readonly path: string; readonly said: string }[];
    };

/** One task as its page tells it: what `andon report --json` prints, with contract, calls, findings and story. */
export interface TaskTold {
  readonly task_id: string;
  readonly repository: string;
  readonly root: string;
  readonly is_whole: boolean;
  readonly report: ReportFacts;
  readonly contract: string;
  readonly calls: readonly {
    readonly call: number;
    readonly station: string;
    readonly model: string;
    readonly ok: boolean;
    readonly why: string | null;
    readonly ms: number;
    readonly usd: number | null;
    readonly tokens: number | null;
  }[];
  readonly story: readonly { readonly at: string; readonly text: string }[];
  readonly breakers: readonly { readonly id: string; readonly question: string; readonly answer: string }[];
}

/** The part of a report that the page shows. */
export interface ReportFacts {
  readonly status: string;
  readonly status_reason: string;
  readonly outcome: string;
  readonly project: string;
  readonly attempt: number;
  readonly branch: string;
  readonly target: string;
  readonly base: string;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly agent_minutes: number;
  readonly from: string;
  readonly to: string;
  readonly verdict: string | null;
  readonly weakened: readonly string[];
  readonly ungated: boolean;
  readonly waited_for_human_ms: number;
  readonly halt: { readonly id: string; readonly breaker: string; readonly reason: string } | null;
  readonly halts: readonly HaltFacts[];
  readonly rounds: readonly RoundFacts[];
  readonly attempts: readonly AttemptFacts[];
}

export interface HaltFacts {
  readonly at: string;
  readonly id: string;
  readonly trip: {
    readonly breaker: string;
    readonly reason: string;
    readonly sides: readonly { readonly who: string; readonly says: string }[];
  };
  readonly also: readonly { readonly breaker: string; readonly reason: string }[];
  readonly paths: readonly {
    readonly title: string;
    readonly does: string;
    readonly typed?: true;
    readonly reasoned?: true;
  }[];
  readonly choice: {
    readonly at: string;
    readonly path: number | null;
    readonly by: string;
    readonly how: string;
  } | null;
}

export interface FindingFacts {
  readonly severity: string;
  readonly category: string;
  readonly file?: string;
  readonly line?: number;
  readonly description: string;
  readonly evidence?: string;
  readonly fix?: string;
}

export interface RoundFacts {
  readonly by: string;
  readonly number: number;
  readonly at: string;
  readonly attempt: number;
  readonly verdict: string;
  readonly blocking: readonly FindingFacts[];
  readonly others: readonly FindingFacts[];
}

export interface AttemptFacts {
  readonly number: number;
  readonly at: string;
  readonly commit: string | null;
  readonly fate: string;
  readonly gates: readonly {
    readonly name: string;
    readonly run: string;
    readonly outcome: string;
    readonly base: string;
    readonly output?: string;
  }[];
}

/** The rules of one repository and what came of them. */
export interface RulesTold {
  readonly rules: readonly {
    readonly id: string;
    readonly title: string;
    readonly severity: string;
    readonly hard: boolean;
    readonly violations: number;
    readonly waived: number;
    readonly marked_false: number;
    readonly last: string | null;
  }[];
  readonly waivers: readonly {
    readonly rule: string;
    readonly reason: string;
    readonly owner: string;
    readonly expires: string;
    readonly path: string | null;
    readonly is_over: boolean;
  }[];
  readonly faults: readonly string[];
}

/** What every task used, and what became of the work of each agent. */
export interface CostsTold {
  readonly tasks: readonly (Used & { readonly repository: string; readonly task_id: string; readonly day: string })[];
  readonly agents: readonly (Used & {
    readonly repository: string;
    readonly station: string;
    readonly model: string;
    readonly tasks: number;
    readonly changes: number;
    readonly gate_red: number;
    readonly merged: number;
    readonly findings: number;
    readonly findings_held: number;
    readonly findings_refuted: number;
  })[];
}

interface Used {
  readonly calls: number;
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  /** Calls that did not report all they used: the sums are lower bounds. */
  readonly unknown: number;
}
