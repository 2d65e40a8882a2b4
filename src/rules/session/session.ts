import type { CheckRun } from './check-runs.ts';

/** A check of a session, and the first file that changed after it; documentation does not count. */
interface SessionRun extends CheckRun {
  readonly changedSince?: string;
}

/** The facts of a session of an agent: the request, the checks, the files read and changed. */
export interface Session {
  /** The last request of a human, or of the delegating agent. */
  readonly asked: string | undefined;
  readonly said: string | undefined;
  /** Checks with a known outcome; of repeated ones the last. */
  readonly runs: readonly SessionRun[];
  /** Files that were opened, or that git showed; as named there. */
  readonly read: readonly string[];
  /** Files that were written since the request. */
  readonly changed: readonly string[];
  /** Sums of a change that git printed. */
  readonly shown: readonly { readonly added: number; readonly deleted: number }[];
}

export type SessionEvent =
  | { readonly kind: 'asked' | 'said'; readonly text: string }
  | { readonly kind: 'read' | 'wrote'; readonly path: string }
  | { readonly kind: 'shown'; readonly added: number; readonly deleted: number }
  | { readonly kind: 'ran'; readonly run: CheckRun };

export function foldSession(events: readonly SessionEvent[]): Session {
  const asked = events.findLastIndex(({ kind }) => kind === 'asked');
  const textOf = (kind: 'asked' | 'said'): string | undefined =>
    events.flatMap((event) => (event.kind === kind ? [event.text] : [])).at(-1);
  return {
    asked: textOf('asked'),
    said: textOf('said'),
    runs: lastRuns(events),
    read: [
      ...new Set(events.flatMap((event) => (event.kind === 'read' || event.kind === 'wrote' ? [event.path] : []))),
    ],
    changed: [
      ...new Set(events.slice(Math.max(0, asked)).flatMap((event) => (event.kind === 'wrote' ? [event.path] : []))),
    ],
    shown: events.flatMap((event) => (event.kind === 'shown' ? [{ added: event.added, deleted: event.deleted }] : [])),
  };
}

/** A red run counts until the same check, or a wider one, ran again. */
function lastRuns(events: readonly SessionEvent[]): readonly SessionRun[] {
  const runs = events.flatMap((event, at) => (event.kind === 'ran' ? [{ run: event.run, at }] : []));
  return runs
    .filter(({ run, at }) => !runs.some((other) => other.at > at && covers(other.run.command, run.command)))
    .map(({ run, at }) => {
      const later = events
        .slice(at)
        .flatMap((event) => (event.kind === 'wrote' && !DOCUMENT.test(event.path) ? [event.path] : []));
      const [changedSince] = later;
      return changedSince === undefined ? run : { ...run, changedSince };
    });
}

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc)$/i;

/** Whether a command runs at least as much as another one: it is the same, without a further narrowing word. */
function covers(command: string, other: string): boolean {
  const words = new Set(other.split(' '));
  return command.split(' ', 1)[0] === other.split(' ', 1)[0] && command.split(' ').every((word) => words.has(word));
}
