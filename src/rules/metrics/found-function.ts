/** A function as it stands in a file. */
export interface FoundFunction {
  /** 1-based, of its first and of its last line. */
  readonly first: number;
  readonly last: number;
  /** How many blocks lie within each other at its deepest place. */
  readonly depth: number;
}
