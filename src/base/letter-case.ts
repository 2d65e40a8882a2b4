type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** The keys of a file as names in code: `max_retries` is `maxRetries`; missing ones stay missing. */
export type InCamelCase<Written> = {
  readonly [Key in keyof Written as Camel<Key>]: Exclude<Written[Key], undefined>;
};

/** The same for values; only the outermost keys change. */
export const toCamelKeys = <Written extends object>(written: Written): InCamelCase<Written> =>
  Object.fromEntries(Object.entries(written).map(([key, value]) => [toCamelCase(key), value])) as InCamelCase<Written>;

/** A name in code, from one with `_` in a file or with `-` in a flag. */
export const toCamelCase = (name: string): string =>
  name.replace(/[-_]([a-z])/g, (_, next: string) => next.toUpperCase());

/** The reverse: a name in code with `_` for files or `-` for flags. */
export const toSeparatedCase = (sign: '-' | '_', name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `${sign}${letter.toLowerCase()}`);
