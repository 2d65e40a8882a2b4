import { integer, oneof } from 'fast-check';

/**
 * Any code point but halves of surrogate pairs, as a unit of strings: `string({ unit: anyCharacter })`. fast-check's own
 * `binary` first lists all 1.1 million of them, which takes seconds and memory in each worker.
 */
export const anyCharacter = oneof(
  integer({ min: 0, max: 0x7f }),
  integer({ min: 0x80, max: 0xd7ff }),
  integer({ min: 0xe000, max: 0x10ffff }),
).map((point) => String.fromCodePoint(point));
