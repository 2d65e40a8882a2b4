import { z } from 'zod';
import { inOneTerminalLine } from '../base/plain-text.ts';
import type { TaskContract } from '../contract/task-contract.ts';
import { closed } from './shape.ts';

/** The next implementer of the contract's list goes on in the place of the last one. */
export const takeoverSchema = closed(() => ({
  from: z.string(),
  to: z.string(),
  why: z.string().describe('What the one before did, or which human wanted it so.'),
}));
export type Takeover = z.infer<ReturnType<typeof takeoverSchema>>;

/** The part of a record that says whose turn it is. */
interface Listed {
  readonly contract: TaskContract;
  readonly takeovers: readonly Takeover[];
}

/** Who implements now, by the name that the contract gives. */
export const implementerNow = ({ contract, takeovers }: Listed): string =>
  takeovers.at(-1)?.to ?? contract.roles.implementers[0] ?? '';

/** Who would take the work over; undefined at the end of the list. */
export const nextImplementer = ({ contract, takeovers }: Listed): string | undefined =>
  contract.roles.implementers[takeovers.length + 1];

/** The list as people read it. */
export const inTurn = (names: readonly string[]): string => names.join(', then ');

/** A takeover in one line, safe for a terminal. */
export const takeoverInWords = ({ from, to, why }: Takeover): string =>
  `${inOneTerminalLine(to, 60)} takes over from ${inOneTerminalLine(from, 60)} (${inOneTerminalLine(why, 160)})`;
