import type { Change, GateRun } from './change.ts';
import type { Fingerprint } from '../likeness/fingerprint.ts';
import type { GateConsent } from './gate-consent.ts';
import type { TamperingReport } from './gate-tampering.ts';
import type { Called, Moved, Started } from './journal-entry.ts';
import type { Facts, Feedback } from './facts.ts';
import type { Takeover } from './implementers.ts';
import type { Status, StationId } from '../base/names.ts';
import type { PanelTurn } from './panel-turn.ts';
import type { PartialAnswer } from './partial-answer.ts';
import type { RebuttalPoint } from './rebuttal.ts';
import type { JudgeReport } from './review.ts';
import type { Review } from './reviews.ts';
import type { Ruled, RuledMoment } from './ruling.ts';
import type { TodoState } from './todo.ts';
import type { TaskContract } from '../contract/task-contract.ts';
import type { Halt } from './trip.ts';

/** An attempt that was turned down, remembered by its tree so that it is known when it comes back. */
export interface Rejected {
  readonly attempt: number;
  readonly commit: string;
  readonly tree: string;
  readonly by: 'gates' | 'rules' | 'reviewer' | 'judge' | 'human';
  readonly why: string;
  readonly print?: Fingerprint | undefined;
}

/** What a human allowed in answers to halts: sums, never resets. */
export interface Grants {
  readonly rebuttals: number;
  readonly reviewCycles: number;
  /** Further failures of an agent, answers outside the scope, and unreadable reports that are forgiven. */
  readonly stallTries: number;
  readonly scopeTries: number;
  readonly reportTries: number;
  readonly polishRounds: number;
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  readonly timeoutMinutes: number;
  readonly diffSize: number;
  readonly paths: readonly string[];
  readonly approvedTrees: readonly string[];
  /** Findings of rules that may stand, by fingerprint. */
  readonly waived: readonly string[];
  /** Gates that may be other than green on the base, and what is demanded of them after. */
  readonly gates: readonly GateConsent[];
  /** Ways in which gates and tests may be weakened, by their marks. */
  readonly weakened: readonly string[];
}

/** A call that waits: for its program (a provider's limit, a server that is down), or for andon's own hours and ceilings. Visible, and no failure. */
export interface Hold {
  readonly station: StationId;
  readonly reason: string;
  /** When the program was first out of reach. */
  readonly since: string;
  /** When it was last tried. */
  readonly at: string;
  /** When it says it works again. */
  readonly until: string | null;
  /** Tries in a row that found it out of reach. */
  readonly tries: number;
  /** What of andon's own holds it; undefined where it waits for its program. */
  readonly own?: 'hours' | 'night' | 'ceiling' | undefined;
}

/** A call whose answer the state folder keeps, and how often andon itself failed over it. */
export interface Answered {
  readonly started: Started;
  readonly digest: string;
  readonly faults: number;
}

/** What a task has used; a figure with unknown parts is a lower bound and says so. */
export interface Spent {
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  /** Calls whose cost or tokens nobody reported. */
  readonly unknownUsd: number;
  readonly unknownTokens: number;
}

/** The whole story of one task, folded from the journal: everything is decided from this and nothing else. */
export interface LineRecord {
  readonly taskId: string;
  readonly contract: TaskContract;
  /** The contract as the user wrote it, for writing it back. */
  readonly document: Readonly<Record<string, unknown>>;
  /** SHA-256 of the contract as it was dropped; verdicts are bound to it. */
  readonly contractDigest: string;
  readonly target: string;
  /** The commit of the target branch on which the task builds now. */
  readonly base: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: Status;
  readonly statusReason: string;
  /** Attempts of the implementer so far, interrupted ones included. */
  readonly attempt: number;
  readonly calls: readonly Called[];
  /** A call that has begun and not ended; found at start, it was interrupted by a crash. */
  readonly openCall: Started | undefined;
  /** An answer that was received and paid for, and that no transition has taken in yet. */
  readonly answered: Answered | undefined;
  readonly callCount: number;
  /** The newest entry of its story that cannot be read, until a halt has told a human of it. */
  readonly unreadable?: { readonly seq: number; readonly why: string } | undefined;
  readonly hold: Hold | undefined;
  /** Somebody outside judges this task, whatever is configured: a human chose so at a halt. */
  readonly judgedOutside: boolean;
  /** A human wants to wait until target or setup is no longer what this digest was made of. */
  readonly waitsFor?: string | undefined;
  /** Strikes at the station the line stands at, in a row. */
  readonly strikes: readonly { readonly station: StationId; readonly kind: string; readonly why: string }[];
  readonly stalls: number;
  /** Every time that the next implementer of the list took the work over, oldest first. */
  readonly takeovers: readonly (Takeover & { readonly at: string })[];
  /** Red runs of gates and FAILs of the judge without any other between them, since the implementer of now works. */
  readonly inARow: { readonly red: number; readonly fail: number };
  readonly refusedAnswers: number;
  /** Of the answers of this turn, how many went back because they broke a rule of the project. */
  readonly regenerated: number;
  /** Requirements and acceptance criteria of the change that stands, and how each is known to be met; empty before its gates. */
  readonly todos?: readonly TodoState[] | undefined;
  /** What was taken of the implementer's last answer, and what of it is asked again. */
  readonly partial?: PartialAnswer | undefined;
  readonly scopeRefusals: number;
  readonly reviewCycles: number;
  readonly localRounds: number;
  /** Rounds through the quick channel: since the last full round, and in all. */
  readonly quickFixes: { readonly stage: number; readonly task: number };
  /** The rules were asked about the contract; once per admission is enough. */
  readonly contractRuled: boolean;
  /** Violations that were put off to a later phase and have not surfaced yet, by what was looked at. */
  readonly putOff: readonly { readonly moment: RuledMoment; readonly one: Ruled }[];
  readonly rebuttals: number;
  readonly unreadableReports: number;
  readonly feedback: readonly Feedback[];
  readonly change: Change | undefined;
  readonly gates: GateRun | undefined;
  /** There was no gate at all when the contract came in. */
  readonly ungated?: boolean | undefined;
  /** What the change does to its gates and tests. */
  readonly bending: TamperingReport | undefined;
  /** Times that a change weakened them without consent. */
  readonly weakenings: number;
  /** What each reviewer says of the change that stands; read through `reviews.ts`. */
  readonly reviews: readonly Review[];
  /** What the reviewers of a panel said of the change that stands, while it is not settled. */
  readonly panel?: readonly PanelTurn[] | undefined;
  /** Of those that are asked anew about it, why their last answer gave them no vote. */
  readonly askedAnew?: NonNullable<Facts['panelAgain']> | undefined;
  /** Every judged round, oldest first. */
  readonly rounds: readonly JudgeReport[];
  readonly rebuttal: readonly RebuttalPoint[];
  readonly rejected: readonly Rejected[];
  /** The next implementer step only runs gates again: the tree is there, but it moved onto a new base or a human made it. */
  readonly onlyGates: boolean;
  /** The next attempt starts from the target branch instead of the last attempt. */
  readonly fresh: boolean;
  readonly grants: Grants;
  readonly spent: Spent;
  /** The human's side on the last report, after a halt. */
  readonly sided: 'PASS' | 'FAIL' | undefined;
  /** What the last transition brought; breakers about a single step look here. */
  readonly lastFacts: Moved['facts'];
  readonly halt: Halt | undefined;
  /** Since when the task is put aside while others go on, until it is taken up again. */
  readonly parked?: string | undefined;
  /** It was parked until just now: what it rests on may have moved meanwhile. */
  readonly takenUp?: true | undefined;
  /** Why the newest answer to this halt through the folder does not count. */
  readonly refusedAnswer: string | undefined;
  /** Halts so far, over every admission of this id: a halt's id is never used twice. */
  readonly halts: number;
  readonly lastChoice: Pick<NonNullable<Facts['choice']>, 'halt' | 'path' | 'by' | 'effect'> | undefined;
  readonly merge: Facts['merge'];
  /** Merges that were made and taken back, of which a human knows: they stand in no way of another one. */
  readonly takenBack: readonly string[];
  /** The commit that took the merge back. */
  readonly undone: string | undefined;
  readonly history: readonly Readonly<Pick<Moved, 'at' | 'event' | 'from' | 'to' | 'reason'>>[];
}
