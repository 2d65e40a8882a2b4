import type { BoardRow } from './board.ts';

/** Rows of one cause, answered together; most groups have one row. */
export interface NeedGroup {
  readonly key: string;
  readonly rows: readonly [BoardRow, ...BoardRow[]];
}

/** Halts of one cause in one repository as one group, at the place of the first. */
export const groupNeeds = (rows: readonly BoardRow[]): readonly NeedGroup[] =>
  [...Map.groupBy(rows, groupOf)].flatMap(([key, [first, ...more]]) =>
    first === undefined ? [] : [{ key: more.length === 0 ? first.key : key, rows: [first, ...more] }],
  );

const groupOf = ({ key, repository, halt }: BoardRow): string =>
  halt?.cause == null ? key : `${repository} ${halt.cause}`;
