/** The object that a text of JSON is, if it has all these fields; undefined where it is torn, or `null`, or anything else. */
export function objectIn<Shape extends object>(text: string, has: readonly (keyof Shape)[]): Shape | undefined {
  const value = valueIn(text);
  return typeof value === 'object' && value !== null && has.every((field) => Object.hasOwn(value, field))
    ? (value as Shape)
    : undefined;
}

/** The value that a text of JSON is; undefined where it is none. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
