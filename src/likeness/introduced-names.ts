import { setOf } from './read-code-unit.ts';
import type { CodeUnit } from './read-code-unit.ts';

const HEADS = setOf(
  'def fn func fun function sub struct class interface enum trait record type data object constructor',
);
const LOOPS = setOf('for foreach');
const ENDS = setOf('in of : =');

/**
 * The names that a text itself introduces, so that they could be renamed: generously, since any other name is external
 * and keeps its meaning only under that name.
 */
export function listIntroducedNames(
  units: readonly CodeUnit[],
  kids: ReadonlyMap<number | undefined, readonly number[]>,
): ReadonlySet<string> {
  const names = new Set(units.flatMap(({ declares, parameters }) => [...declares, ...parameters]));
  const isHead = (unit: CodeUnit | undefined): boolean =>
    unit?.words.slice(0, 6).some((word) => HEADS.has(word)) === true;
  units.forEach((unit, at) => {
    const parent = unit.parent === undefined ? undefined : units[unit.parent];
    if (unit.imports || parent?.imports === true) return;
    const places = placesIn(unit, kids.has(at), isHead);
    for (const mention of unit.mentions) if (places(mention.at)) names.add(mention.name.replace(/^\.|:$/g, ''));
    if (isHead(parent) && unit.words.every((word) => word !== '(' && word !== '='))
      for (const { name } of unit.mentions) names.add(name.replace(/:$/, '')); // the fields of a type
  });
  for (const name of names) if (!name.startsWith('.')) names.add(`.${name}`);
  return names;
}

/**
 * The places of a unit that introduce names: a head, a loop variable, a block's parameter (`|a|`), the left side of
 * `=`.
 */
function placesIn(
  { words }: CodeUnit,
  opens: boolean,
  isHead: (unit: CodeUnit) => boolean,
): (place: number) => boolean {
  const given = new Set<number>();
  const is = words.findIndex(
    (word, at) => word === '=' && !'=<>!'.includes(words[at - 1] ?? ' ') && words[at + 1] !== '=',
  );
  for (let at = 0; at < is; at += 1) if (words[at + 1] !== '(') given.add(at);
  let [inLoop, inBars] = [false, false];
  words.forEach((word, at) => {
    if (LOOPS.has(word)) inLoop = true;
    else if (inLoop && ENDS.has(word)) inLoop = false;
    if (word === '|') inBars = !inBars && words.indexOf('|', at + 1) !== -1;
    if (inLoop || inBars) given.add(at);
  });
  const head = opens && isHead({ words } as CodeUnit);
  return (place) => head || given.has(place);
}
