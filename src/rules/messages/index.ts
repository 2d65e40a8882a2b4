import type { LineRecord } from '../../record/line-record.ts';
import type { RuledFinding, Ruling } from '../../record/ruling.ts';
import type { Phase } from '../../rule-model/rule-words.ts';
import { MESSAGE_CHECKS } from './message-check.ts';
import type { MessageCheck, MessageCheckId, MessagePhase, Messages } from './message-check.ts';
import { noChange } from './no-change.ts';
import { noFinding } from './no-finding.ts';
import { offTopicReport } from './off-topic-report.ts';
import { openTodo } from './open-todo.ts';
import { praisingReview } from './praising-review.ts';
import { unfoundedPass } from './unfounded-pass.ts';
import { unfoundedReport } from './unfounded-report.ts';
import { ungroundedFinding } from './ungrounded-finding.ts';
import { unopenedChange } from './unopened-change.ts';
import { untrueNotes } from './untrue-notes.ts';

/** A check of one phase, whichever that is. */
type AnyCheck<Id extends MessageCheckId> = { [At in MessagePhase]: MessageCheck<Id, At> }[MessagePhase];

/** Every message check by its id; a line that is missing here, or that names another check, is an error of types. */
const BY_ID: { readonly [Id in MessageCheckId]: AnyCheck<Id> } = {
  no_change: noChange,
  untrue_notes: untrueNotes,
  open_todo: openTodo,
  no_finding: noFinding,
  ungrounded_finding: ungroundedFinding,
  praising_review: praisingReview,
  unfounded_pass: unfoundedPass,
  unopened_change: unopenedChange,
  off_topic_report: offTopicReport,
  unfounded_report: unfoundedReport,
};

/** Every message check, in the order in which they are asked. */
export const messageChecks: readonly AnyCheck<MessageCheckId>[] = MESSAGE_CHECKS.map((id) => BY_ID[id]);

/** Asks every check of a phase about a message; a ruling where one of them objects, undefined where the message counts. */
export function ruleOnMessage<At extends MessagePhase>(
  moment: At,
  message: Messages[At]['message'],
  record: LineRecord,
  evidence: Messages[At]['evidence'],
): Ruling | undefined {
  const isAsked = (one: AnyCheck<MessageCheckId>): one is MessageCheck<MessageCheckId, At> & typeof one =>
    one.phase === moment;
  const found = messageChecks.filter(isAsked).flatMap((one): readonly RuledFinding[] => {
    const why = one.check(message, record, evidence);
    return why === undefined ? [] : [objection(one, why)];
  });
  return found.length === 0 ? undefined : { moment, phase: PHASES[moment], score: 0, found: [...found], unchecked: [] };
}

/** A quick fix: it goes straight back to the author. */
const objection = (
  { id, question, phase }: Pick<MessageCheck, 'id' | 'question' | 'phase'>,
  why: string,
): RuledFinding => ({
  rule: id,
  title: question,
  priority: 'P1',
  handler: 'QUICK_FIX',
  hard: false,
  does: 'quick_fix',
  message: why,
  fingerprint: `${phase}:${id}`,
});

const PHASES: Readonly<Record<MessagePhase, Phase>> = { change: 'IMPLEMENTATION', review: 'REVIEW', report: 'REVIEW' };
