import { formatCount } from '../../base/format-count.ts';
import { renderGateEvidence } from '../reports/reports.ts';
import {
  briefFirstRound,
  briefSecondRound,
  type PanelBrief,
  listCitedFiles,
  readFirstRound,
  readSecondRound,
} from '../panel/brief.ts';
import { numberFindings } from '../panel/settle.ts';
import { explainRepeat } from '../stations/judge.ts';
import { describeContract } from '../stations/brief.ts';
import { toProjectPath, quoteWeigher, type WeighQuote } from '../stations/evidence.ts';
import { fenceText, fenceProjectRules } from '../../agents/fence.ts';
import { explainRejectedReview, type LocalOpinion } from '../stations/local-reviewer.ts';
import type { Change } from '../record/change.ts';
import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { CitedFinding, PanelTurn } from '../record/review.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { wordsBeside } from '../../rules/guards/verdict.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { listInstructions } from './apply-rules.ts';
import { type WhatLanesSay, isReturnedAtOnce, takeOneOfSeveral } from './take-message.ts';
import {
  callSeat,
  prepareMemberFolder,
  recordPanelTurn,
  abstain,
  seatFolder,
  describeMember,
  type PanelTurnSlot,
} from './panel-seat.ts';

export async function askReviewer(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  seat: PanelTurnSlot,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { change } = seat;
  const { shown, diff, folder } = await prepareTurn(services, log.record, seat);
  const brief = briefFirstRound(shown, await describeMember(services, seat));
  const answer = await callSeat(services, log, seat, { brief, folder }, signal);
  if (!answer.ok) return answer.why;
  const { call } = answer.value;
  const opinion = readFirstRound(
    answer.value,
    await weigherFor(services, log.record, change, diff, listCitedFiles(answer.value)),
  );
  if (!opinion.ok) return abstain(seat, `unreadable: ${opinion.why}`, { call });
  const { verdict, findings, dropped } = opinion.value;
  const cited = findings.map(toCited);
  const critical = cited.some((one) => one.security && one.severity === 'critical');
  const message = await toReviewMessage(services, change, { verdict, critical, findings: cited }, answer.value.text);
  const ruled = await takeOneOfSeveral(services, log, 'review', message, signal);
  const turn = { verdict, findings: [...findings], dropped: [...dropped], call };
  return recordTurn(seat, ruled, turn, describeFindings(verdict, cited, dropped));
}

/** A review as a message, with the evidence of its checks. */
export async function toReviewMessage(
  services: Needs<'repository' | 'settings'>,
  { commit }: Change,
  message: LocalOpinion,
  text: string,
  shown?: string,
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

/** Asks one of several reviewers, or judges, what it makes of what the others found. */
export async function askAboutOthers(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  seat: PanelTurnSlot,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { name, change, station } = seat;
  const all = numberFindings(log.record.panel ?? []);
  const parts = {
    own: all.filter(({ reviewer }) => reviewer === name),
    others: all.filter(({ reviewer }) => reviewer !== name),
  };
  const { shown, diff, folder } = await prepareTurn(services, log.record, seat);
  const brief = briefSecondRound(shown, await describeMember(services, seat), parts);
  const answer = await callSeat(services, log, seat, { brief, folder }, signal);
  if (!answer.ok) return answer.why;
  const { call } = answer.value;
  const weigh = await weigherFor(services, log.record, change, diff, listCitedFiles(answer.value));
  const opinion = readSecondRound(answer.value, weigh, parts);
  if (!opinion.ok) return abstain(seat, `unreadable: ${opinion.why}`, { call });
  const { positions, dropped } = opinion.value;
  const words = positions.map(({ why }) => why).join('\n');
  const ruled = await takeOneOfSeveral(services, log, MOMENTS[station], { words }, signal);
  const answers = positions.map(({ finding, says }) => `${says} ${finding}`).join(', ') || 'nothing';
  const turn = { positions: [...positions], dropped: [...dropped], call };
  return recordTurn(seat, ruled, turn, ` on what the others found: ${answers}`);
}

const MOMENTS = { 'local-reviewer': 'review', judge: 'report' } as const;

/** Records what one of several said, or what follows where it may not be taken: it goes back, has no vote, or stops the line. */
export function recordTurn(
  seat: PanelTurnSlot,
  ruled: WhatLanesSay,
  turn: Omit<PanelTurn, 'reviewer' | 'round' | 'tree'>,
  summary: string,
): StepOutcome {
  const { objection, unfit, rulings: found } = ruled;
  if (objection !== undefined) return objection;
  const { name, round, change, station } = seat;
  const rulings = found.length === 0 ? {} : { rulings: [...found] };
  if (unfit === undefined)
    return recordPanelTurn({ reviewer: name, round, tree: change.tree, ...turn }, `${name}${summary}`, rulings);
  const reason = `${name}: ${unfit}`;
  if (!isReturnedAtOnce(unfit)) {
    const none = abstain(seat, `its answer does not count: ${unfit}`, { dropped: turn.dropped, call: turn.call });
    return { ...none, facts: { ...rulings, ...none.facts } };
  }
  return station === 'judge'
    ? { event: 'report_unproven', reason, facts: { ...rulings, judgeUnreadable: reason } }
    : { event: 'review_unreadable', reason, facts: { ...rulings, strike: { station, kind: 'refused', why: unfit } } };
}

/** `: FAIL, 2 findings, 1 left out; [high] a.ts:1 …`. */
export function describeFindings(word: string, found: readonly Finding[], dropped: readonly unknown[]): string {
  const [first] = found;
  const left = dropped.length === 0 ? '' : `, ${dropped.length} left out`;
  const shown = first === undefined ? '' : `; ${formatFinding(first)}`;
  return `: ${word}, ${formatCount(found.length, 'finding')}${left}${shown}`;
}

const toCited = ({ line, quote, ...one }: CitedFinding): Finding => ({
  ...one,
  source: 'reviewer',
  evidence: quote,
  ...(line === null ? {} : { line }),
});

/** The material of a turn, and its folder, which holds the whole tree for a program that can read files. */
async function prepareTurn(
  services: Needs<
    'agents' | 'clock' | 'folders' | 'journal' | 'nonce' | 'profiles' | 'project' | 'repository' | 'settings'
  >,
  record: TaskRecord,
  seat: PanelTurnSlot,
): Promise<{ readonly shown: PanelBrief; readonly diff: string; readonly folder: string }> {
  const { station, change, name } = seat;
  const diff = await services.repository.patch(record.base, change.commit);
  const hasReadTools = resolveWorker(services, record, station, name).agent.worksAt.includes('judge');
  const nonce = services.nonce();
  const shown = {
    asked: `${describeContract(record, true)}${hasReadTools ? '\n\nYour working directory is a private copy of it: diff.patch is the change, tree/ holds the whole tree. You may read both.' : ''}`,
    diff,
    gates: renderGateEvidence(record.gates, record.weakeningReport),
    instructions: [
      fenceProjectRules(await listInstructions(services, record, MOMENTS[station]), nonce),
      ...findRepeatQuestion(record, seat, nonce),
    ],
    nonce,
  };
  return {
    shown,
    diff,
    folder: await prepareMemberFolder(services, seatFolder(record, seat), change, hasReadTools ? diff : undefined),
  };
}

function findRepeatQuestion(record: TaskRecord, { name, station }: PanelTurnSlot, nonce: string): readonly string[] {
  const back = station === 'judge' ? explainRepeat(record) : undefined;
  const why = back ?? record.askedAnew?.find(({ reviewer }) => reviewer === name)?.why ?? '';
  return [
    ...(station === 'judge' ? [] : explainRejectedReview(record, nonce)),
    ...(why === '' ? [] : [fenceText('why your last answer did not count; answer again and correct it', why, nonce)]),
  ];
}

/** Looks quotes up in the change and in every file of its tree that an answer names. */
async function weigherFor(
  { repository }: Needs<'repository'>,
  record: TaskRecord,
  change: Change,
  patch: string,
  named: readonly string[],
): Promise<WeighQuote> {
  const known = new Set((await repository.files(change.commit)).map(({ path }) => path));
  const changed = change.files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const wanted = [...new Set([...changed, ...named.map(toProjectPath)])].filter((path) => known.has(path));
  const texts = await repository.read(change.commit, wanted);
  return quoteWeigher({
    patch,
    linesOf: (path) => {
      const bytes = texts.get(path);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes).split('\n');
    },
    changed,
    gates: new Map((record.gates?.results ?? []).map(({ name, output }) => [name, output])),
  });
}
