import type { Outcome } from '../base/outcome.ts';
import type { Owner } from '../sandbox/processes/process-name.ts';

/** The identity of a call: the repository by the name of its state, the task, its number, and its start. */
export interface CallKey {
  readonly state: string;
  readonly task: string;
  readonly call: number;
  readonly at: string;
}

/** A planned call, and its account. */
export interface LedgerClaim extends CallKey {
  readonly station: string;
  readonly account: string;
}

/** The reservation of a call; null = without a limit. */
export interface LedgerReserve {
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly minutes: number;
}

/** The usage of an ended call, or of several together; unreported figures equal the reservation, and the calls without them are counted. */
export interface SettledCall {
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  readonly unknownUsd: number;
  readonly unknownTokens: number;
}

/** Sums over the calls that began in a period; running ones count with their reservations. */
export interface Sums extends SettledCall {
  readonly calls: number;
  /** The part of running calls. */
  readonly open: Pick<SettledCall, 'usd' | 'tokens' | 'minutes'> & { readonly calls: number };
}

/** The calls to sum: those that began in a period, of one account or of all. */
export interface Over {
  readonly from: string;
  readonly to: string;
  readonly account?: string | undefined;
}

/** A call with an open reservation, and its owner. */
export interface OpenCall extends LedgerClaim {
  readonly owner: Owner;
}

/** The request of `andon night`; it applies to every daemon of the user until it ends. */
export interface NightRun {
  readonly id: number;
  readonly from: string;
  readonly until: string;
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly owner: Owner;
  /** When and how it ended early; null where it did not. */
  readonly ended: string | null;
  /** `watched on`: stopped, and the previous watcher continues by the configuration. */
  readonly how: 'stopped' | 'broke off' | 'watched on' | null;
}

/** The usage and reservations of all daemons of a user: each entry is durable before its call is made. */
export interface Ledger {
  /** Sums, decides, and reserves in one transaction. */
  reserve<Why>(
    claim: LedgerClaim,
    decide: (sums: (over: Over) => Sums) => Outcome<LedgerReserve, Why>,
  ): Outcome<LedgerReserve, Why>;
  /** Records the usage of a call; a repetition changes nothing. */
  settle(key: CallKey, call: SettledCall): void;
  /** The call was never made. */
  release(key: CallKey): void;
  sums(over: Over): Sums;
  /** Open calls, of one repository or of all. */
  open(state?: string): readonly OpenCall[];
  /** The nights that had not ended before a moment, oldest first. */
  nights(since: string): readonly NightRun[];
  /** Opens a night; undefined where one is open already, even from another process at this moment. */
  openNight(night: Pick<NightRun, 'from' | 'until' | 'usd' | 'tokens'>): NightRun | undefined;
  /** Takes over a night whose opener is gone; false where it has ended or has another owner. */
  takeNight(night: Pick<NightRun, 'id' | 'owner'>): boolean;
  /** The latest night, ended or not. */
  lastNight(): NightRun | undefined;
  endNight(id: number, at: string, how: NonNullable<NightRun['how']>): void;
  /** Lets the watchers of a stopped night continue by the configuration. */
  watchOn(id: number): void;
  close(): void;
}
