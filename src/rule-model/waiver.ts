/** A human's permission that a rule need not hold for a while, as `.andon/waivers.yaml` gives it. */
export interface Waiver {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** `YYYY-MM-DD`, the last day on which it counts (UTC), or the moment at which it ends (RFC 3339, with its zone). */
  readonly expires: string;
  /** A glob; without it the waiver holds everywhere, also for findings without a file. */
  readonly path?: string;
  /** The human who answers for waiving a hard constraint, a P0 rule or one that says `waivable: false`; without it those are not waived. */
  readonly signed_by?: string;
}

/** Whether a waiver counts no longer at a moment: its last day ends with midnight UTC, an end with a time right then. */
export const isExpired = ({ expires }: Pick<Waiver, 'expires'>, now: string): boolean =>
  expires.includes('T') ? Date.parse(expires) <= Date.parse(now) : expires < now.slice(0, 10);
