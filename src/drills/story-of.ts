import type { JournalEntry } from '../record/journal-entry.ts';
import { toTerminalLine } from '../base/plain-text.ts';

/** The statuses of a task in order, with rounds folded, halts and choices; safe for a terminal. */
export function formatStatuses(entries: readonly JournalEntry[]): string {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  const [first] = moves;
  if (first === undefined) return 'admitted';
  return foldRounds([
    first.from,
    ...moves.map(({ to, facts }) => {
      if (facts.halt !== undefined)
        return `${to} (${facts.halt.trip.breaker}: ${toTerminalLine(facts.halt.trip.reason, 160)})`;
      return facts.choice === undefined ? to : `[path ${facts.choice.path}] ${to}`;
    }),
  ]);
}

export function foldRounds(steps: readonly string[]): string {
  const told: string[] = [];
  for (let at = 0; at < steps.length;) {
    const { length, times } = longestRound(steps, at);
    const round = steps.slice(at, at + length).join(' → ');
    told.push(times === 1 ? round : length === 1 ? `${round} ×${times}` : `(${round}) ×${times}`);
    at += length * times;
  }
  return told.join(' → ');
}

/** The repetition at an index that covers most steps; a single step when none repeats. */
function longestRound(steps: readonly string[], at: number): { readonly length: number; readonly times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; at + 2 * length <= steps.length; length += 1) {
    let times = 1;
    while (isSame(steps, at, at + times * length, length)) times += 1;
    if (times > 1 && length * times > best.length * best.times) best = { length, times };
  }
  return best;
}

const isSame = (steps: readonly string[], one: number, other: number, length: number): boolean =>
  other + length <= steps.length &&
  Array.from({ length }, (_, at) => steps[one + at] === steps[other + at]).every(Boolean);
