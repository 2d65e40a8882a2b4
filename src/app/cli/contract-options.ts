import { CONTRACT_FIELDS, type FieldKey } from '../../project/contract/contract-fields.ts';
import type { OptionRow } from './command.ts';

/** Further options of the gates of a task. */
const GATE_OPTIONS = [
  ['--must-fail-before <name...>', 'Require that this gate fails before the change'],
  ['--gate-timeout <minutes>', 'Limit a gate of this task. Default: 10'],
] as const;

export const FLAG_FIELDS = CONTRACT_FIELDS.filter(({ help }) => help !== undefined);

export const CONTRACT_OPTIONS: readonly OptionRow[] = FLAG_FIELDS.flatMap(
  ({ key, flag: flags, help = '', default: usual }) => {
    const text = typeof usual === 'number' ? `${help}. Default: ${usual}` : help;
    return [[flags, text] as const, ...(key === 'gates' ? GATE_OPTIONS : [])];
  },
);

/** Where a finished contract goes, and how much is asked. */
export const HAND_IN_OPTIONS: readonly OptionRow[] = [
  ['--queue', 'Queue it even if the line is free'],
  ['--save <file>', 'Write it to a file instead of submitting it'],
  ['--print', 'Print it instead of submitting it'],
  ['--yes', 'Ask nothing: submit what could be inferred'],
];

export const flagOf = (wanted: FieldKey): string =>
  CONTRACT_FIELDS.find(({ key }) => key === wanted)?.flag.split(' ')[0] ?? wanted;
