import { formatCount } from '../../base/format-count.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { renderGateEvidence } from '../reports/reports.ts';
import { createQuestion, mentionTree, toTurn, type PanelBrief, type TurnAnswer } from '../panel/create-question.ts';
import type { LocalOpinion } from '../panel/settle.ts';
import { explainRepeat } from '../stations/brief-judge.ts';
import { describeContract } from '../stations/describe-contract.ts';
import { fenceText, fenceProjectRules } from '../../agents/fence-text.ts';
import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { wordsBeside } from '../../rules/guards/verdict.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { Messages } from '../messages/message-checks.ts';
import { listInstructions } from './apply-rules.ts';
import { loadQuotes } from './review-workspace.ts';
import { takeMessage } from './take-message.ts';
import {
  callMember,
  prepareMemberFolder,
  describeMember,
  takeTurn,
  toUnreadable,
  type PanelTurnSlot,
} from './panel-seat.ts';

type ReviewServices = CallServices & RuleServices & Needs<'nonce' | 'repository'>;

/** A turn that was answered, and what the checks and rules say of its words. */
interface HeardTurn {
  readonly answer: TurnAnswer;
  readonly evidence: Messages['review']['evidence'] | undefined;
  readonly ruled: Awaited<ReturnType<typeof takeMessage>>;
  readonly call: number;
}

const MOMENTS = { 'local-reviewer': 'review', judge: 'report' } as const;

/** Asks a member for its review, or in the second round what it makes of what the others found. */
export async function askReviewer(
  services: ReviewServices,
  log: StepJournal,
  slot: PanelTurnSlot,
  signal: AbortSignal,
): Promise<Outcome<HeardTurn, StepOutcome>> {
  const { shown, folder } = await prepareTurn(services, log.record, slot);
  const view = slot.seat === undefined ? undefined : await describeMember(services, slot);
  const { brief, read } = createQuestion(slot, log.record.panel ?? [], shown, view);
  const received = await callMember(services, log, slot, { brief, folder }, signal);
  if (!received.ok) return received;
  const { call, text } = received.value;
  const isOfSeveral = slot.seat !== undefined;
  const answer = await read(received.value, () => loadQuotes(services, log.record, received.value, 'all gates'));
  if (!answer.ok) return failure(toUnreadable(slot, answer.why, 'unreadable', { call }));
  if ('positions' in answer.value) {
    const words = answer.value.positions.map(({ why }) => why).join('\n');
    const ruled = await takeMessage(services, log, MOMENTS[slot.station], { words }, signal, isOfSeveral);
    return success({ answer: answer.value, evidence: undefined, ruled, call });
  }
  // What one of several cites was looked up already.
  const message = await toReviewMessage(services, slot, answer.value, text, isOfSeveral ? undefined : brief.prompt);
  const ruled = await takeMessage(services, log, 'review', message, signal, isOfSeveral);
  return success({ answer: answer.value, evidence: message.evidence, ruled, call });
}

/** The same of one of several, with the outcome of its turn. */
export async function askOneOfSeveral(
  services: ReviewServices,
  log: StepJournal,
  slot: PanelTurnSlot,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const heard = await askReviewer(services, log, slot, signal);
  if (!heard.ok) return heard.why;
  const { answer, ruled, call } = heard.value;
  const summary =
    'positions' in answer
      ? ` on what the others found: ${answer.positions.map(({ finding, says }) => `${says} ${finding}`).join(', ') || 'nothing'}`
      : describeFindings(answer.verdict, answer.findings, answer.dropped);
  return takeTurn(slot, ruled, { ...toTurn(answer), call }, summary);
}

/** A review as a message, with the evidence of its checks. */
async function toReviewMessage(
  services: Needs<'repository' | 'settings'>,
  { change: { commit } }: PanelTurnSlot,
  message: LocalOpinion,
  text: string,
  shown: string | undefined,
) {
  const beside = wordsBeside(text);
  return {
    message,
    evidence: {
      paths: (await services.repository.files(commit)).map(({ path }) => path),
      ...(shown === undefined ? {} : { shown }),
      beside,
      lines: await countCitedLines(services.repository, commit, beside),
      settings: services.settings.messages,
    },
    words: message.findings.map(formatFinding).join('\n'),
  };
}

/** `: FAIL, 2 findings, 1 left out; [high] a.ts:1 …`. */
export function describeFindings(word: string, found: readonly Finding[], dropped: readonly unknown[]): string {
  const [first] = found;
  const left = dropped.length === 0 ? '' : `, ${dropped.length} left out`;
  const shown = first === undefined ? '' : `; ${formatFinding(first)}`;
  return `: ${word}, ${formatCount(found.length, 'finding')}${left}${shown}`;
}

/** The material of a turn, and its folder; a program with read tools finds the whole tree there. */
async function prepareTurn(
  services: ReviewServices,
  record: TaskRecord,
  slot: PanelTurnSlot,
): Promise<{ readonly shown: PanelBrief; readonly folder: string }> {
  const { station, change, seat } = slot;
  const diff = await services.repository.patch(record.base, change.commit);
  const hasTree =
    seat !== undefined && resolveWorker(services, record, station, seat.name).agent.worksAt.includes('judge');
  const nonce = services.nonce();
  const why = explainAskedAgain(record, slot);
  const shown = {
    asked: mentionTree(describeContract(record, true), hasTree),
    diff,
    gates: renderGateEvidence(record.gates, record.weakeningReport),
    instructions: [
      fenceProjectRules(await listInstructions(services, record, MOMENTS[station]), nonce),
      ...(why === ''
        ? []
        : [
            'Your last answer did not count. Answer again and correct this:',
            fenceText('why your last answer did not count', why, nonce),
          ]),
    ],
    nonce,
  };
  return { shown, folder: await prepareMemberFolder(services, slot, hasTree ? diff : undefined) };
}

/** Why the last answer of a member about this change does not count, in andon's words; the newest reason first. */
function explainAskedAgain(record: TaskRecord, { name, station }: PanelTurnSlot): string {
  const own = record.askedAnew?.find(({ reviewer }) => reviewer === name)?.why;
  if (station === 'judge') return own ?? explainRepeat(record) ?? '';
  const { strike } = record.lastFacts;
  const refused = strike?.station === station && strike.kind === 'refused' ? strike.why : undefined;
  return [refused, own].filter((why) => why !== undefined).join('\n');
}
