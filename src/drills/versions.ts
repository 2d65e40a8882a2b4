import { TARGET } from './sample.ts';
import { FINAL, writes } from './scenario.ts';
import type { Call } from './scenario.ts';

/** The document of every drill in versions, so that no attempt is the tree of another one. */
export const version = (number: number): string => `${FINAL}\nVersion ${number}.\n`;

/** An implementer's answer with one of those versions. */
export const writesVersion = (number: number, more: Call = {}): Call => writes({ [TARGET]: version(number) }, more);

/** A call that says when it is reached, by a file, and waits until it may go on. */
export const waits = { does: [{ touch: 'at' }, { 'wait-for': 'go' }] };
