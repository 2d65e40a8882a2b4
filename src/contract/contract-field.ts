import type { z } from 'zod';
import type { gateSchema } from './gate.ts';
import type { Complexity } from './task-contract-shape.ts';

/** A gate as a contract writes it. */
export type WrittenGate = Readonly<z.infer<ReturnType<typeof gateSchema>>>;

/** The values of a field, by its kind. */
export interface FieldValues {
  readonly text: string;
  readonly texts: readonly string[];
  readonly path: string;
  readonly paths: readonly string[];
  readonly number: number;
  readonly boolean: boolean;
  readonly complexity: Complexity;
  readonly gates: readonly WrittenGate[];
}

/** One field of a contract that a user may set: by a flag, in a spec, in answer to a question. */
export interface ContractField {
  /** Its name in a draft and in a spec, in the spelling of the file. */
  readonly key: string;
  /** Its path in the contract, without the leading `$.`. */
  readonly path: string;
  readonly kind: keyof FieldValues;
  /** Other names in a spec. */
  readonly aliases?: string;
  readonly flag?: string;
  /** The help of the flag; the default is added. */
  readonly help?: string;
  /** Written into a contract that does not name it. */
  readonly default?: number | boolean;
  /** Asked by `andon new` in a terminal. */
  readonly question?: string;
}
