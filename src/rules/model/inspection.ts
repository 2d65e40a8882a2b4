import type {
  Layer,
  Modality,
  Handler,
  Phase,
  ProsePlace,
  RulePriority,
  RuleSeverity,
  RuleStatus,
  Suppressor,
  Surface,
  ViolationType,
} from './rule-words.ts';
import type { Mode } from '../../project/config/config-words.ts';
import { formatRuleSource, type RuleFault } from '../../project/config/rule-fault.ts';

/** How the warning begins that a change decides over itself; reports for reviewers raise it. */
export const CHANGES_RULES = 'this change also changes its own rules';

/** One checked file: as a change leaves it, or whole. */
export interface SubjectFile {
  readonly path: string;
  /** The old path of a moved file. */
  readonly from?: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'moved' | 'whole';
  /** Its lines, if any, are only the pieces of it that can be read. */
  readonly binary: boolean;
  /** Why its text is unreadable although the file exists; rules about it are unchecked, not kept. */
  readonly unread?: string;
  /** It is a commit of another repository, whose files are not checked. */
  readonly isSubmodule?: true;
  /** The whole text after the change; absent for deleted and binary files and where only a patch is known. */
  readonly content?: string;
  /** The lines that are new, by their 1-based number after the change; every line when `change` is `whole`. */
  readonly added: readonly NumberedLine[];
  /** Every line of a moved file, for rules that did not look at its old path; absent where only a patch is known. */
  readonly all?: readonly NumberedLine[];
}

/** A line by its 1-based number in its file. */
interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** Lines that one commit of a branch brought and the branch as a whole does not show any more. */
export interface HistoryPiece {
  readonly path: string;
  readonly commit: string;
  /** The commit that took them away, where it is known. */
  readonly takenBy?: string;
  readonly isPieces?: true;
  readonly added: readonly NumberedLine[];
}

/** What is written beside the files of a branch: messages of its commits, notes on them, tags. */
export interface HistoryText {
  /** Which one it is, for people: `the message of commit 0123456789ab`. */
  readonly what: string;
  readonly text: string;
}

/** What rules are applied to: prose by its place, files, or both. */
export interface Subject extends Readonly<Partial<Record<ProsePlace, string>>> {
  readonly files: readonly SubjectFile[];
  /** What the commits of a branch brought and took away again; `unread` says why it is not known. */
  readonly history?: {
    readonly pieces: readonly HistoryPiece[];
    readonly texts?: readonly HistoryText[];
    readonly unread?: string;
  };
  /** Every path of the project, for checks that ask what is there; undefined when it is not known. */
  readonly project?: readonly string[];
}

/** The context of the rules; they read no other clock or configuration. */
export interface InspectionContext {
  /** Only rules of this phase act; undefined: every rule whatever its phase. */
  readonly phase?: Phase | undefined;
  /** The moment, ISO 8601; waivers expire by it. */
  readonly now: string;
  /** The task in words; narrows which rules of prose are relevant. */
  readonly task?: string | undefined;
  readonly stack?: readonly string[];
  readonly agentType?: string | undefined;
  readonly taskStatus?: string | undefined;
  /** Scenarios and steps that are in force, by `scope_id`. */
  readonly scopes?: readonly string[] | undefined;
  /** Rule globs of an agent profile (`all`, `security/*`). */
  readonly profileRules?: readonly string[] | undefined;
  readonly quality?: 'high' | undefined;
  /** How often reminders were ignored, by their rules. */
  readonly ignored?: ReadonlyMap<string, number>;
  /** Context for expressions: of the session (the conversation, the task) and of its user. */
  readonly variables?:
    | {
        readonly session?: Readonly<Record<string, unknown>>;
        readonly profile?: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

export interface RuleMatch {
  readonly layer: Layer;
  readonly status: RuleStatus;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  /** Where; empty when the whole subject is meant. */
  readonly places: readonly MatchPlace[];
  /** The terms that carried a semantic score, heaviest first. */
  readonly terms?: readonly { readonly term: string; readonly weight: number }[];
  /** How a response fails a rule, where it does. */
  readonly violation?: ViolationType;
  /** What happened on the way, for `--trace`. */
  readonly trace?: readonly { readonly step: string; readonly outcome: string }[];
}

/** What a layer says without more than a reason. */
export const createMatch = (
  layer: Layer,
  status: RuleStatus,
  confidence: number,
  reason: string,
  places: readonly MatchPlace[] = [],
): RuleMatch => ({ layer, status, confidence, reason, places });

export interface MatchPlace {
  readonly file?: string;
  /** 1-based; absent for a whole file. */
  readonly line?: number;
  readonly column?: number;
  /** The matched text, cut and with secrets masked, because it is printed. */
  readonly excerpt: string;
  /** What a fingerprint is made of: the matched text, whitespace normalised, never printed. */
  readonly matched: string;
  /** A number above its bound. It is part of the fingerprint, so a measure that grows is another finding. */
  readonly measured?: number;
}

interface AboutRule {
  readonly rule: string;
  readonly title: string;
  readonly severity: RuleSeverity;
  readonly modality: Modality;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** One violation at one place, as reports print it. */
export interface RuleFinding extends AboutRule {
  readonly priority: RulePriority;
  readonly handler: Handler;
  /** Why priority and handler are not what the rule says. */
  readonly countsBecause?: string;
  readonly hard: boolean;
  readonly status: Extract<RuleStatus, 'VIOLATED' | 'ERROR' | 'UNDECIDED'>;
  readonly message: string;
  readonly suggestion?: string;
  /** The words alone do not decide (`UNDECIDED`): what would. */
  readonly not_sure?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly excerpt?: string;
  /** sha256 of rule, path, normalised matched text and occurrence; survives moved lines. */
  readonly fingerprint: string;
  readonly suppressed?: Suppression;
  readonly enforcedBy?: 'hard_constraint';
  readonly violation?: ViolationType;
  /** Its rule is waived only by a waiver that a human signed. */
  readonly waivable?: false;
  /** The phase in which this priority may act next; the finding is recorded until then. */
  readonly deferredTo?: Phase;
}

/** Whether a finding counts here and now: nothing suppresses it, and its priority may act in this phase. */
export const isOpen = ({ suppressed, deferredTo }: RuleFinding): boolean =>
  suppressed === undefined && deferredTo === undefined;

/** Whether a finding says that something was not checked which had to be: never a pass. Words that do not decide are no pass in strict mode. */
export const isUnchecked = ({ status, modality, hard, not_sure: doubt }: RuleFinding, mode?: Mode): boolean =>
  status === 'ERROR' ||
  (status === 'UNDECIDED' && (modality === 'MUST' || hard) && (doubt === undefined || mode === 'strict'));

/** What answers where words do not decide. */
export const ASK_AN_AGENT =
  'an agent can answer: name one in your own configuration, `llm: { agent: claude }`; commands ask it with --llm';

/** A rule that is not sure, in one sentence. */
export const formatDoubt = (rule: string, reason: string, answer: string): string =>
  `${rule} is not sure: ${reason.replace(/^not sure: /, '')}; ${answer}`.replace(/\s+/g, ' ').trim();

/** Whether one of the layers that read words is not sure; a language model can answer instead. */
export const isDoubt = ({ layer, status }: RuleMatch): boolean =>
  status === 'UNDECIDED' && (layer === 'keyword' || layer === 'semantic');

/** Why a finding does not count; it stays visible. */
export interface Suppression {
  readonly by: Suppressor;
  readonly reason: string;
  readonly owner?: string;
  readonly expires?: string;
}

export interface RuleResult extends AboutRule {
  readonly status: RuleStatus;
  readonly layers: readonly RuleMatch[];
  /** A heuristic was overruled, or layers disagree: a human should look. */
  readonly needsReview?: boolean;
}

/** A fault of configuration or engine: exit code 2, never a pass. */
export interface InspectionFault {
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

/** A fault of rules, waivers or baseline as an inspection reports it. */
export const toInspectionFault = ({ source, path, message, remedy }: RuleFault): InspectionFault => ({
  where: `${formatRuleSource(source)} ${path}`,
  what: message,
  remedy,
});

export interface TraceStep {
  readonly step: string;
  readonly rule?: string;
  readonly outcome: string;
}

/** An inspection written out by every reporter; `exit` is decided once, by code. */
export interface Inspection {
  readonly surface: Surface;
  readonly mode: Mode;
  readonly threshold: number;
  readonly phase?: Phase;
  /** The subject in words ("the change since main", "3 staged files"). */
  readonly subject: string;
  readonly results: readonly RuleResult[];
  readonly findings: readonly RuleFinding[];
  /** 0 to 100 over applicable rules; 100 when no MUST or SHOULD rule applies, and reports then say that there is no score. */
  readonly score: number;
  readonly exit: 0 | 1 | 2;
  /** Why it is not 0, in a sentence each. */
  readonly because: readonly string[];
  readonly faults: readonly InspectionFault[];
  readonly warnings: readonly string[];
  readonly trace: readonly TraceStep[];
  readonly response?: ResponseOutcome;
}

/** One failure of a response, as its author sees it. */
export interface ConstraintViolation {
  /** Null where it is no rule's, but that of relevance or grounding. */
  readonly rule_id: string | null;
  readonly rule_name: string;
  readonly violation_type: ViolationType | 'rule_violated';
  readonly details: string;
}

/** What came of a response: whether it may be delivered, and what is delivered in its place. */
export interface ResponseOutcome {
  /** Whether what is delivered, or what was given where nothing is, holds. */
  readonly passed: boolean;
  /** Of the last text that was written for the question; they stay also where a fallback is delivered. */
  readonly violations: readonly ConstraintViolation[];
  /** Undecided rules, one sentence each: never delivered in silence. */
  readonly unverified: readonly string[];
  readonly attempts: number;
  readonly fallback_used: boolean;
  /** The very text that was checked; null where none may be delivered. */
  readonly delivered: { readonly text: string; readonly from: 'response' | 'regenerated' | 'fallback' } | null;
  /** Nothing may be delivered: a human decides. */
  readonly escalated: boolean;
}

/** A human's permission that a rule need not hold for a while, as `.andon/waivers.yaml` gives it. */
export interface Waiver {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** `YYYY-MM-DD`, the last day on which it counts (UTC), or the moment at which it ends (RFC 3339, with its zone). */
  readonly expires: string;
  /** A glob; without it the waiver holds everywhere, also for findings without a file. */
  readonly path?: string;
  /** The human who answers for waiving a hard constraint, a P0 rule or one that says `waivable: false`; without it those are not waived. */
  readonly signed_by?: string;
}

/** A finding that was there before rules were enforced, as `.andon/baseline.json` lists it. */
export interface BaselineEntry {
  readonly rule: string;
  readonly path: string;
  readonly fingerprint: string;
  /** Of a measure, the number that was there; more than that is a new finding. */
  readonly most?: number;
}

/** Whether a waiver counts no longer at a moment: its last day ends with midnight UTC, an end with a time right then. */
export const isExpired = ({ expires }: Pick<Waiver, 'expires'>, now: string): boolean =>
  expires.includes('T') ? Date.parse(expires) <= Date.parse(now) : expires < now.slice(0, 10);
