/** The same value with every text in it changed, and every key by `changeKey`; default: keys stay. */
export function mapTexts<Value>(
  value: Value,
  change: (text: string) => string,
  changeKey: (key: string) => string = (key) => key,
): Value {
  const map = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(map);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [changeKey(key), map(one)]));
  };
  return map(value) as Value;
}
