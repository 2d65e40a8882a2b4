import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import type { StationId } from '../../base/names.ts';
import type { Called, JournalEntry } from '../record/journal-entry.ts';

/** Earlier calls that predict the usage of the next one. */
const RECENT = 3;
/** A call that was cut off would have used more: twice as much is assumed. */
const CUT_OFF_FACTOR = 2;
/** A step may take one and a half times the longest recent one. */
const TIME_MARGIN = 1.5;

/** The journal's mark of a call that ended at its limit of money or tokens. */
const CUT_OFF = 'spent: ';

const isCutOff = ({ why }: Pick<Called, 'why'>): boolean => why?.startsWith(CUT_OFF) === true;

/** The largest usage of the last calls at a station; undefined where none is known. Calls about a rule do not count. */
export function findLargestUse(
  calls: readonly Called[],
  station: StationId,
  worker?: { readonly agent: string; readonly model: string },
): CallAmounts | undefined {
  const there = calls.filter(
    (call) =>
      call.station === station &&
      call.lane === undefined &&
      (call.ok || isCutOff(call)) &&
      (worker === undefined || call.agent === worker.agent),
  );
  // A program reports the model that answered, perhaps under another name than the requested one.
  const same = there.filter((call) => call.model === worker?.model);
  const recent = (same.length > 0 ? same : there).slice(-RECENT);
  if (recent.length === 0) return undefined;
  const largest = (useOf: (call: Called) => number | null): number | undefined => {
    const known = recent.flatMap((call) => useOf(call) ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const factor = (call: Called): number => (isCutOff(call) ? CUT_OFF_FACTOR : 1);
  return {
    usd: largest((call) => (call.usd === null ? null : call.usd * factor(call))),
    tokens: largest((call) =>
      call.tokensIn === null || call.tokensOut === null ? null : (call.tokensIn + call.tokensOut) * factor(call),
    ),
    minutes: largest((call) => call.ms / 60_000),
  };
}

/** Durations of a repository's steps, in minutes with a margin; undefined without a history. */
export interface StepTimes {
  readonly call: (station: StationId) => number | undefined;
  /** From an implementer's answer to the end of its step: setup and gates. */
  readonly afterCall: number | undefined;
}

export function readStepTimes(tasks: readonly (readonly JournalEntry[])[]): StepTimes {
  const calls = tasks.flatMap((entries) => entries.filter((entry) => entry.kind === 'called'));
  const rests = tasks.flatMap(restsOf).slice(-RECENT);
  return {
    call: (station) => withMargin(findLargestUse(calls, station)?.minutes),
    afterCall: withMargin(rests.length === 0 ? undefined : Math.max(...rests)),
  };
}

/** Minutes from an implementer's answer to the end of a step in which gates ran. */
function restsOf(entries: readonly JournalEntry[]): readonly number[] {
  let answered: string | undefined;
  return entries.flatMap((entry) => {
    if (entry.kind === 'started') answered = undefined;
    if (entry.kind === 'called' && entry.station === 'implementer' && entry.ok) answered = entry.at;
    if (entry.kind !== 'moved' || entry.facts.gates === undefined || answered === undefined) return [];
    return [Math.max(0, Date.parse(entry.at) - Date.parse(answered)) / 60_000];
  });
}

const withMargin = (minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : Math.max(1, Math.ceil(minutes * TIME_MARGIN));
