import { z } from 'zod';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import { closedObject } from '../../base/shape.ts';

/** The next implementer of the contract's list takes over from the last. */
export const takeoverSchema = closedObject(() => ({
  from: z.string(),
  to: z.string(),
  why: z.string().describe('What the one before did, or which human wanted it so.'),
}));
export type Takeover = z.infer<ReturnType<typeof takeoverSchema>>;

interface Listed {
  readonly contract: TaskContract;
  readonly takeovers: readonly Takeover[];
}

export const getCurrentImplementer = ({ contract, takeovers }: Listed): string =>
  takeovers.at(-1)?.to ?? contract.roles.implementers[0] ?? '';

export const getNextImplementer = ({ contract, takeovers }: Listed): string | undefined =>
  contract.roles.implementers[takeovers.length + 1];

export const formatImplementers = (names: readonly string[]): string => names.join(', then ');

export const formatTakeover = ({ from, to, why }: Takeover): string =>
  `${toTerminalLine(to, 60)} takes over from ${toTerminalLine(from, 60)} (${toTerminalLine(why, 160)})`;
