import { z } from 'zod';
import { inOneTerminalLine } from '../base/plain-text.ts';
import type { TaskContract } from '../contract/task-contract.ts';
import { closed } from './shape.ts';

/** The next implementer of the contract's list takes over from the last. */
export const takeoverSchema = closed(() => ({
  from: z.string(),
  to: z.string(),
  why: z.string().describe('What the one before did, or which human wanted it so.'),
}));
export type Takeover = z.infer<ReturnType<typeof takeoverSchema>>;

/** The part of a record that determines the current implementer. */
interface Listed {
  readonly contract: TaskContract;
  readonly takeovers: readonly Takeover[];
}

/** The current implementer, by its name in the contract. */
export const implementerNow = ({ contract, takeovers }: Listed): string =>
  takeovers.at(-1)?.to ?? contract.roles.implementers[0] ?? '';

/** The next implementer; undefined at the end of the list. */
export const nextImplementer = ({ contract, takeovers }: Listed): string | undefined =>
  contract.roles.implementers[takeovers.length + 1];

export const inTurn = (names: readonly string[]): string => names.join(', then ');

/** A takeover in one line, safe for a terminal. */
export const takeoverInWords = ({ from, to, why }: Takeover): string =>
  `${inOneTerminalLine(to, 60)} takes over from ${inOneTerminalLine(from, 60)} (${inOneTerminalLine(why, 160)})`;
