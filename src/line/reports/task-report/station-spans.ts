import type { JournalEntry, Moved, Started } from '../../record/journal-entry.ts';
import { classifyEvent } from '../../record/step-event.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { foldEntry } from '../../core/fold-journal.ts';
import { formatEntry } from '../../words/list-story.ts';
import { millisecondsBetween } from './format-figures.ts';
import { STATION_AT } from '../../../base/names.ts';

export type TimelineLane = 'implementer' | 'gates' | 'local-reviewer' | 'judge' | 'floor-manager' | 'human';

export interface StationSpan {
  readonly lane: TimelineLane;
  /** Waits are periods without work: a usage limit, a server that is down, no external judge yet. */
  readonly kind: 'work' | 'wait';
  readonly from: string;
  readonly to: string;
  /** Whether it was sent back, failed or stopped the line. */
  readonly sent_back: boolean;
  /** The attempt or round; null = none. */
  readonly number: number | null;
  readonly text: string;
}

/** Work and waits of stations by start time; `before` is the record of an earlier admission. */
export function stationSpans(
  entries: readonly JournalEntry[],
  now: string,
  before: TaskRecord | undefined,
): readonly StationSpan[] {
  return [...callSpans(entries, now, before), ...stepSpans(entries, before)].toSorted((one, two) =>
    one.from.localeCompare(two.from),
  );
}

function callSpans(
  entries: readonly JournalEntry[],
  now: string,
  before: TaskRecord | undefined,
): readonly StationSpan[] {
  const spans: StationSpan[] = [];
  let record = before;
  let open: Started | undefined;
  let held: { lane: TimelineLane; from: string; text: string } | undefined;
  const endWait = (to: string): void => {
    if (held !== undefined) spans.push({ ...held, kind: 'wait', to, sent_back: false, number: null });
    held = undefined;
  };
  for (const entry of entries) {
    record = foldEntry(record, entry);
    const text = formatEntry(entry) ?? '';
    if (entry.kind === 'started') open = entry;
    else if (entry.kind === 'held') {
      held ??= { lane: entry.station, from: open?.at ?? entry.at, text };
      open = undefined;
    } else if ((entry.kind === 'called' || entry.kind === 'interrupted') && record !== undefined) {
      const from = open?.at ?? entry.at;
      endWait(from);
      const number = numberAt(record, entry.station);
      spans.push({
        lane: entry.station,
        kind: 'work',
        from,
        to: entry.at,
        sent_back: entry.kind === 'interrupted' || !entry.ok,
        number,
        text,
      });
      open = undefined;
    } else if (entry.kind === 'released') endWait(entry.at);
    else if (entry.kind === 'canary') {
      const last = spans.pop();
      if (last !== undefined) spans.push({ ...last, number: null, sent_back: entry.missed, text });
    } else if (entry.kind === 'moved') {
      endWait(entry.at);
      const last = spans.at(-1);
      // What the floor manager decides is about the judge's call, not about his own.
      const isOfStep = entry.from !== 'review_complete' && last?.lane === STATION_AT[entry.from];
      if (last !== undefined && isOfStep && blamesCall(entry)) spans[spans.length - 1] = { ...last, sent_back: true };
    }
  }
  endWait(now);
  if (open !== undefined && record !== undefined)
    spans.push({
      lane: open.station,
      kind: 'work',
      from: open.at,
      to: now,
      sent_back: false,
      number: numberAt(record, open.station),
      text: formatEntry(open) ?? '',
    });
  return spans;
}

/** Reviewers count their rounds; the running one is not in the record yet. */
function numberAt(record: TaskRecord, lane: TimelineLane): number | null {
  if (lane === 'implementer') return record.attempt;
  return lane === 'judge' ? record.rounds.length + 1 : null;
}

function blamesCall({ event, facts }: Moved): boolean {
  if (facts.change !== undefined) return false;
  if (facts.report !== undefined) return facts.report.verdict !== 'PASS';
  const { by } = classifyEvent(event);
  return facts.halt !== undefined || facts.strike !== undefined || by === 'reviewer' || by === 'judge';
}

/** andon's own judge takes a request at once. */
const SHORTEST_WAIT_MS = 1000;

/** Gates, merges, external judges and floor managers: known only by the transition that ends them. */
function stepSpans(entries: readonly JournalEntry[], before: TaskRecord | undefined): readonly StationSpan[] {
  const spans: StationSpan[] = [];
  let record = before;
  let from = '';
  let called = false;
  for (const entry of entries) {
    if (entry.kind === 'moved' && record !== undefined) {
      const step = stepOf(entry, record, called);
      const isWorthDrawing = step?.kind === 'work' || millisecondsBetween(from, entry.at) >= SHORTEST_WAIT_MS;
      if (step !== undefined && isWorthDrawing) spans.push({ ...step, from, to: entry.at });
    }
    called = entry.kind === 'moved' ? false : called || entry.kind === 'called';
    if (entry.kind === 'called' || entry.kind === 'moved' || entry.kind === 'admitted') from = entry.at;
    record = foldEntry(record, entry);
  }
  return spans;
}

function stepOf(entry: Moved, record: TaskRecord, called: boolean): Omit<StationSpan, 'from' | 'to'> | undefined {
  const { facts } = entry;
  const { by } = classifyEvent(entry.event);
  const plain = {
    kind: 'work',
    sent_back: facts.halt !== undefined,
    number: null,
    text: formatEntry(entry) ?? '',
  } as const;
  if (entry.from === 'pending_implementer' && facts.gates !== undefined) {
    const number = facts.change?.attempt ?? record.change?.attempt ?? null;
    return { ...plain, lane: 'gates', sent_back: by !== undefined, number };
  }
  if (entry.from === 'pending_judge_review' && entry.to === 'review_in_progress')
    return { ...plain, lane: 'judge', kind: 'wait', text: 'the request waits to be taken by a judge' };
  if (entry.from === 'review_in_progress' && !called)
    return { ...plain, lane: 'judge', sent_back: blamesCall(entry), number: record.rounds.length + 1 };
  if (entry.from !== 'review_complete') return undefined;
  if (record.contract.roles.floorManager === 'human' && record.sided === undefined)
    return { ...plain, lane: 'human', text: `a human decides: ${plain.text}` };
  if (by === 'judge') return undefined;
  return { ...plain, lane: 'gates', sent_back: plain.sent_back || facts.targetMoved !== undefined };
}
