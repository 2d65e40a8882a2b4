type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** What a file says, by the names of the code: `max_retries` is `maxRetries`; what is left out is left out. */
export type InCamelCase<Written> = {
  readonly [Key in keyof Written as Camel<Key>]: Exclude<Written[Key], undefined>;
};

/** The same of values; only the outermost keys are other ones. */
export const inCamelCase = <Written extends object>(written: Written): InCamelCase<Written> =>
  Object.fromEntries(
    Object.entries(written).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, next: string) => next.toUpperCase()),
      value,
    ]),
  ) as InCamelCase<Written>;
