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

/** The project's settings; absent: the defaults. */
interface WithSettings {
  readonly settings?: MessageSettings;
}

/** The message of each phase, parsed, and what andon knows about it. */
export interface Messages {
  /** The implementer's answer. */
  readonly change: {
    readonly message:
      | { readonly kind: 'no-change'; readonly reason: string }
      | { readonly kind: 'change'; readonly edits?: readonly { readonly path: string }[]; readonly notes?: string };
    /** The number and files of kept edits of an earlier answer. */
    readonly evidence: { readonly kept: number; readonly keptPaths?: readonly string[] } & WithSettings;
  };
  readonly review: {
    readonly message: Pick<LocalReview, 'verdict' | 'critical'> & { readonly findings: readonly Finding[] };
    /** The text shown to the reviewer, and every path of the change's tree; absent: findings are not compared with them. */
    readonly evidence: {
      readonly shown?: string;
      readonly paths?: readonly string[];
      /** The reviewer's words beside verdict and findings. */
      readonly beside?: string;
      /** The line count of each cited file; absent: citations are not checked. */
      readonly lines?: ReadonlyMap<string, number> | undefined;
    } & WithSettings;
  };
  readonly report: {
    readonly message: JudgeReport;
    /** The file with the change, where the judge's program logged its reads without it. */
    readonly evidence: {
      readonly unopened: string | undefined;
      /** The change as git shows it; absent: the report is not compared with it. */
      readonly diff?: string;
      /** The line count of each file that its summary cites; absent: citations are not checked. */
      readonly lines?: ReadonlyMap<string, number> | undefined;
    } & WithSettings;
  };
}
export type MessagePhase = keyof Messages & RuledMoment;

/** One pure question about a message, answered from what andon knows. */
export interface MessageCheck<Id extends MessageCheckId = MessageCheckId, Phase extends MessagePhase = MessagePhase> {
  readonly id: Id;
  readonly phase: Phase;
  readonly question: string;
  /** Why the message does not count, in words for its author; undefined when it does. */
  check(
    message: Messages[Phase]['message'],
    record: LineRecord,
    evidence: Messages[Phase]['evidence'],
  ): string | undefined;
}
