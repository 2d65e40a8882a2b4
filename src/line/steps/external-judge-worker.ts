import { computeStallLimit } from '../breakers/stalled.ts';
import { readJson } from '../../base/read-json.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { reviewRequest } from './review-workspace.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs } from '../services/services.ts';

/** A report that is no whole JSON may still be being written; so may one whose writer has just taken its claim back. */
const SETTLE_MS = 2000;

export interface GivenReport {
  readonly report: unknown;
  readonly bound: 'by name' | 'by claim';
  /** The report as the external judge wrote it; undefined for andon's own judge. */
  readonly text: string | undefined;
  /** Whether the program's stream shows that the change was read; unknown for an external judge. */
  readonly hasOpened: boolean;
  readonly call?: number;
}

/** Waits until an external judge takes the request: renames it, or answers at once. This wait is no stall. */
export async function awaitExternalClaim(
  services: Needs<'bell' | 'handoff' | 'repository'>,
  record: TaskRecord,
  signal: AbortSignal,
): Promise<void> {
  const { handoff } = services;
  const request = await reviewRequest(services, record);
  const taken = (): boolean =>
    handoff.exists(FILES.reviewInProgress) ||
    handoff.exists(FILES.judgeReportJson) ||
    !handoff.exists(FILES.reviewRequest);
  while (!taken()) {
    if (isEdited(services, FILES.reviewRequest, request)) handoff.write(FILES.reviewRequest, request);
    await ring(services, signal);
  }
}

/** Waits for `JUDGE_REPORT.json`; a claim that is removed without one, and a silent judge, are no report. */
export async function reportFromOutside(
  services: Needs<'bell' | 'clock' | 'handoff' | 'repository' | 'say'>,
  record: TaskRecord,
  signal: AbortSignal,
): Promise<Outcome<GivenReport, StepOutcome>> {
  const minutes = computeStallLimit(record, 'judge');
  let silent = false;
  let givenBack: number | undefined;
  let edited = false;
  const tellOfBad = createBadReportLog(services, record.taskId);
  const request = await reviewRequest(services, record);
  const atRoot = new RootReport(services, record);
  const limit = services.clock.awake(minutes * 60_000, () => {
    silent = true;
    services.bell.notifyAll();
  });
  try {
    for (;;) {
      const differing = await atRoot.takeIn();
      if (differing !== undefined) return failure(createNoReport(differing));
      const answer = readWritten(services);
      edited ||= [FILES.reviewRequest, FILES.reviewInProgress].some((name) => isEdited(services, name, request));
      // A report without a commit counts only for a request that was taken unchanged.
      const bound = edited || services.handoff.exists(FILES.reviewRequest) ? 'by name' : 'by claim';
      if (answer.kind === 'report')
        return success({ report: answer.value, bound, text: answer.text, hasOpened: false });
      if (silent) return failure(stalled(minutes));
      tellOfBad(answer);
      const isTaken = services.handoff.exists(FILES.reviewInProgress);
      const isThere = services.handoff.exists(FILES.reviewRequest);
      // One who writes beside a request that he did not take is still at it.
      const isAtWork = isTaken || (isThere && answer.kind === 'bad');
      givenBack = isAtWork ? undefined : (givenBack ?? performance.now());
      const waited = givenBack === undefined ? 0 : performance.now() - givenBack;
      if (waited > SETTLE_MS) return failure(isThere ? PUT_BACK : createNoReport(explainMissing(answer)));
      await ring(services, signal);
    }
  } finally {
    limit.stop();
  }
}

/** A judge who is out of reach puts the request back, for himself or another; the line waits for it again. */
const PUT_BACK: StepOutcome = { event: 'claim_returned', reason: 'the judge put the request back', facts: {} };

const explainMissing = (answer: Written): string =>
  answer.kind === 'bad' ? answer.why : 'the judge removed REVIEW_IN_PROGRESS.md without writing JUDGE_REPORT.json';

/** A report that does not count goes to the archive, and its claim with it: the next request is a new one. */
export function keepRefused({ handoff }: Needs<'handoff'>, { taskId, history }: TaskRecord, text: string): void {
  handoff.write(`${FILES.archive}/${taskId}/${history.length}.refused.${FILES.judgeReportJson}`, text);
  handoff.take(FILES.judgeReportJson, (found) => found === text); // another one may have been written meanwhile
  handoff.remove(FILES.reviewInProgress);
}

/** A report from before this request is about another one. It is kept. */
export function keepUnasked(
  services: Needs<'digest' | 'handoff' | 'say'>,
  { taskId, history, rounds }: TaskRecord,
): void {
  const { handoff } = services;
  const read = handoff.read(FILES.judgeReportJson);
  const text = read.ok ? read.value : undefined;
  if (text === undefined || rounds.some(({ digest }) => digest === services.digest(text))) return;
  const kept = `${FILES.archive}/${taskId}/${history.length}.unasked.${FILES.judgeReportJson}`;
  if (!handoff.rename(FILES.judgeReportJson, kept)) return;
  const sentence = `${taskId}: a ${FILES.judgeReportJson} that is older than the request does not count; it is kept as ${HANDOFF}/${kept}; write one for the current ${FILES.reviewRequest}`;
  services.say({ kind: 'word', level: 'warn', text: sentence });
}

/** A request that says something else than andon wrote may have sent the judge to another commit. */
function isEdited({ handoff }: Needs<'handoff'>, name: string, request: string): boolean {
  const read = handoff.read(name);
  return !read.ok || (read.value !== undefined && read.value.replaceAll('\r\n', '\n') !== request);
}

type Written =
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly why: string }
  | { readonly kind: 'report'; readonly value: unknown; readonly text: string };

function readWritten(services: Needs<'handoff'>): Written {
  const read = services.handoff.read(FILES.judgeReportJson);
  if (!read.ok) return { kind: 'bad', why: `JUDGE_REPORT.json ${read.why}` };
  if (read.value === undefined) return { kind: 'none' };
  const parsed = readJson(read.value);
  return parsed.ok
    ? { kind: 'report', value: parsed.value.value, text: read.value }
    : { kind: 'bad', why: `JUDGE_REPORT.json is no valid JSON: ${parsed.why.found}, expected ${parsed.why.expected}` };
}

/** Logs each reason why a text is no report once, after the reason stayed the same for a while. */
function createBadReportLog(services: Needs<'say'>, taskId: string): (written: Written) => void {
  let [why, since, logged] = ['', 0, ''];
  return (written) => {
    const now = written.kind === 'bad' ? written.why : '';
    if (now !== why) [why, since] = [now, performance.now()];
    if (why === logged || performance.now() - since <= SETTLE_MS) return;
    logged = why;
    if (why !== '')
      services.say({ kind: 'word', level: 'warn', text: `${taskId}: ${why}; still waiting for a whole one` });
  };
}

const stalled = (minutes: number): StepOutcome => {
  const why = `the judge outside took the request and gave no report within ${minutes} minutes`;
  return { event: 'timeout', reason: why, facts: { strike: { station: 'judge', kind: 'stall', why } } };
};

const createNoReport = (why: string): StepOutcome => ({
  event: 'report_unreadable',
  reason: why,
  facts: { judgeUnreadable: why },
});

async function ring(services: Needs<'bell'>, signal: AbortSignal): Promise<void> {
  await services.bell.next(signal);
  if (signal.aborted) throw new Stopped();
}

/**
 * The reports of a judge who wrote them into the root of the project, as the blueprint's prompt allows. They are moved
 * into `_handoff/`, so that the checkout is not littered; but only what was written after the request was taken, and
 * what git does not know: a file of the project that happens to have that name is left alone.
 */
export class RootReport {
  private readonly services: Needs<'handoff' | 'repository' | 'say'>;
  private readonly record: TaskRecord;
  private claimedAt: number | undefined;
  private said = '';

  constructor(services: Needs<'handoff' | 'repository' | 'say'>, record: TaskRecord) {
    this.services = services;
    this.record = record;
  }

  /** Takes in what counts; a reason when it contradicts the report in `_handoff/`. */
  async takeIn(): Promise<string | undefined> {
    const { handoff } = this.services;
    this.claimedAt ??= handoff.namedAt(FILES.reviewInProgress);
    if (handoff.exists(FILES.reviewRequest)) return undefined; // it was not taken, so nothing answers it
    const report = handoff.beside(FILES.judgeReportJson);
    if (report === undefined || !this.isNew(report.writtenAt)) return undefined;
    const isOver = !handoff.exists(FILES.reviewInProgress);
    if (!isOver && Date.now() - report.writtenAt < SETTLE_MS) return undefined;
    if (!report.text.ok) return this.leave(`${report.text.why}, so it is no report`);
    if (!isOver && !readJson(report.text.value).ok) return undefined;
    if (await this.services.repository.isTracked(FILES.judgeReportJson))
      return this.leave('belongs to the project (git tracks it), so it is no report');
    const within = handoff.read(FILES.judgeReportJson);
    if (within.ok && within.value === report.text.value) handoff.removeBeside(FILES.judgeReportJson, report.text.value);
    else if (!handoff.takeIn(FILES.judgeReportJson, report.text.value)) return this.contradiction(report.text.value);
    await this.takePage();
    return undefined;
  }

  /** The page for people goes with the report. */
  private async takePage(): Promise<void> {
    const { handoff, repository } = this.services;
    const page = handoff.beside(FILES.judgeReport);
    if (page?.text.ok !== true || !this.isNew(page.writtenAt) || (await repository.isTracked(FILES.judgeReport)))
      return;
    handoff.takeIn(FILES.judgeReport, page.text.value);
  }

  /** Written after the claim, or after the request if the claim was not seen. */
  private isNew(writtenAt: number): boolean {
    const { history, updatedAt } = this.record;
    const requestedAt = history.findLast(({ to }) => to === 'pending_judge_review')?.at ?? updatedAt;
    return writtenAt >= (this.claimedAt ?? Date.parse(requestedAt));
  }

  /** Two reports that say different things in one turn: neither is believed; both are kept. */
  private contradiction(text: string): string {
    const { handoff } = this.services;
    const { taskId, history } = this.record;
    const kept = `${FILES.archive}/${taskId}/${history.length}`;
    handoff.write(`${kept}.root.${FILES.judgeReportJson}`, text);
    handoff.removeBeside(FILES.judgeReportJson, text);
    handoff.rename(FILES.judgeReportJson, `${kept}.refused.${FILES.judgeReportJson}`);
    handoff.remove(FILES.reviewInProgress);
    return `${FILES.judgeReportJson} in the root and in ${HANDOFF}/ say different things, so neither counts; both are kept in ${HANDOFF}/${FILES.archive}/${taskId}`;
  }

  private leave(why: string): undefined {
    if (this.said !== why)
      this.services.say({
        kind: 'word',
        level: 'warn',
        text: `${this.record.taskId}: ${FILES.judgeReportJson} in the root of the project ${why}`,
      });
    this.said = why;
  }
}
