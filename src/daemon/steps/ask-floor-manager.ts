import { HUMAN } from '../../base/names.ts';
import { profileNamed } from '../../config/agent-profiles.ts';
import type { Decision } from '../../line/decide.ts';
import { findingsText } from '../../line/documents/reports.ts';
import { briefFloorManager, readFloorAnswer } from '../../line/panel/floor-manager.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { judgeReport } from '../../record/reviews.ts';
import { callAgent } from '../calls/call-agent.ts';
import { whoDrives } from '../calls/who-works.ts';
import type { Services } from '../wiring/services.ts';
import type { StepLog } from '../wiring/step-log.ts';
import { quotesOf } from './review-workspace.ts';

/** How the agent's calls are told apart in the journal. */
const SEAT = 'floor-manager';

/** Who is asked in the floor manager's place: a profile that the contract names, or whom the configuration names; else nobody. */
export function floorManagerOf(
  { profiles, settings }: Pick<Services, 'profiles' | 'settings'>,
  { contract: { roles } }: LineRecord,
): string | undefined {
  const named = roles.floorManager ?? settings.roles.floorManager;
  if (named === undefined || named === HUMAN) return undefined;
  const isMeant = profileNamed(profiles, named).found?.driver !== undefined || named === settings.roles.floorManager;
  return isMeant ? named : undefined;
}

/**
 * Asks an agent whether the judge is right, where one is configured and code leaves a choice: of a report that is no PASS
 * and that code does not already contradict. What it says is journaled with its reason; where it fails, or says what it
 * may not, `policy` decides. It never merges, and never lifts a breaker.
 */
export async function askFloorManager(
  services: Services,
  log: StepLog,
  policy: Decision,
  signal: AbortSignal,
): Promise<Decision> {
  const { record } = log;
  const name = floorManagerOf(services, record);
  const report = judgeReport(record);
  if (name === undefined || policy.do !== 'fix' || report === undefined || record.sided !== undefined) return policy;
  if (report.verdict !== 'FAIL' && report.verdict !== 'CONDITIONAL') return policy;
  const remark = (text: string): void => log.note({ kind: 'remark', at: services.clock.now(), text });
  const worker = whoDrives(services, name);
  if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer')) {
    remark(`floor manager: ${name} names no program that answers by a schema; andon's own policy decides`);
    return policy;
  }
  const brief = briefFloorManager(record, {
    report,
    diff: await services.repository.patch(record.base, report.commit),
    findings: findingsText(record),
    nonce: services.nonce(),
  });
  const transcript = await callAgent(services, log, {
    station: 'local-reviewer',
    brief,
    folder: services.folders.empty(record.taskId),
    seat: { name: SEAT, worker, share: 1, mayBeMissed: true },
    signal,
  });
  if (!transcript.ok) {
    const { why } = transcript;
    remark(
      `floor manager: ${name} gave no answer (${why.by === 'agent' ? why.failure.detail : why.reason}); andon's own policy decides`,
    );
    return policy;
  }
  const answer = readFloorAnswer(transcript.value, report, await quotesOf(services, record));
  if (!answer.ok) {
    remark(`floor manager: what ${name} says does not count: ${answer.why}; andon's own policy decides`);
    return policy;
  }
  remark(`floor manager: ${name} says ${answer.value.do}: ${answer.value.reason}`);
  return answer.value.do === 'rebut'
    ? { do: 'rebut', evidence: answer.value.evidence }
    : { ...policy, reason: `${policy.reason}; the floor manager agrees: ${answer.value.reason}` };
}
