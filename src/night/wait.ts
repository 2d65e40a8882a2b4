/** Why something does not start now, and when it may; null = unknown. */
export interface Wait {
  readonly own: 'hours' | 'night' | 'ceiling';
  readonly reason: string;
  readonly until: string | null;
}

export const closedInWords = ({ reason, until }: Wait): string =>
  `${reason}; nothing new starts${until === null ? ' until that has changed' : ` until ${until}`}`;
