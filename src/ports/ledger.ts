import type { Outcome } from '../base/outcome.ts';

/** A process, told apart from every other one of this machine. */
export interface Owner {
  readonly pid: number;
  readonly startTime: string;
  readonly boot: string;
}

/** What tells a call from every other: the repository by the name of its state, the task, its number, and when it began. */
export interface CallKey {
  readonly state: string;
  readonly task: string;
  readonly call: number;
  readonly at: string;
}

/** A call that is about to be made, and who is paid for it. */
export interface Claim extends CallKey {
  readonly station: string;
  readonly account: string;
}

/** What a call sets aside; null = there is nothing that it could be held to. */
export interface Reserve {
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly minutes: number;
}

/** The usage of a call; unreported figures equal the reservation and count as unknown. */
export interface Settled {
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  readonly unknownUsd: number;
  readonly unknownTokens: number;
}

/** Sums over the calls that began in a time, those that are under way with what they set aside. */
export interface Sums extends Settled {
  readonly calls: number;
  /** The part of it that belongs to calls under way. */
  readonly open: Pick<Settled, 'usd' | 'tokens' | 'minutes'> & { readonly calls: number };
}

/** Over which calls is summed: those that began in a time, of one account or of all. */
export interface Over {
  readonly from: string;
  readonly to: string;
  readonly account?: string | undefined;
}

/** A call that was set aside for and is not settled yet, and by whom. */
export interface OpenCall extends Claim {
  readonly owner: Owner;
}

/** What `andon night` was asked for; it holds for every daemon of the user until it ends. */
export interface NightRun {
  readonly id: number;
  readonly from: string;
  readonly until: string;
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly owner: Owner;
  /** When and how it ended before its time; null where it did not. */
  readonly ended: string | null;
  /** `watched on`: stopped, and the previous watcher continues by the configuration. */
  readonly how: 'stopped' | 'broke off' | 'watched on' | null;
}

/** What every daemon of a user has used and set aside, in one place: each entry is durable before its call is made. */
export interface Ledger {
  /** Sums, decides, and reserves in one transaction. */
  reserve<Why>(claim: Claim, decide: (sums: (over: Over) => Sums) => Outcome<Reserve, Why>): Outcome<Reserve, Why>;
  /** What a call came to; settling it once more changes nothing. */
  settle(key: CallKey, came: Settled): void;
  /** The call was never made. */
  release(key: CallKey): void;
  sums(over: Over): Sums;
  /** Calls that are not settled, of one repository or of all. */
  open(state?: string): readonly OpenCall[];
  /** The nights that had not ended before a moment, oldest first. */
  nights(since: string): readonly NightRun[];
  /** Opens a night; undefined where one is open already, also one that another process opened at this moment. */
  openNight(night: Pick<NightRun, 'from' | 'until' | 'usd' | 'tokens'>): NightRun | undefined;
  /** Takes over a night whose opener is gone; false where it has ended or has another owner. */
  takeNight(night: Pick<NightRun, 'id' | 'owner'>): boolean;
  /** The night that was opened last, ended or not. */
  lastNight(): NightRun | undefined;
  endNight(id: number, at: string, how: NonNullable<NightRun['how']>): void;
  /** Lets those who watched a night that was stopped go on by the configuration. */
  watchOn(id: number): void;
  close(): void;
}
