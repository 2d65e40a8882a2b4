import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { FieldKey } from '../../contract/contract-fields.ts';

/** Flags that say more of the gates of a task. */
const GATE_OPTIONS = [
  ['--must-fail-before <name...>', 'demand that a gate of this task is red on the base'],
  ['--gate-timeout <minutes>', 'limit a gate of this task (default 10)'],
] as const;

/** The options of every command that makes a contract. */
export const CONTRACT_OPTIONS: readonly (readonly [flags: string, text: string])[] = CONTRACT_FIELDS.flatMap(
  ({ key, flag: flags, help = '', default: usual }) => {
    if (flags === undefined) return [];
    const text = typeof usual === 'number' ? `${help} (default ${usual})` : help;
    return [[flags, text] as const, ...(key === 'gates' ? GATE_OPTIONS : [])];
  },
);

/** Where a finished contract goes, and how much is asked. */
export const HAND_IN_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--queue', 'put it into the queue, as happens while the line is busy'],
  ['--save <file>', 'write it to a file instead of dropping it'],
  ['--print', 'print it instead of dropping it'],
  ['--yes', 'ask nothing'],
];

/** The flag that sets a field, or its key without one. */
export const flagOf = (wanted: FieldKey): string => {
  if (wanted === 'project') return '--name';
  return CONTRACT_FIELDS.find(({ key }) => key === wanted)?.flag?.split(' ')[0] ?? wanted;
};
