/** Fields that may be undefined as fields that may be absent. */
type Gapless<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value. */
export const withoutGaps = <Fields extends object>(fields: Fields): Gapless<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Gapless<Fields>;
