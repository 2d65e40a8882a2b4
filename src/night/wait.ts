/** Why something does not begin now, and when it may; null = nobody can say. */
export interface Wait {
  readonly own: 'hours' | 'night' | 'ceiling';
  readonly reason: string;
  readonly until: string | null;
}

/** Why nothing begins, and until when, in one sentence. */
export const closedInWords = ({ reason, until }: Wait): string =>
  `${reason}; nothing new starts${until === null ? ' until that has changed' : ` until ${until}`}`;
