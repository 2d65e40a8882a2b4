import type { OpenComment } from '../../project/requests/comment.ts';
import type { Change, GateRun } from './change.ts';
import type { Fingerprint } from '../../source/change-fingerprint.ts';
import type { GateConsent } from './base-run.ts';
import type { WeakeningReport } from '../../rules/model/weakening.ts';
import type { Called, Moved, Started } from './journal-entry.ts';
import type { Facts, AgentFeedback, PartialAnswer, Strike, TodoState } from './facts.ts';
import type { Takeover } from './implementers.ts';
import type { Status, StationId } from '../../base/names.ts';
import type { PanelTurn, RebuttalPoint, JudgeReport, LocalReview } from './review.ts';
import type { SettledCall } from '../../agents/ledger.ts';
import type { RuledFinding, RuledMoment, Ruling } from '../../rules/model/ruling.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import type { BreakerId, Halt, ResumeEffect } from './trip.ts';

export interface Rejected {
  readonly attempt: number;
  readonly commit: string;
  readonly tree: string;
  readonly by: 'gates' | 'rules' | 'reviewer' | 'judge' | 'human';
  readonly why: string;
  readonly print?: Fingerprint | undefined;
  /** A person rejected it in words of their own, so that what follows is an answer to them. */
  readonly inWords?: true | undefined;
}

/** What an answer to a halt raises: limits, and further agent failures, answers out of scope and unreadable reports. */
export const GRANTED_AMOUNTS = [
  'rebuttals',
  'reviewCycles',
  'stallTries',
  'scopeTries',
  'reportTries',
  'polishRounds',
  'usd',
  'tokens',
  'minutes',
  'timeoutMinutes',
  'diffSize',
] as const satisfies readonly (keyof ResumeEffect)[];
export type GrantedAmount = (typeof GRANTED_AMOUNTS)[number];

/** A tree that a person accepted at a halt, and who did. */
export interface ApprovedTree {
  readonly tree: string;
  readonly breaker: BreakerId | undefined;
  readonly halt: string;
  readonly by: string;
}

/** What a person granted in answers to halts: sums, never resets. */
export interface Grants extends Readonly<Record<GrantedAmount, number>> {
  readonly paths: readonly string[];
  /** Whether answers may shorten files, as with `allow_shrink`. */
  readonly shrink: boolean;
  /** Changes that a person accepted although a breaker stopped them. */
  readonly approved: readonly ApprovedTree[];
  /** Waived findings of rules, by fingerprint. */
  readonly waived: readonly string[];
  /** Gates that may be other than green on the base, and what they must show afterwards. */
  readonly gates: readonly GateConsent[];
  /** Permitted weakenings of gates and tests, by mark. */
  readonly weakened: readonly string[];
}

export interface HumanWords {
  readonly by: string;
  readonly at: string;
  readonly text: string;
}

/**
 * A waiting call: for its program (a provider limit, a server that is down) or for andon's hours and ceilings. It is
 * no failure.
 */
export interface Hold {
  readonly station: StationId;
  readonly reason: string;
  readonly since: string;
  readonly at: string;
  /** When the program expects to be available. */
  readonly until: string | null;
  readonly tries: number;
  /** Which of andon's own limits holds it; undefined where it waits for its program. */
  readonly own?: 'hours' | 'night' | 'ceiling' | undefined;
}

/** A call whose answer is in the state folder, and how often andon failed to process it. */
export interface Answered {
  readonly started: Started;
  readonly digest: string;
  readonly faults: number;
}

/** The story of one task, folded from the journal; the only input of every decision. */
export interface TaskRecord {
  readonly taskId: string;
  readonly contract: TaskContract;
  /** The contract as the user wrote it, for writing it back. */
  readonly document: Readonly<Record<string, unknown>>;
  /** SHA-256 of the contract as received; verdicts are bound to it. */
  readonly contractDigest: string;
  readonly target: string;
  readonly base: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: Status;
  readonly statusReason: string;
  /** The implementer's attempts so far, interrupted ones included. */
  readonly attempt: number;
  readonly calls: readonly Called[];
  /** Calls that were cut off, which are not among those. */
  readonly interruptedCalls: number;
  /** A call that began and has not ended; at startup, a crash interrupted it. */
  readonly openCall: Started | undefined;
  /** A received and paid answer that no transition has processed. */
  readonly answered: Answered | undefined;
  readonly callCount: number;
  /** The newest unreadable entry, until a halt reports it. */
  readonly unreadable?: { readonly seq: number; readonly why: string } | undefined;
  readonly hold: Hold | undefined;
  /** An external judge judges this task, whatever is configured: a person chose it at a halt. */
  readonly judgedOutside: boolean;
  /** Consecutive strikes at the current station. */
  readonly strikes: readonly Strike[];
  readonly stalls: number;
  readonly takeovers: readonly (Takeover & { readonly at: string })[];
  /** Consecutive red gates and judge FAILs since the last takeover. */
  readonly inARow: { readonly red: number; readonly fail: number };
  readonly refusedAnswers: number;
  /** Answers of this turn that went back because of a project rule. */
  readonly regenerated: number;
  /** Requirements and acceptance criteria of the current change, with their evidence; empty before its gates. */
  readonly todos?: readonly TodoState[] | undefined;
  /** The accepted part of the implementer's last answer, and what is requested again. */
  readonly partial?: PartialAnswer | undefined;
  readonly scopeRefusals: number;
  readonly reviewCycles: number;
  readonly localRounds: number;
  /** Rounds through the quick channel: since the last full round, and in all. */
  readonly quickFixes: { readonly stage: number; readonly task: number };
  /** The rules were applied to the contract; once per admission is enough. */
  readonly contractRuled: boolean;
  /** Deferred violations that have not surfaced yet, by subject. */
  readonly putOff: readonly { readonly moment: RuledMoment; readonly one: RuledFinding }[];
  /** The rules that are not sure, of the last ruling at each moment. */
  readonly doubts: readonly Pick<Ruling, 'moment' | 'found'>[];
  readonly rebuttals: number;
  readonly unreadableReports: number;
  readonly feedback: readonly AgentFeedback[];
  readonly change: Change | undefined;
  readonly gates: GateRun | undefined;
  /** The contract arrived without any gate. */
  readonly ungated?: boolean | undefined;
  readonly weakeningReport: WeakeningReport | undefined;
  /** How often a change weakened gates or tests without consent. */
  readonly timesWeakened: number;
  /** The local review of the current change: of all reviewers together. */
  readonly review: LocalReview | undefined;
  /** The judge's report on the current change. */
  readonly report: JudgeReport | undefined;
  /** The panel's turns on the current change, until it is settled. */
  readonly panel?: readonly PanelTurn[] | undefined;
  /** For reviewers that are asked again: why their last answer had no vote. */
  readonly askedAnew?: NonNullable<Facts['panelAgain']> | undefined;
  readonly rounds: readonly JudgeReport[];
  readonly rebuttal: readonly RebuttalPoint[];
  readonly rejected: readonly Rejected[];
  /** The next implementer step only runs gates again: the base moved, or a person made the tree. */
  readonly onlyGates: boolean;
  /** The next attempt starts from the target branch instead of the last attempt. */
  readonly fresh: boolean;
  /** What people told the agents of this task, oldest first. Every later prompt has it. */
  readonly words: readonly HumanWords[];
  /** Comments of people that are required fixes, oldest first. */
  readonly comments: readonly OpenComment[];
  readonly grants: Grants;
  /** A figure with unknown parts is a marked lower bound. */
  readonly spent: SettledCall;
  /** The person's answer to the last report, after a halt. */
  readonly sided: 'PASS' | 'FAIL' | undefined;
  /** The last transition's event; breakers about a single step read it. */
  readonly lastFacts: Moved['facts'];
  readonly halt: Halt | undefined;
  readonly parked?: string | undefined;
  /** It was parked until just now: its base may have moved. */
  readonly takenUp?: true | undefined;
  /** Why the newest answer to this halt, or decision on this report, through the folder does not count. */
  readonly refusedAnswer: string | undefined;
  /** Halts over every admission of this id; halt ids are never reused. */
  readonly halts: number;
  readonly lastChoice: Pick<NonNullable<Facts['choice']>, 'halt' | 'path' | 'by' | 'effect'> | undefined;
  readonly merge: Facts['merge'];
  /** Reverted merges that a person knows of; they do not prevent another merge. */
  readonly takenBack: readonly string[];
  readonly undone: string | undefined;
  readonly history: readonly Readonly<Pick<Moved, 'at' | 'event' | 'from' | 'to' | 'reason'>>[];
}
