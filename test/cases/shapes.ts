import type { Facts } from './run-cases.ts';

/** One way in which rows of a feature describe their input. */
export interface Shape {
  /** Every field that rows of this kind may have; another one is a field that nobody would look at. */
  readonly fields: readonly string[];
  /** The field by which they are known. */
  readonly known: string;
  run(input: Facts): Facts | Promise<Facts>;
}

/** Finds the kind of a row, and refuses one with a field that its kind does not know: it would pass unread. */
export function runShape(shapes: readonly Shape[], input: Facts): Facts | Promise<Facts> {
  const shape = shapes.find(({ known }) => Object.hasOwn(input, known));
  if (shape === undefined) throw new Error(`no kind of row has the fields ${Object.keys(input).join(', ')}`);
  const unknown = Object.keys(input).filter((field) => !shape.fields.includes(field));
  if (unknown.length > 0)
    throw new Error(
      `the runner does not know ${unknown.join(', ')} beside ${shape.known}; known: ${shape.fields.join(', ')}`,
    );
  return shape.run(input);
}

/** A number of a row; without a default it must be there. */
export function numberOf(input: Facts, field: string, usual?: number): number {
  const value = input[field] ?? usual;
  if (typeof value !== 'number') throw new Error(`${field} must be a number`);
  return value;
}

/** A list of texts of a row. */
export function textsOf(input: Facts, field: string, usual: readonly string[] = []): readonly string[] {
  const value = input[field] ?? usual;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Error(`${field} must be a list of texts`);
  return value;
}
