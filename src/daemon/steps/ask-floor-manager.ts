import { FLOOR_MANAGER, HUMAN, POLICY } from '../../base/names.ts';
import { listCeilings } from '../../record/ceilings.ts';
import type { FloorDecision } from '../../line/decide.ts';
import { renderFindings } from '../../line/documents/reports.ts';
import { briefFloorManager, readFloorAnswer } from '../../line/panel/floor-manager.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { getJudgeReport } from '../../record/reviews.ts';
import { callAgent } from '../calls/call-agent.ts';
import { resolveDriver, type Worker } from '../calls/resolve-worker.ts';
import type { CallServices, Needs } from '../../wiring/services.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import { checkQuotes } from './review-workspace.ts';

/**
 * Asks an agent whether the judge is right, where code leaves a choice: of a report that is no PASS and that code does not
 * already contradict. Asked is whom contract or configuration name, else `gemini` where its program is there. What it says
 * is journaled with its reason; where it fails, or says what it may not, `policy` decides. It never merges, and never lifts
 * a breaker.
 */
export async function askFloorManager(
  services: CallServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  policy: FloorDecision,
  signal: AbortSignal,
): Promise<FloorDecision> {
  const { record } = log;
  const named = floorManagerOf(services, record);
  const report = getJudgeReport(record);
  if (named === undefined || policy.do !== 'fix' || report === undefined || record.sided !== undefined) return policy;
  if (report.verdict !== 'FAIL' && report.verdict !== 'CONDITIONAL') return policy;
  const remark = (text: string): void => log.note({ kind: 'remark', at: services.clock.now(), text });
  const { name, isUsual } = named;
  const worker = resolveDriver(services, name);
  if (isUsual && (worker === undefined || !(await isReady(worker, record)))) return policy;
  if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer')) {
    remark(`floor manager: ${name} names no program that answers by a schema; andon's own policy decides`);
    return policy;
  }
  const brief = briefFloorManager(record, {
    report,
    diff: await services.repository.patch(record.base, report.commit),
    findings: renderFindings(record),
    nonce: services.nonce(),
  });
  const transcript = await callAgent(services, log, {
    station: 'floor-manager',
    worker,
    brief,
    folder: services.folders.empty(record.taskId),
    mayBeMissed: true,
    signal,
  });
  if (!transcript.ok) {
    const { why } = transcript;
    remark(
      `floor manager: ${name} gave no answer (${why.by === 'agent' ? why.failure.detail : why.reason}); andon's own policy decides`,
    );
    return policy;
  }
  const answer = readFloorAnswer(transcript.value, report, await checkQuotes(services, record));
  if (!answer.ok) {
    remark(`floor manager: what ${name} says does not count: ${answer.why}; andon's own policy decides`);
    return policy;
  }
  remark(`floor manager: ${name} says ${answer.value.do}: ${answer.value.reason}`);
  return answer.value.do === 'rebut'
    ? { do: 'rebut', points: answer.value.points }
    : { ...policy, reason: `${policy.reason}; the floor manager agrees: ${answer.value.reason}` };
}

/** Who is asked in the floor manager's place, and whether it is only the usual one: contract, else configuration, else that. */
function floorManagerOf({ settings }: Needs<'settings'>, { contract }: LineRecord) {
  const named = contract.roles.floorManager ?? settings.roles.floorManager;
  if (named === HUMAN || named === POLICY) return undefined;
  return { name: named ?? FLOOR_MANAGER, isUsual: named === undefined };
}

/**
 * The default floor manager was not configured, so it is asked only where that costs no more than its call: its program is installed with
 * a login, and, where it tells no price, no ceiling of dollars would count its call as all that is left.
 */
async function isReady({ agent }: Worker, record: LineRecord): Promise<boolean> {
  if (agent.capabilities.billing === 'unpriced' && listCeilings(record).usd !== undefined) return false;
  return (await agent.probe('')).ok;
}
