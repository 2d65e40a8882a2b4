/** The object that a text of JSON is, if it has all these fields; undefined where it is torn, or `null`, or anything else. */
export function objectIn<Shape extends object>(text: string, has: readonly (keyof Shape)[]): Shape | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && has.every((field) => Object.hasOwn(value, field))
      ? (value as Shape)
      : undefined;
  } catch {
    return undefined;
  }
}
