import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { nameOnPage, refusalsOn } from '../../project/contract/refusal.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import type { Outcome } from '../../base/outcome.ts';
import { sha256 } from '../../base/sha256.ts';
import { phraseOfHalt } from '../halts/halt-words.ts';
import type { LineFacts } from '../words/line-facts.ts';
import { describeQueueWait } from '../order/describe-queue-wait.ts';
import type { Needs, Services } from '../services/services.ts';
import type { Journal } from '../journal/journal.ts';
import { createHandoffQueue, type Waiting } from '../order/handoff-queue.ts';
import { readQueueEvents } from '../journal/queue-events.ts';
import { listTurns } from '../journal/list-turns.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { formatPause, readPause } from '../night/pause.ts';

interface LineState {
  readonly active: TaskRecord | undefined;
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: string;
  readonly onOverlap: 'wait' | 'start';
}

type Standstill = Pick<
  LineFacts,
  'paused' | 'blocked' | 'waiting' | 'queue' | 'refusals' | 'proposal' | 'proposal_approved' | 'proposal_blocked'
>;

/** The files in `_handoff/`, and why none starts, as the watchdog would decide; changes nothing. */
export async function explainStandstill(
  root: string,
  { active, journal, now, onOverlap }: LineState,
): Promise<Standstill> {
  const handoff = createHandoff(root);
  const queue = createHandoffQueue(handoff);
  const paused = readPause(journal);
  const underWay = active === undefined ? [] : [active.taskId];
  const page = readRefusals(handoff);
  const isRefused = (file: DroppedFile): boolean => page.some((one) => isAbout(one, file));
  const turns = listTurns({ queue, journal, now, underWay, isRefused, onOverlap });
  const inFront: DroppedFile = { name: FILES.contract, text: handoff.read(FILES.contract) };
  const refusals = page.flatMap((one) => {
    const file = [inFront, ...turns.map((turn) => turn.one)].find((each) => isAbout(one, each));
    const { faults, first, at } = one;
    return file === undefined ? [] : [{ file: `${HANDOFF}/${file.name}`, faults, first, at }];
  });
  const refused = new Set(refusals.map(({ file }) => file));
  const byHand = new Set(readQueueEvents(journal).moves.map(({ task }) => task));
  const place = explainBusyLine(active, isRefused(inFront));
  const waiting = turns.map(({ one, waits }) => ({
    file: `${HANDOFF}/${one.name}`,
    task_id: one.taskId ?? null,
    ...titleIn(one),
    priority: one.priority,
    after: one.after,
    not_before: one.notBefore ?? null,
    by_hand: one.taskId !== undefined && byHand.has(one.taskId),
    waits_for: waits[0]?.for ?? ('its turn' as const),
    tasks: waits.flatMap((wait) => ('task' in wait ? [wait.task] : [])),
    why: describeQueueWait(waits, place),
  }));
  return {
    paused: paused ?? null,
    blocked: formatPause(handoff, paused) ?? null,
    waiting: waiting.flatMap(({ file }) => (refused.has(file) ? [] : [file])),
    queue: waiting,
    refusals,
    ...(await describeProposal({ handoff, journal })),
  };
}

/** The title of a contract that has not begun, or its first requirement, as written. */
function titleIn({ text }: Waiting): { readonly title?: string } {
  const written = text.ok ? parseJsonObject<WrittenTitle>(text.value, ['specification']) : undefined;
  const { requirements } = Object(written?.specification) as { readonly requirements?: unknown };
  const [first] = Array.isArray(requirements) ? (requirements as readonly unknown[]) : [];
  const found = [written?.title, first].find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof found === 'string' ? { title: found.trim() } : {};
}

interface WrittenTitle {
  readonly title?: unknown;
  readonly specification: unknown;
}

/** The state of a proposal, by the pages that andon wrote about it; an approved one becomes contracts without you. */
async function describeProposal(
  needs: Needs<'handoff' | 'journal'>,
): Promise<Pick<LineFacts, 'proposal' | 'proposal_approved' | 'proposal_blocked'>> {
  const { handoff } = needs;
  const yours = (proposal: string) => ({ proposal });
  const approved = [FILES.proposalTaken, FILES.proposalFinal].find((one) => handoff.exists(one));
  if (approved === FILES.proposalTaken || (approved !== undefined && (await isFinal(handoff)))) {
    const blockers = approved === FILES.proposalTaken ? await listBlockersOf(needs) : [];
    const goesOn =
      blockers.length > 0 ? `move ${blockers.join(', ')} away` : 'a watchdog puts its contracts into the queue';
    return {
      proposal: `${HANDOFF}/${approved} is approved: ${goesOn}`,
      proposal_approved: true,
      ...(blockers.length > 0 ? { proposal_blocked: true } : {}),
    };
  }
  if (handoff.exists(FILES.proposalRejected))
    return yours(`a proposal was refused: read ${HANDOFF}/${FILES.proposalRejected}`);
  if (handoff.exists(FILES.proposalDraft))
    return yours(
      `a proposal waits for your approval: read ${HANDOFF}/${FILES.proposalDraft}, then andon draft --approve`,
    );
  const found = approved ?? FILES.proposal;
  const read = handoff.read(found);
  if (!read.ok) return yours(`${HANDOFF}/${found} does not count: it ${read.why}`);
  return read.value === undefined ? { proposal: null } : yours(`${HANDOFF}/${found} is there; andon watch answers it`);
}

async function listBlockersOf(needs: Needs<'handoff' | 'journal'>): Promise<readonly string[]> {
  const read = needs.handoff.read(FILES.proposalTaken);
  if (!read.ok || read.value === undefined) return [];
  const { listBlockers } = await import('../intake/proposal-plan.ts'); // rarely needed
  return listBlockers(needs, read.value);
}

/** Whether contracts can be made of the approved file; prose and faults wait for you. */
async function isFinal(handoff: Services['handoff']): Promise<boolean> {
  const read = handoff.read(FILES.proposalFinal);
  if (!read.ok || read.value === undefined) return false;
  const page = handoff.read(FILES.proposalRejected);
  if (page.ok && page.value?.includes(sha256(read.value)) === true) return false; // refused as it is
  const { isProse, readProposal } = await import('../../project/contract/draft/proposal.ts'); // rarely needed
  return !isProse(read.value) && readProposal(read.value, NO_DEFAULTS).ok;
}

/** What a project sets by default fills a draft, and makes none faulty. */
const NO_DEFAULTS = { project: '', implementer: [], local_reviewer: '', judge: '' };

function explainBusyLine(active: TaskRecord | undefined, isFirstRefused: boolean): string {
  if (active?.halt !== undefined) return `${active.taskId} is halted (${phraseOfHalt(active.halt.trip.breaker)})`;
  if (active !== undefined) return `${active.taskId} is under way`;
  return `${HANDOFF}/${FILES.contract} goes first${isFirstRefused ? ', and is refused' : ''}`;
}

interface DroppedFile {
  readonly name: string;
  readonly text: Outcome<string | undefined, string>;
}

type PrintedRefusal = ReturnType<typeof refusalsOn>[number];

function readRefusals(handoff: Services['handoff']): readonly PrintedRefusal[] {
  const page = handoff.read(FILES.rejected);
  return page.ok && page.value !== undefined ? refusalsOn(page.value) : [];
}

/** Whether a file was refused with its present content; a changed one waits again. */
const isAbout = (printed: PrintedRefusal, { name, text }: DroppedFile): boolean =>
  printed.name === nameOnPage(name) && printed.digest === sha256(text.ok ? (text.value ?? '') : text.why);
