import type { ContractField, FieldValues } from './contract-field.ts';
import { LIMIT_FIELDS } from './limit-fields.ts';
import { TASK_FIELDS } from './task-fields.ts';

/** One row of the table. */
type Field = (typeof TASK_FIELDS)[number] | (typeof LIMIT_FIELDS)[number];
export type FieldKey = Field['key'];

/**
 * Every field that a user may set, in the order of questions and flags. Flags, spec names, questions, the written contract
 * and the places of faults derive from this table; `task-contract-shape.ts` checks the values.
 */
export const CONTRACT_FIELDS: readonly (ContractField & { readonly key: FieldKey })[] = [
  ...TASK_FIELDS,
  ...LIMIT_FIELDS,
];

type ListKind = 'texts' | 'paths' | 'gates';

/** The fields that a user set, in the spelling of the file. */
export type PartialDraft = { readonly [Row in Field as Row['key']]?: FieldValues[Row['kind']] | undefined };

/** A draft of a whole contract: lists and workers are filled in. */
export type ContractDraft = PartialDraft &
  Readonly<Record<'task_id' | 'project' | 'local_reviewer' | 'judge', string>> & {
    readonly [Row in Field as Row['kind'] extends ListKind ? Row['key'] : never]: FieldValues[Row['kind']];
  };

/** Whether the path of a fault is that of a field. */
export const isAtField = (faultPath: string, key: FieldKey): boolean => {
  const place = `$.${CONTRACT_FIELDS.find((field) => field.key === key)?.path ?? ''}`;
  return faultPath === place || faultPath.startsWith(`${place}.`) || faultPath.startsWith(`${place}[`);
};
