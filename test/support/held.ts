import type { HeldEntry } from '../../src/line/record/journal-entry.ts';
import { AT } from './records.ts';

/** The judge's provider is at a limit before anything was asked: nothing is used, and nobody said until when. */
export const held = (changes: Partial<HeldEntry> = {}): HeldEntry => ({
  kind: 'held',
  at: AT,
  station: 'judge',
  call: 1,
  agent: 'claude',
  reason: 'usage limit',
  until: null,
  tokensIn: 0,
  tokensOut: 0,
  usd: 0,
  ms: 1,
  ...changes,
});
