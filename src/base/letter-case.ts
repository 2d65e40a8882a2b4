type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** What a file says, by the names of the code: `max_retries` is `maxRetries`; what is left out is left out. */
export type InCamelCase<Written> = {
  readonly [Key in keyof Written as Camel<Key>]: Exclude<Written[Key], undefined>;
};

/** The same of values; only the outermost keys are other ones. */
export const inCamelCase = <Written extends object>(written: Written): InCamelCase<Written> =>
  Object.fromEntries(Object.entries(written).map(([key, value]) => [camelOf(key), value])) as InCamelCase<Written>;

/** A name as the code has it, of one that is written with `_` in a file or with `-` in a flag. */
export const camelOf = (name: string): string => name.replace(/[-_]([a-z])/g, (_, next: string) => next.toUpperCase());

/** The other way: a name of the code as files (`_`) or flags (`-`) write it. */
export const partedBy = (sign: '-' | '_', name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `${sign}${letter.toLowerCase()}`);
