/** A place as editors read it: `src/a.ts:12:3`; of a whole file its name alone. */
export const formatPlace = (file: string, line?: number | null, column?: number): string =>
  [file, ...(line == null ? [] : [line, column])].filter((part) => part !== undefined).join(':');
