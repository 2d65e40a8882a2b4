import { readJson } from '../../base/json.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { RedView } from '../../line/line-facts.ts';
import { openDir } from '../../wiring/files.ts';

/** In the state folder: what `andon doctor` found red, until it finds it well again. */
const FILE = 'doctor.json';
const LARGEST = 256 * 1024;
const MOST = 50;

/** What a doctor looked at. */
export interface DoctorRun {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly remedy?: string;
}

/** What a doctor found red last; a note that cannot be read is red itself. */
export function readReds(state: string): readonly RedView[] {
  const read = openDir(state).text(FILE, LARGEST);
  if (!read.ok) return [unreadable(read.why)];
  if (read.value === undefined) return [];
  const json = readJson(read.value);
  const { reds } = Object(json.ok ? json.value.value : undefined) as { reds?: unknown };
  return Array.isArray(reds) && reds.every(isRed) ? reds : [unreadable('holds no list of reds')];
}

/**
 * Notes what was found red. An earlier red goes when it was looked at again, or when nothing is red any more to a doctor
 * who ran the gates too. A disk that takes no note changes nothing else.
 */
export function noteReds(
  state: string,
  looked: readonly DoctorRun[],
  when: { readonly at: string; readonly gates: boolean },
): void {
  const seen = new Set(looked.map(({ name }) => name));
  const now = looked.flatMap(({ name, state: is, detail, remedy }): RedView[] =>
    is === 'fail'
      ? [
          {
            name: line(name, 80),
            detail: line(detail),
            remedy: remedy === undefined ? null : line(remedy),
            at: when.at,
          },
        ]
      : [],
  );
  const isAllWell = now.length === 0 && when.gates;
  const before = isAllWell ? [] : readReds(state).filter(({ name }) => name !== UNREADABLE && !seen.has(name));
  try {
    openDir(state).put(FILE, `${JSON.stringify({ reds: [...now, ...before].slice(0, MOST) })}\n`, 0o600);
  } catch {
    // Whoever asked is told what is red all the same.
  }
}

const line = (text: string, width = 300): string => toTerminalLine(text, width);

const UNREADABLE = 'note of the doctor';
const unreadable = (why: string): RedView => ({
  name: UNREADABLE,
  detail: `${FILE} in the state folder ${why}`,
  remedy: null,
  at: null,
});

function isRed(one: unknown): one is RedView {
  const { name, detail, remedy, at } = Object(one) as Partial<Record<keyof RedView, unknown>>;
  const isMoment = at === null || (typeof at === 'string' && !Number.isNaN(Date.parse(at)));
  return (
    typeof name === 'string' &&
    typeof detail === 'string' &&
    (remedy === null || typeof remedy === 'string') &&
    isMoment
  );
}
