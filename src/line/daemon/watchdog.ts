import pino from 'pino';
import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { openTasks } from '../journal/active-task.ts';
import { Line } from './line.ts';
import { findFormerRepository, findLostEnd, findLostEntries } from '../upkeep/lost-journal.ts';
import { fulfilRequest, type RequestEnds } from './fulfil-request.ts';
import type { RequestReply } from '../../project/requests/request.ts';
import { Stopped } from '../journal/stopped.ts';
import { findRuleFault } from '../../rules/files/rulebook.ts';
import { keepMornings } from '../notify/mornings.ts';
import { Notices } from '../notify/notify.ts';
import { lockWorkspace } from '../../project/workspace/lock-workspace.ts';
import type { HeldLock, LockOptions } from '../../project/locks/daemon-lock.ts';
import { openLiveNotifiers } from '../notify/open-notifiers.ts';
import { openServices } from '../services/open-services.ts';
import { moveInbox } from '../../project/workspace/files.ts';
import { createHandoff, type Handoff } from '../../project/handoff/create-handoff.ts';
import { watchPlace } from '../../project/handoff/watch-folders.ts';
import { explainStoppedNight } from '../../agents/budget/user-limits.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { LineEvent, LineServices, Needs } from '../services/services.ts';
import { writeInUse } from '../services/configuration-in-use.ts';
import { toTerminalLine, toTerminal } from '../../base/plain-text.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { formatEntry } from '../words/list-story.ts';
import { isLeftOver } from '../documents/paperwork.ts';
import { maskKnown } from '../../base/known-secrets.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { openDayLog } from '../../project/folders/day-log.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** How often the folder is polled without any event, per watched project (performance.md: 0.1 % of a core). */
const RESCAN_MS = 1000;
const RESCAN_MS_PER_PROJECT = 30;

export interface Watchdog {
  readonly line: Line;
  readonly place: Workspace;
  /** Resolves when the watchdog had to stop by itself; the reason says why. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** The reason of a watchdog that may begin nothing any more; running work is ended and settled. */
export const NIGHT_STOPPED = 'the night was stopped';

/** The lock of a repository, and when it was lost. */
export interface WatchdogLock {
  readonly lock: HeldLock;
  readonly lost: Promise<string>;
  /** The crashed holder; undefined when it was logged already. */
  readonly tookOverFrom: HeldLock['tookOverFrom'];
}

export async function holdToWatch(place: Workspace, options: LockOptions): Promise<WatchdogLock> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
  const lock = await lockWorkspace(place, 'watch', lose, options);
  return { lock, lost, tookOverFrom: lock.tookOverFrom };
}

export interface WatchOptions {
  readonly projects?: number;
  /** They replace the programs. */
  readonly agents?: LineServices['stubAgents'];
  /** Its end; nothing begins from then on. */
  readonly ends?: string | undefined;
  /** The night that it is started for; it ends when that is stopped. */
  readonly ownNight?: number | undefined;
  /** Called when a command asks for the end of this process. */
  readonly onStopRequest?: (() => void) | undefined;
}

interface StartOptions extends WatchOptions {
  readonly stopBefore: number;
  /** The night that was stopped while this andon watched; its calls are ended already. */
  readonly heldBy: number | undefined;
}

/** Recovers, and watches until it is stopped; its caller releases the lock. */
export async function startWatchdog(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  say: (news: LineEvent) => void,
  options: StartOptions,
  { lost: lostLock, tookOverFrom }: WatchdogLock,
): Promise<Watchdog> {
  /** Announces events once the recovery begins. */
  let activeNotices: Notices | undefined;
  const { promise: broken, resolve: end } = Promise.withResolvers<string>();
  let breakUp = (reason: string): void => {
    breakUp = () => {}; // reported once, however long the stop takes
    activeNotices?.broke(reason);
    end(reason);
  };
  void lostLock.then((reason) => breakUp(`the lock was lost: ${reason}`));
  const logger = createLog(place.state, place.settings.log);
  const log = (news: LineEvent): void => {
    logger.news(news);
    say(news);
    if (news.kind === 'entry') activeNotices?.heard(news.record);
  };
  for (const text of describeOrigin(place, tookOverFrom)) log({ kind: 'word', level: 'warn', text });
  const opening = openServices(place, env, log, { lastSeen: tookOverFrom?.lastSeen });
  const { services, journal } = await opening.catch((error: unknown) => {
    logger.close();
    throw error;
  });
  const broke = (error: unknown): void => breakUp(getErrorMessage(error));
  const notifiers = openLiveNotifiers(place, env, () => services.configuration.line().settings);
  const notices = new Notices(services, notifiers, { hasTerminal: process.stdout.isTTY });
  const { agents: stubAgents, ends, ownNight, stopBefore } = options;
  const line = new Line({ ...services, notices, ends, ownNight, stopBefore, stubAgents }, broke);
  const endIfNightStopped = (): void => {
    if (isNightStopped(services, options)) end(NIGHT_STOPPED);
  };
  let polling: ReturnType<typeof startPolling>;
  try {
    await checkBeforeStart(services);
    activeNotices = notices;
    services.handoff.prepare();
    moveInbox(place, (fromRoot) => takeAlong(services, fromRoot));
    line.recover();
    notices.catchUp();
    polling = startPolling(place, { services, line, endIfNightStopped, broke }, options);
  } catch (error) {
    await line.stop();
    journal.close();
    logger.close();
    throw error;
  }
  const mornings = keepMornings({ services, env, tell: (happening) => notices.deliver(happening) });
  const stop = async (): Promise<void> => {
    mornings.stop();
    line.pollLoop.stop(); // no next task begins while requests end
    await polling.stop();
    await line.stop();
    await notices.close();
    await mornings.ended;
    journal.close();
    logger.close();
  };
  let stopped: Promise<void> | undefined;
  return { line, place, broken, stop: () => (stopped ??= stop()) };
}

const describeOrigin = ({ takenFrom }: Workspace, from: HeldLock['tookOverFrom']): readonly string[] => [
  ...(takenFrom === undefined ? [] : [`this repository was moved here from ${takenFrom}; its journal was taken along`]),
  ...(from === undefined ? [] : [`took over from an andon that died (pid ${from.pid})`]),
];

/** Refuses a journal that nothing can go on from, and warns of what was lost or cannot be read. */
async function checkBeforeStart(
  services: Needs<'configuration' | 'handoff' | 'journal' | 'repository' | 'say'>,
): Promise<void> {
  const { journal, handoff, repository } = services;
  const { project, settings } = services.configuration.line();
  const warn = (text: string): void => services.say({ kind: 'word', level: 'warn', text });
  await refuseFormer(services);
  const cut = findLostEnd(handoff, journal);
  if (cut !== undefined) throw cutJournal(cut);
  const lost = await findLostEntries(handoff, journal, repository);
  if (lost !== undefined) warn(lost);
  const wrong = await findRuleFault(project);
  if (wrong !== undefined) warn(`the rules cannot be applied, so every task will halt: ${wrong}; see andon rules lint`);
  for (const notice of settings.notices) warn(notice);
}

/** Whether a night was stopped since this andon watches. */
function isNightStopped({ ledger }: Needs<'ledger'>, { ownNight, stopBefore, heldBy }: StartOptions): boolean {
  try {
    const isNews = ledger.lastNight()?.id !== heldBy;
    return isNews && explainStoppedNight({ ledger, ownNight, stopBefore }) !== undefined;
  } catch {
    return false; // without a ledger no call begins: the next call reports why
  }
}

/** Polls the inbox and the requests of commands, at every event of the folder and regularly. */
function startPolling(
  place: Workspace,
  {
    services,
    line,
    endIfNightStopped,
    broke,
  }: {
    readonly services: Needs<'configuration' | 'handoff' | 'say'>;
    readonly line: Line;
    /** Called first at every poll. */
    readonly endIfNightStopped: () => void;
    readonly broke: (error: unknown) => void;
  },
  { projects = 1, onStopRequest }: WatchOptions,
) {
  const report = reportConfiguration(place, services);
  report();
  const stopping = new AbortController();
  let [answering, undoing]: (Promise<void> | undefined)[] = [];
  const answer = (waiting: readonly WaitingRequest[]): Promise<void> =>
    answerRequests(place, line, waiting, { stop: onStopRequest, untilStopped: () => stopping.signal }).catch(broke);
  const pollAfter = async (path?: string): Promise<void> => {
    if (path !== undefined && services.handoff.isOwnPaper(path)) return;
    endIfNightStopped();
    const { undo = [], other = [] } = Object.groupBy(place.requests.waiting(), ({ request }) =>
      request.do === 'undo' ? 'undo' : 'other',
    );
    answering ??= answer(other).finally(() => (answering = undefined));
    // It runs gates for minutes, and a halt must not wait for them.
    undoing ??= answer(undo).finally(() => (undoing = undefined));
    await line.poll().then(report);
  };
  const poll = (path?: string): void => void pollAfter(path).catch(broke);
  const watcher = watchPlace(place, poll, (reason) =>
    services.say({
      kind: 'word',
      level: 'warn',
      text: `the watcher failed (${reason}); polling every second instead`,
    }),
  );
  const rescan = setInterval(() => poll(), Math.max(RESCAN_MS, RESCAN_MS_PER_PROJECT * projects));
  poll();
  return {
    async stop(): Promise<void> {
      clearInterval(rescan);
      stopping.abort();
      await watcher.close();
      await Promise.all([answering, undoing]);
    },
  };
}

/** Lost entries would be done again: a person decides from where to continue. */
const cutJournal = (cut: string): Problem =>
  new Problem(
    'journal-damaged',
    cut,
    `restore the state folder from a backup; or, to go on from what is left, move ${HANDOFF}/${FILES.transitions} away`,
    1,
  );

/** A task of another repository that was at this path before cannot run here: a person ends it. */
async function refuseFormer(services: Needs<'journal' | 'repository'>): Promise<void> {
  for (const record of openTasks(services)) {
    const former = await findFormerRepository(services.repository, record);
    if (former !== undefined) throw new Problem('conflict', former, `end it with: andon abandon ${record.taskId}`, 1);
  }
}

type WaitingRequest = ReturnType<Workspace['requests']['waiting']>[number];

async function answerRequests(
  { requests }: Workspace,
  line: Line,
  waiting: readonly WaitingRequest[],
  ends: RequestEnds,
): Promise<void> {
  for (const { id, request } of waiting) {
    if (ends.untilStopped().aborted) return; // its command sees that the watchdog ended
    if (!requests.isWaiting(id)) continue; // an earlier one took long
    requests.answer(
      id,
      await fulfilRequest(line, request, ends).then(toReply, (error: unknown) => toRefusal(request, error)),
    );
  }
}

const toReply = (done: Awaited<ReturnType<typeof fulfilRequest>>): RequestReply => ({ ok: true, ...done });

const STATUS = 'andon status';

function toRefusal(request: WaitingRequest['request'], error: unknown): RequestReply {
  if (error instanceof Problem) {
    const { code, message: sentence, remedy, exitCode } = error;
    return { ok: false, code, sentence, remedy, exitCode };
  }
  const [sentence, remedy] =
    error instanceof Stopped
      ? ['the watchdog was stopped before it was done', request.do === 'undo' ? `andon undo ${request.taskId}` : STATUS]
      : [getErrorMessage(error), STATUS];
  return { ok: false, code: 'no-answer', sentence, remedy, exitCode: 1 };
}

/** Reports every difference between the disk and the configuration in force once, and writes it down for `andon status`. */
function reportConfiguration(
  place: Pick<Workspace, 'state'>,
  { configuration, say }: Needs<'configuration' | 'say'>,
): () => void {
  let reported: readonly string[] = [];
  let written: string | undefined;
  return () => {
    const gaps = configuration.gaps();
    for (const text of gaps) if (!reported.includes(text)) say({ kind: 'word', level: 'warn', text });
    if (gaps.length === 0 && reported.length > 0)
      say({ kind: 'word', level: 'info', text: 'the configuration on disk is the one in force again' });
    reported = gaps;
    const inUse = { trial: configuration.isTrial, gaps };
    const text = JSON.stringify(inUse);
    if (text === written) return;
    written = text;
    writeInUse(place, inUse);
  };
}

/** The files that a person or a command drops, and an approved proposal. */
const DROPS = [FILES.stop, FILES.decision, FILES.proposalTaken, FILES.proposalFinal, FILES.proposal, FILES.contract];

/**
 * Moves the waiting files of another checkout's `_handoff/` into the watched one. Papers of andon stay: they are written
 * again. Where a file of that name exists, both stay.
 */
function takeAlong(services: Needs<'digest' | 'handoff' | 'journal' | 'say'>, fromRoot: string): void {
  const from = createHandoff(fromRoot);
  const taken = [...from.plans(), ...DROPS, ...from.queued().map((name) => `${FILES.queue}/${name}`)].filter((name) => {
    const read = from.read(name);
    return (
      read.ok && read.value !== undefined && mayGo(services, read.value) && moved(services, from, name, read.value)
    );
  });
  if (taken.length === 0) return;
  const files = `${taken.length} ${taken.length === 1 ? 'file' : 'files'}`;
  const text = `moved ${files} from ${from.folder}: the inbox of this repository is ${services.handoff.folder} now`;
  services.say({ kind: 'word', level: 'info', text: toTerminalLine(text, 1000) });
}

/** The contract of a running or an ended task begins no task, so it stays. */
function mayGo(services: Needs<'digest' | 'handoff' | 'journal'>, text: string): boolean {
  const parsed = parseContract(text);
  if (!parsed.ok) return true;
  const { taskId } = parsed.value.contract;
  const record = foldJournal(services.journal.entries(taskId));
  if (record === undefined) return true;
  return TERMINAL.includes(record.status) && !isLeftOver(services, taskId, text);
}

function moved({ handoff }: Needs<'handoff'>, from: Handoff, name: string, text: string): boolean {
  if (!handoff.write(name, text, () => !handoff.exists(name))) return false;
  from.take(name, (found) => found === text);
  return true;
}

/** andon's own log in the state folder. Written synchronously: what was logged is there after any kind of death. */
export function createLog(
  stateFolder: string,
  settings: Workspace['settings']['log'],
): { news(news: LineEvent): void; close(): void } {
  const file = openDayLog(stateFolder, settings);
  const masking = { write: (line: string): void => file.write(maskKnown(line)) };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, masking);
  let isOpen = true;
  return {
    close() {
      if (isOpen) file.close();
      isOpen = false;
    },
    news(news) {
      if (!isOpen) return; // a word that comes after the end is not worth a failure
      if (news.kind === 'word') logger[news.level](toTerminal(withoutSecrets(news.text)));
      else if (news.kind === 'notice')
        logger.info({ task: news.notification.task_id, event: news.notification.event }, news.notification.sentence);
      else if (news.kind === 'gate')
        logger.info(
          { task: news.taskId, gate: news.name, outcome: news.outcome, ms: news.ms },
          `gate ${toTerminal(news.name)} is ${news.outcome}`,
        );
      else
        logger.info(
          { task: news.record.taskId, status: news.record.status, entry: news.entry.kind },
          news.entry.kind === 'moved'
            ? toTerminal(news.entry.reason)
            : news.entry.kind === 'remark'
              ? toTerminal(withoutSecrets(news.entry.text))
              : (formatEntry(news.entry) ?? news.entry.kind),
        );
    },
  };
}
