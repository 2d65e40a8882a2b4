import type { Finding } from '../../record/finding.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { JudgeReport, LocalReview } from '../../record/review.ts';
import type { RuledMoment } from '../../record/ruling.ts';
import type { MessageSettings } from '../../rule-model/message-settings.ts';

/** Every message check, in the order in which they are asked. */
export const MESSAGE_CHECKS = [
  'no_change',
  'untrue_notes',
  'open_todo',
  'no_finding',
  'ungrounded_finding',
  'praising_review',
  'unfounded_pass',
  'unopened_change',
  'off_topic_report',
  'unfounded_report',
] as const;
export type MessageCheckId = (typeof MESSAGE_CHECKS)[number];

/** How the project wants what agents say to be checked; absent: as usual. */
interface HowStrict {
  readonly settings?: MessageSettings;
}

/** What agents say at each phase, as andon has read it, and what andon itself knows about how it came about. */
export interface Messages {
  /** The implementer's answer. */
  readonly change: {
    readonly message:
      | { readonly kind: 'no-change'; readonly reason: string }
      | { readonly kind: 'change'; readonly edits?: readonly { readonly path: string }[]; readonly notes?: string };
    /** How many edits of an earlier answer were taken and stand, and of which files. */
    readonly evidence: { readonly kept: number; readonly keptPaths?: readonly string[] } & HowStrict;
  };
  readonly review: {
    readonly message: Pick<LocalReview, 'verdict' | 'critical'> & { readonly findings: readonly Finding[] };
    /** What the reviewer was shown, and every path of the change's tree; absent: findings are not held against them. */
    readonly evidence: {
      readonly shown?: string;
      readonly paths?: readonly string[];
      /** What the reviewer said beside verdict and findings. */
      readonly beside?: string;
      /** How many lines the files have that it cites lines of; absent: they are not held against them. */
      readonly lines?: ReadonlyMap<string, number> | undefined;
    } & HowStrict;
  };
  readonly report: {
    readonly message: JudgeReport;
    /** The file with the change, where the judge's program told what it read and that was not among it. */
    readonly evidence: {
      readonly unopened: string | undefined;
      /** The change as git shows it; absent: the report is not held against it. */
      readonly diff?: string;
      /** How many lines the files have that its summary cites lines of; absent: they are not held against them. */
      readonly lines?: ReadonlyMap<string, number> | undefined;
    } & HowStrict;
  };
}
export type MessagePhase = keyof Messages & RuledMoment;

/** Whether a message counts: one pure question about what an agent said, held against what andon knows. */
export interface MessageCheck<Id extends MessageCheckId = MessageCheckId, Phase extends MessagePhase = MessagePhase> {
  readonly id: Id;
  readonly phase: Phase;
  readonly question: string;
  /** Why the message does not count, in words for whoever said it; undefined when it does. */
  check(
    message: Messages[Phase]['message'],
    record: LineRecord,
    evidence: Messages[Phase]['evidence'],
  ): string | undefined;
}
