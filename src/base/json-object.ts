/** The object of a JSON text, if it has all these fields; undefined for anything else. */
export function parseJsonObject<Shape extends object>(text: string, has: readonly (keyof Shape)[]): Shape | undefined {
  const value = parseJson(text);
  return isObject(value) && has.every((field) => Object.hasOwn(value, field)) ? (value as Shape) : undefined;
}

/** The parsed value of a JSON text; undefined where it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with keys: no list and not null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every text of a parsed value, without the keys. */
export function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
