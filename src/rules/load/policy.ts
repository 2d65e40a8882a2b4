import { idFrom } from './rule-names.ts';

/** A value that may hold a rule, and what was read into it. */
export interface Completed {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/**
 * A policy (`when X, then Y`) is known by its name and by whether it is a hard constraint, and may name neither id nor
 * severity: the id is made of the name, a hard one is HIGH, another MEDIUM. Any other value is left as it is.
 */
export function completePolicy(value: unknown): Completed {
  if (!isPolicy(value)) return { value, notes: [] };
  const { enforcement_expression: expression, ...rest } = value;
  const id = idFrom(value.name);
  const isHard = value['is_hard_constraint'] === true;
  const notes: string[] = [];
  const made: Record<string, unknown> = expression === null ? rest : { ...value };
  if (made['id'] === undefined && /[A-Za-z0-9]/.test(value.name)) {
    made['id'] = id;
    notes.push(`${id}: the id is made of the name`);
  }
  if (made['severity'] === undefined) {
    made['severity'] = isHard ? 'HIGH' : 'MEDIUM';
    notes.push(`${id}: no severity is named: ${isHard ? 'a hard constraint is read as HIGH' : 'read as MEDIUM'}`);
  }
  return { value: made, notes };
}

const isPolicy = (value: unknown): value is Record<string, unknown> & { readonly name: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  ('action_text' in value || 'enforcement_expression' in value);
