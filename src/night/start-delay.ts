/** Why something does not start now, and when it may; null = unknown. */
export interface StartDelay {
  readonly own: 'hours' | 'night' | 'ceiling';
  readonly reason: string;
  readonly until: string | null;
}

export const formatStartDelay = ({ reason, until }: StartDelay): string =>
  `${reason}; nothing new starts${until === null ? ' until that has changed' : ` until ${until}`}`;
