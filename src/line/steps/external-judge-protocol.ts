import { computeNextTry } from '../core/compute-next-try.ts';
import { computeHardLimit, computeStallLimit } from '../breakers/stalled.ts';
import { FILES } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { formatStartDelay } from '../../agents/budget/ceilings.ts';
import type { AgentFailure } from '../../agents/agent.ts';
import type { Ledger } from '../../agents/ledger.ts';
import { reserveCall, runReserved } from '../../agents/calls/run-standalone.ts';
import { getStatesHome, readLastStop, openLedgerIn } from '../calls/open-ledger.ts';
import { DESK, hasOpenedChange } from '../stations/weigh-quotes.ts';
import { briefJudge } from '../stations/brief-judge.ts';
import { findReport, saysPass } from '../stations/read-judge-report.ts';
import { fenceProjectRules } from '../../agents/fence-text.ts';
import { listInstructions } from './apply-rules.ts';
import { findActiveTask } from '../journal/active-task.ts';
import { openTaskServices, openTargetServices } from '../services/configuration.ts';
import { NO_JOURNAL, readJournal, usingJournal } from '../journal/open-journal.ts';
import type { Needs } from '../services/services.ts';
import { buildServices } from '../services/open-services.ts';
import { watchPlace } from '../../project/handoff/watch-folders.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { prepareJudgeDir } from './review-workspace.ts';
import { retryUntilWritable } from '../calls/received-answer.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';

/**
 * The seed's watcher loop, done right: takes each review request by renaming it, runs the judge once, and writes
 * `JUDGE_REPORT.json`. For use beside a watchdog whose configuration says `judge: external`.
 */
export async function judgeRequests(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { once }: { readonly once: boolean },
  log: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isWanted(place, env)))
    throw new Problem(
      'bad-configuration',
      'this repository lets andon run the judge itself',
      'say `judge: external` in .andon/config.yaml',
      2,
    );
  log(`waiting for review requests in ${place.facts.root}. Ctrl-C stops.`);
  let wake: () => void = () => {};
  const watcher = watchPlace(place, () => wake(), log);
  const timer = setInterval(() => wake(), 1000); // an event can be lost
  signal.addEventListener('abort', () => wake(), { once: true });
  const ledger = openLedgerIn(getStatesHome(place));
  const stopBefore = readLastStop(getStatesHome(place));
  const holds: Judging['holds'] = new Map();
  let last: string | undefined;
  const logOnce = (text: string): void => {
    if (text !== last) log(text);
    last = text;
  };
  try {
    while (!signal.aborted) {
      const hasJudged = await judgeOne({ place, env, ledger, stopBefore, holds, log, logOnce }, signal);
      if (hasJudged && once) return;
      if (!hasJudged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearInterval(timer);
    ledger.close();
    await watcher.close();
  }
}

/** An external judge is configured, or a person chose one for this task. */
const isWanted = (place: Workspace, env: NodeJS.ProcessEnv): Promise<boolean> =>
  usingJournal(place, async (journal = NO_JOURNAL) => {
    const built = await buildServices(place, env, () => {}, journal, 'judging');
    const { settings } = await openTargetServices(built);
    return settings.judgeIsOutside || findActiveTask(built)?.judgedOutside === true;
  });

async function judgeOne(
  { place, env, ledger, stopBefore, holds, log, logOnce }: Judging,
  signal: AbortSignal,
): Promise<boolean> {
  const journal = readJournal(place);
  if (journal === undefined) return false;
  try {
    const built = { ...(await buildServices(place, env, () => {}, journal, 'judging')), ledger, stopBefore };
    const record = findActiveTask(built);
    if (record?.change === undefined) return false;
    const services = await openTaskServices(built, record);
    if (!services.handoff.exists(FILES.reviewRequest)) return false;
    const worker = resolveWorker(services, record, 'judge');
    const held = holds.get(worker.agent.id);
    if (held !== undefined && services.clock.now() < held.next) return false;
    const rules = fenceProjectRules(await listInstructions(services, record, 'report'), services.nonce());
    const brief = briefJudge(record, rules);
    const taken = reserveCall(services, worker, {
      station: 'judge',
      prompt: brief.prompt,
      minutes: computeHardLimit(record, 'judge'),
      isTyped: false,
    });
    if (!taken.ok) {
      logOnce(formatStartDelay(taken.why));
      return false;
    }
    // Only one of several judges wins the rename.
    if (!services.handoff.rename(FILES.reviewRequest, FILES.reviewInProgress)) {
      taken.value.release();
      return false;
    }
    log(`${record.taskId}: judging ${record.change.commit.slice(0, 12)}`);
    try {
      let folder = '';
      const result = await runReserved(
        worker,
        {
          ...taken.value,
          settle: (used) => retryUntilWritable(services, signal, () => void taken.value.settle(used)),
        },
        {
          brief,
          idleMinutes: computeStallLimit(record, 'judge'),
          makeFolder: async () => (folder = await prepareJudgeDir(services, record, record.taskId)),
          signal,
        },
      );
      if (!result.ok) {
        log(`${record.taskId}: no report (${result.why.kind}: ${result.why.detail})`);
        if (!passesByItself(result.why)) {
          holds.delete(worker.agent.id);
          return true;
        }
        services.handoff.rename(FILES.reviewInProgress, FILES.reviewRequest); // still to be judged
        const tries = (held?.tries ?? 0) + 1;
        const next = nextTry(services, result.why, tries);
        holds.set(worker.agent.id, { tries, next });
        if (!signal.aborted) log(`${record.taskId}: the judge is asked again at ${next}`);
        return false;
      }
      holds.delete(worker.agent.id);
      const report = findReport(result.value);
      const why = explainUnwritten(report, hasOpenedChange(result.value.opened ?? [], folder));
      if (why === undefined) {
        const text = `${JSON.stringify(report, null, 2)}\n`;
        await retryUntilWritable(services, signal, () => void services.handoff.write(FILES.judgeReportJson, text));
      }
      log(`${record.taskId}: ${why ?? 'report written'}`);
    } finally {
      services.handoff.remove(FILES.reviewInProgress); // the review is over, whatever its outcome
    }
    return true;
  } finally {
    journal.close();
  }
}

interface Judging {
  readonly place: Workspace;
  readonly env: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly stopBefore: number;
  /** Agents out of reach, and when each is asked again. */
  readonly holds: Map<string, { readonly tries: number; readonly next: string }>;
  readonly log: (text: string) => void;
  readonly logOnce: (text: string) => void;
}

const passesByItself = ({ kind }: AgentFailure): boolean => kind === 'unavailable' || kind === 'aborted';

/** When a judge out of reach is asked again. */
function nextTry(
  { clock, settings }: Needs<'clock' | 'settings'>,
  { detail, until }: AgentFailure,
  tries: number,
): string {
  const at = clock.now();
  const hold = { station: 'judge', reason: detail, since: at, at, until: until ?? null, tries } as const;
  const next = computeNextTry(hold, { ...settings.hold, leashHours: Infinity });
  return 'at' in next ? next.at : at;
}

/** Why an answer is not passed on. A PASS of andon's own judge does not count without a sign that it opened the change. */
function explainUnwritten(report: unknown, hasOpened: boolean): string | undefined {
  if (report === undefined) return 'no report (the answer holds none, or several)';
  return saysPass(report) && !hasOpened
    ? `no report (it says PASS, but nothing shows that it has opened ${DESK.diff}, the change)`
    : undefined;
}
