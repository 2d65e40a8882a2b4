import type { JournalEntry } from '../record/journal-entry.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { Request } from '../record/request.ts';
import type { BreakerId } from '../record/trip.ts';
import type { LiveProcess } from './processes.ts';
import type { Call, Stations } from './scenario.ts';

/** One fault that is done to the real line on purpose, and what must come of it: one file, one drill. */
export interface Drill {
  readonly name: string;
  /** The breaker that must trip; undefined where the line must get through by itself. */
  readonly breaker: BreakerId | undefined;
  /** What is done to the line, for the list. */
  readonly injects: string;
  readonly situations: readonly Situation[];
}

/** One run of the line: what is done to it, and where it must end. A neighbour is one step below the boundary. */
export interface Situation {
  readonly injects: string;
  /** Files of the sample project besides the usual ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** `.andon/config.yaml`, committed. */
  readonly config?: object;
  readonly agents?: Stations;
  readonly contract?: ContractParts;
  /** andon runs as a process of its own, which can be killed. */
  readonly apart?: true;
  /** Done to the place before the contract is dropped. */
  readonly before?: (stage: Stage) => void | Promise<void>;
  /** Done while the line runs; the user's own deeds in the checkout go through `stage.asUser`. */
  readonly during?: (stage: Stage) => void | Promise<void>;
  /** Where the line must halt; undefined: it must not. */
  readonly halt?: ExpectedHalt;
  readonly end: ExpectedEnd;
}

/** The parts of a contract in which a situation differs from the usual one. */
export interface ContractParts {
  readonly limits?: object;
  readonly constraints?: object;
  readonly specification?: object;
}

/** A halt as it must be found, the path that is then chosen, and what the user does first. */
export interface ExpectedHalt {
  readonly breaker: BreakerId;
  /** Part of the reason, with the figures that the line itself counted. */
  readonly says: string;
  readonly figures?: Partial<Figures>;
  readonly path: 1 | 2;
  readonly first?: (stage: Stage) => void | Promise<void>;
  /** What the user does once the path is chosen. */
  readonly afterwards?: (stage: Stage) => void | Promise<void>;
}

/** The end of the task. */
export interface ExpectedEnd {
  readonly status: 'merged' | 'abandoned';
  readonly figures?: Partial<Figures>;
  /** Files on the target branch, whole; `null` = it is not there. */
  readonly holds?: Readonly<Record<string, string | null>>;
  /** What else must be so. */
  readonly also?: (stage: Stage) => readonly Check[];
}

/** What the line counted, as a drill compares it: from the journal, and from the stand-ins' own account of their calls. */
export const FIGURES = [
  'attempts',
  'review cycles',
  'rebuttals',
  'refusals for scope',
  'strikes',
  'stalls',
  'unreadable reports',
  'waits',
  'interrupted calls',
  'implementer calls',
  'reviewer calls',
  'judge calls',
  'lines lost',
  'lines of the project',
  'lines of the diff',
  'cents',
  'merges',
] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** One thing that was looked at: what was expected, and what was found. */
export interface Check {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A check of a yes-or-no question; `found` says in words what is wrong. */
export const check = (what: string, wrong: string | undefined): Check => ({
  what,
  expected: 'yes',
  found: wrong ?? 'yes',
  ok: wrong === undefined,
});

/** A check that two texts or numbers are the same. */
export const same = (what: string, expected: unknown, found: unknown): Check => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
});

/** The place in which a situation is played, and what can be done in it. */
export interface Stage {
  /** The sample project's checkout. */
  readonly repository: string;
  /** The task as the journal on disk has it; throws as long as there is none. */
  record(): LineRecord;
  entries(): readonly JournalEntry[];
  /** What the line has counted so far. */
  figures(): Figures;
  /** Waits until something is so; fails with `what` when it does not come in time. */
  until(what: string, isSo: () => boolean, ms?: number): Promise<void>;
  /** A file beside the scenario, for `touch` and `wait-for` of a stand-in. */
  readonly signal: { has(name: string): boolean; give(name: string): void };
  /** Whatever the user does in the checkout: afterwards it is the state that nobody else may change. */
  asUser(deed: () => void | Promise<void>): Promise<void>;
  /** Writes a file of the checkout, `null` removes it. */
  write(path: string, text: string | null): void;
  /** A file of the checkout; undefined when it is not there. */
  read(path: string): string | undefined;
  /** Commits files by hand, as the user. */
  commit(files: Readonly<Record<string, string>>): Promise<void>;
  /** Asks the running andon, as the commands do; throws when it refuses. */
  ask(request: Request): Promise<void>;
  /** Puts another scenario in place of the stand-ins' one. */
  script(agents: Stations, more?: Call): void;
  /** Takes a program of an agent away, or puts it back. */
  program(name: 'ollama' | 'claude', isThere: boolean): void;
  /** Live processes that belong to this place, andon itself not counted. */
  processes(): readonly LiveProcess[];
  /** Starts andon again after it was killed. */
  start(): Promise<void>;
  /** Kills andon with SIGKILL, and nothing that it started. */
  kill(): Promise<void>;
}
