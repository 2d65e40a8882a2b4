import type { Node } from 'web-tree-sitter';
import { fingerprint } from '../base/fingerprint.ts';
import type { CodeForms } from './change-fingerprint.ts';
import { parseSource } from './parse-source.ts';
import { UnitReader, type SourceUnit } from './unit-reader.ts';

/** Rounds in which names learn their identity from the units around them; three are enough in practice. */
const ROUNDS = 3;
/** Longer texts are compared as text alone: all forms of these take a fifth of a second. */
const FORMED_CHARACTERS = 96 * 1024;
/** Kept names of one text. */
const KEPT_NAMES = 100;

/**
 * The forms of files that survive an edit of spacing, comments, names or order. Files without a grammar, with errors or
 * of extraordinary length are left out: they are compared as text.
 */
export async function computeForms(
  contents: Iterable<readonly [path: string, text: string | undefined]>,
): Promise<Record<string, CodeForms>> {
  const found: Record<string, CodeForms> = {};
  for (const [path, text] of contents) {
    if (text === undefined || text.length > FORMED_CHARACTERS) continue;
    const forms = await parseSource(path, text, ({ root }) => (root.hasError ? undefined : formsOf(root)));
    if (forms !== undefined) found[path] = forms;
  }
  return found;
}

function formsOf(root: Node): CodeForms {
  const reader = new UnitReader();
  reader.readContainer(root.walk(), undefined);
  const { units, shared } = reader;
  const none: Owned = () => undefined;
  const owned: Owned = (name, at) => {
    if (units[at]?.locals.has(name) === true) return `${at}:${name}`;
    return shared.has(name) ? name : undefined;
  };
  const names = new Set([...shared, ...units.flatMap(({ locals }) => [...locals])]);
  return {
    spacing: renderInOrder(units, none, true),
    comments: renderInOrder(units, none),
    names: renderInOrder(units, owned),
    order: renderInAnyOrder(units, none),
    both: renderInAnyOrder(units, owned),
    own: [...names].slice(0, KEPT_NAMES).map(fingerprint),
  };
}

/** The identity of a name in a unit where the file itself declares it; undefined for any other name. */
type Owned = (name: string, unit: number) => string | undefined;

/** The units in order; each own name is the number of its first mention. */
function renderInOrder(units: readonly SourceUnit[], owned: Owned, withComments = false): string {
  const numbers = new Map<string, number>();
  const written = units.map((unit, at) => {
    const number = (key: string): string => {
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return `\u0001${known}`;
    };
    return `${unit.parent ?? ''}\u0003${writeTokens(unit, at, owned, number, withComments)}`;
  });
  return fingerprint(written.join('\u0002'));
}

/**
 * The units as a multiset: those between two fixed ones may change places, each within its class. An own name is
 * identified by the units and places that mention it.
 */
function renderInAnyOrder(units: readonly SourceUnit[], owned: Owned): string {
  let colours = new Map<string, string>();
  let prints: readonly string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = colours;
    const found: string[] = [];
    const fixed = new Map<number | undefined, number>();
    units.forEach((unit, at) => {
      const block = fixed.get(unit.parent) ?? 0;
      if (unit.isFixed) fixed.set(unit.parent, block + 1);
      const parent = unit.parent === undefined ? '' : (found[unit.parent] ?? '');
      const words = writeTokens(unit, at, owned, (key) => `\u0001${known.get(key) ?? ''}`);
      found.push(fingerprint(`${parent}\u0003${unit.isFixed ? 'fixed' : ''}${block}\u0003${words}`));
    });
    prints = found;
    colours = colourNames(units, owned, prints);
  }
  return fingerprint([...prints.toSorted(), ...[...colours.values()].toSorted()].join('\u0002'));
}

function colourNames(units: readonly SourceUnit[], owned: Owned, prints: readonly string[]): Map<string, string> {
  const places = new Map<string, string[]>();
  units.forEach(({ tokens }, at) => {
    tokens
      .filter(({ isComment }) => isComment === undefined)
      .forEach(({ name }, place) => {
        const key = name === undefined ? undefined : owned(name, at);
        if (key === undefined) return;
        const known = places.get(key) ?? [];
        known.push(`${prints[at] ?? ''}@${place}`);
        places.set(key, known);
      });
  });
  return new Map([...places].map(([key, found]) => [key, fingerprint(found.toSorted().join(' '))]));
}

function writeTokens(
  { tokens, isImport }: SourceUnit,
  at: number,
  owned: Owned,
  as: (key: string) => string,
  withComments = false,
): string {
  const words = tokens
    .filter(({ isComment }) => withComments || isComment === undefined)
    .map(({ text, name }) => {
      const key = name === undefined ? undefined : owned(name, at);
      return key === undefined ? text : as(key);
    });
  return (isImport ? words.toSorted() : words).join(' ');
}
