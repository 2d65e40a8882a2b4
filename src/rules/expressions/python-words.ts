import { Refused } from './expression-fault.ts';

/** Words of Python that are no names of variables, and mean nothing here. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** What other languages call the three constants. */
export const WRONG_LITERALS: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
  ['none', 'None'],
  ['undefined', 'None'],
]);

/** Something other than a function is called. */
export const notCallable = (at: number): Refused =>
  new Refused('unsupported', 'only a function by its name can be called', at);

/** A call to an unsupported function. */
export const notCallableName = (name: string, known: readonly string[], at: number): Refused =>
  new Refused('unsupported', `there is no function ${name.slice(0, 60)}`, at, `there are ${known.join(', ')}`);
