import type { DiffRow } from '../../base/read-diff.ts';
import type { ChoiceChanges } from '../../project/requests/request.ts';
import type { TaskOnPage } from '../../project/contract/draft/proposal-page.ts';
import type { AgentStats, ReviewerRow } from '../../line/reports/reviewer-ledger.ts';
import type { Board } from '../../line/board/board.ts';
import type { CallOutput } from '../../line/board/call-output.ts';
import type { Cost } from '../../line/core/cost.ts';
import type { Digest } from '../../line/digest/digest.ts';
import type { Outline } from '../../line/digest/outline-digest.ts';
import type { TaskDetails } from '../../line/reports/task-report/task-details.ts';
import type { ChangedFile } from '../../base/changed-file.ts';
import type { RuleStatistics } from '../../rules/model/audit-entry.ts';
import type { SyntaxToken } from '../../source/syntax-token.ts';
import type { Waiver } from '../../rules/model/inspection.ts';

export interface PageData {
  readonly board: Board;
  /** Nothing can be asked for here; why, in words. */
  readonly read_only: string | null;
  readonly version: string;
}

/** The files of a change; not there while a change is still handed over, or when its commits were taken away. */
export type ChangeResponse =
  | { readonly is_there: false }
  | {
      readonly is_there: true;
      readonly files: readonly ChangedFile[];
      /** Files that are not listed any more. */
      readonly hidden: number;
    };

export interface PatchResponse {
  readonly rows: readonly DiffRow[];
  /** There is more of it, which is not shown. */
  readonly is_cut: boolean;
}

/** The tokens of the shown lines of one file, by line of the old and of the new file; without those that stay plain. */
export interface ColoursResponse {
  readonly old: Readonly<Record<number, readonly SyntaxToken[]>>;
  readonly fresh: Readonly<Record<number, readonly SyntaxToken[]>>;
}

export type { TextPiece as Piece } from '../../project/folders/text-piece.ts';

export type LoginResponse = { readonly ok: true; readonly session: string } | RefusedAction;

/** A fault of what was sent, or of a file; its line where it is known. */
export interface FaultResponse {
  readonly path: string;
  readonly line?: number | null;
  readonly said: string;
}

interface DoneAction {
  readonly ok: true;
  readonly said: string;
}

interface RefusedAction {
  readonly ok: false;
  readonly code: string;
  readonly said: string;
  readonly remedy: string;
  readonly faults?: readonly FaultResponse[];
}

export type ActionOutcome = DoneAction | RefusedAction;

/** A QR code as the path of an SVG picture of this width and height. */
export interface QrCodePicture {
  readonly size: number;
  readonly path: string;
}

/** A link for one more browser; no code where a phone cannot reach its address. */
export type LinkResponse = (DoneAction & { readonly code: QrCodePicture | null }) | RefusedAction;

/** The public key for which a browser asks its push service for an address. */
export type PushKeyResponse = (DoneAction & { readonly key: string }) | RefusedAction;

/** The browsers that were let in, the newest first. */
export interface DevicesResponse {
  readonly devices: readonly {
    readonly id: string;
    readonly name: string;
    readonly at: string;
    /** The one that asks. */
    readonly is_own: boolean;
    /** It asked for notifications. */
    readonly is_notified: boolean;
  }[];
}

export interface TaskResponse extends TaskDetails {
  readonly task_id: string;
  readonly repository: string;
  readonly root: string;
  /** What waits for a person who is its floor manager; null = nothing. */
  readonly decision: {
    /** Binds a decision to this report. */
    readonly nonce: string;
    readonly verdict: string;
    readonly summary: string;
    /** Numbered, as a rebuttal names them. */
    readonly findings: readonly string[];
    readonly fixes: readonly string[];
  } | null;
}

/** A contract that waits, or the proposal, as a person may correct it. */
export interface WaitingFileResponse {
  readonly file: string;
  readonly text: string;
  readonly faults: readonly FaultResponse[];
  /** Identifies this text: a save that began with another one is refused. */
  readonly version: string;
  /** Its path, where the text is not as in the file, so that only an editor can change it; else null. */
  readonly edit_at: string | null;
  /** The contracts of a proposal; an approval names them by `shown`. */
  readonly draft: {
    readonly tasks: readonly (TaskOnPage & {
      readonly title: string;
      readonly requirements: readonly string[];
      readonly allowed_paths: readonly string[];
    })[];
    readonly by: string | null;
    readonly shown: string;
  } | null;
}

/** The last lines of the calls of a task that run now. */
export interface LiveResponse {
  readonly calls: readonly Pick<CallOutput, 'call' | 'station' | 'lines'>[];
}

/** The newest line of a running call, as pages are told of it. */
export type OutputLine = Pick<CallOutput, 'repository' | 'task_id' | 'call'> & {
  /** How many lines it has written. */
  readonly count: number;
  readonly line: string;
};

export type { GivenComment } from '../../project/requests/comment.ts';
/** What may be changed along with a path of a halt. */
export type LimitKey = Exclude<keyof ChoiceChanges, 'say'>;

export interface RulesResponse {
  readonly rules: readonly (Pick<RuleStatistics, 'violations' | 'waived' | 'markedFalse'> & {
    readonly id: string;
    readonly title: string;
    readonly severity: string;
    readonly hard: boolean;
    readonly last: string | null;
  })[];
  /** What was found last, newest first. */
  readonly found: readonly ViolationResponse[];
  readonly waivers: readonly (Waiver & { readonly is_over: boolean })[];
  readonly faults: readonly string[];
}

export interface ViolationResponse {
  readonly at: string;
  readonly rule: string;
  readonly priority: string;
  readonly where: string;
  readonly task: string | null;
  readonly message: string;
  readonly action: string;
}

export interface InsightsResponse {
  /** Each day (UTC) of a repository on which something was used, merged or halted, oldest first. */
  readonly days: readonly {
    readonly repository: string;
    readonly day: string;
    /** Tasks with a call. */
    readonly tasks: number;
    readonly cost: Cost;
    readonly merged: number;
    /** Merged at the first attempt. */
    readonly first_pass: number;
    /** How long the halts that were answered on this day had waited. */
    readonly waited_ms: number;
    /** By cause. */
    readonly halts: readonly { readonly phrase: string; readonly count: number }[];
  }[];
  readonly tasks: readonly (Cost & { readonly repository: string; readonly task_id: string; readonly title: string })[];
  readonly agents: readonly (AgentStats & { readonly repository: string })[];
  readonly reviewers: readonly (ReviewerRow & { readonly repository: string })[];
}

/** The digest of all repositories; its times are of the journal's form. */
export interface DigestResponse {
  readonly digest: Digest;
  /** The same in sentences: each section has its items in the order of the digest. */
  readonly outline: Outline;
  /** How each merge was judged and tested, in the order of the digest. */
  readonly proofs: readonly string[];
  /** What was spent, in words. */
  readonly spent: string;
}
