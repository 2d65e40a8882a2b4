import { posix } from 'node:path';

/** Source files, and the data files beside them, by their path below `src/`. */
export type Files = ReadonlyMap<string, string>;

/** What one folder may do. The longest matching row speaks for a file. */
export interface Row {
  /** A folder (`adapters/*` = every folder in adapters, each by itself) or a file. */
  readonly room: string;
  /** Rooms it may import from, besides itself; `x (types)` = type imports only. */
  readonly from: readonly string[];
  /** A pure room touches no world: no `node:`, clock, randomness, process, console, timers, network. */
  readonly pure: boolean;
}

/** An import that a row would refuse, and why it is right all the same. */
export interface Exception {
  readonly file: string;
  readonly imports: string;
  readonly why: string;
}

export interface House {
  readonly rows: readonly Row[];
  /** Where each npm package may be imported: files, or folders ending in `/`. Type imports count too. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** `node:` modules that only some places may import. */
  readonly guarded: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: readonly Exception[];
  readonly maxLines: number;
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
  /** Written as `import(…)`: loaded when it is asked for, if ever. */
  readonly later: boolean;
}

/** Every breach of the house rules, as `file: rule`. */
export function checkHouse(files: Files, house: House): string[] {
  const said = [...files].flatMap(([file, text]) => [
    ...checkImports(file, text, files, house),
    ...checkPurity(file, text, house),
    ...checkLength(file, text, house),
  ]);
  return [...said, ...unusedRows(files, house), ...unusedExceptions(files, house), ...cycles(files)].toSorted();
}

/** The imports of a file: static, re-exporting, for their effect, and dynamic. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  const found: Import[] = [];
  for (const match of code.matchAll(/(?:^|[\n;])\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]/g))
    found.push({ from: match[2] ?? '', typeOnly: match[1] !== undefined, later: false });
  for (const match of code.matchAll(/(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g))
    found.push({ from: match[1] ?? match[2] ?? '', typeOnly: false, later: match[1] === undefined });
  return found;
}

function checkImports(file: string, text: string, files: Files, house: House): string[] {
  const row = rowOf(file, house);
  if (row === undefined) return [`${file}: its folder has no row in the table`];
  return importsOf(text).flatMap(({ from, typeOnly }) => {
    if (from.startsWith('node:')) return checkNode(file, from, typeOnly, row, house);
    if (!from.startsWith('.')) return checkPackage(file, from, house);
    const target = posix.join(posix.dirname(file), from);
    if (!files.has(target)) return [`${file}: imports ${from}, which is not there`];
    const own = roomOf(file, row);
    const there = rowOf(target, house);
    if (there === undefined || roomOf(target, there) === own) return [];
    if (house.exceptions.some((known) => known.file === file && known.imports === target)) return [];
    if (row.from.includes(there.room) || row.from.includes(roomOf(target, there))) return [];
    if (typeOnly && row.from.includes(`${roomOf(target, there)} (types)`)) return [];
    if (typeOnly && row.from.includes(`${there.room} (types)`)) return [];
    return [`${file}: ${own} may not import ${roomOf(target, there)} (${target})`];
  });
}

function checkNode(file: string, module: string, typeOnly: boolean, row: Row, house: House): string[] {
  if (house.exceptions.some((known) => known.file === file && known.imports === module)) return [];
  if (row.pure && !typeOnly) return [`${file}: a pure room may not import ${module}`];
  const places = Object.hasOwn(house.guarded, module) ? house.guarded[module] : undefined;
  return places === undefined || isIn(file, places) ? [] : [`${file}: ${module} belongs to ${places.join(', ')}`];
}

function checkPackage(file: string, from: string, { packages }: House): string[] {
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
  const places = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (places === undefined) return [`${file}: the package ${name} has no place in the table`];
  return isIn(file, places) ? [] : [`${file}: the package ${name} belongs to ${places.join(', ')}`];
}

/** Words that touch the world. `new Date(text)` is arithmetic; `new Date()` is a clock. */
const WORLD: Readonly<Record<string, RegExp>> = {
  'Date.now': /\bDate\.now\b/,
  'new Date()': /\bnew Date\s*(?:\(\s*\)|[;,)])/,
  'Math.random': /\bMath\.random\b/,
  process: /(?<![.\w'"])process\s*(?:\.|\?\.|\[)/,
  console: /(?<![.\w'"])console\s*[.[]/,
  timers: /\bset(?:Timeout|Interval|Immediate)\s*\(/,
  fetch: /(?<![.\w])fetch\s*\(/,
  performance: /(?<![.\w'"])performance\s*\./,
  crypto: /(?<![.\w'"])crypto\s*\./,
  globalThis: /\bglobalThis\b/,
  'import.meta': /\bimport\.meta\b/,
  Buffer: /(?<![.\w'"])Buffer\s*\./,
};

function checkPurity(file: string, text: string, house: House): string[] {
  if (rowOf(file, house)?.pure !== true) return [];
  const code = withoutComments(text);
  return Object.entries(WORLD)
    .filter(([, pattern]) => pattern.test(code))
    .map(([name]) => `${file}: a pure room may not touch ${name}`);
}

/** Data may be as long as it is. */
function checkLength(file: string, text: string, { maxLines }: House): string[] {
  if (file.endsWith('.json')) return [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > maxLines ? [`${file}: ${lines} lines are two subjects; the limit is ${maxLines}`] : [];
}

/** A row that speaks for no file guards nothing. */
function unusedRows(files: Files, house: House): string[] {
  const used = new Set([...files.keys()].map((file) => rowOf(file, house)?.room));
  return house.rows.filter(({ room }) => !used.has(room)).map(({ room }) => `${room}: this row matches no file`);
}

function unusedExceptions(files: Files, { exceptions }: House): string[] {
  return exceptions
    .filter(
      ({ file, imports }) =>
        !importsOf(files.get(file) ?? '').some(
          ({ from }) => from === imports || posix.join(posix.dirname(file), from) === imports,
        ),
    )
    .map(({ file, imports }) => `${file}: the exception for ${imports} is not needed any more`);
}

/** Circles of imports; type imports count, because a reader walks them too. */
function cycles(files: Files): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at !== -1) found.push(`${file}: a circle of imports: ${[...trail.slice(at), file].join(' -> ')}`);
    if (at !== -1 || done.has(file)) return;
    for (const { from } of importsOf(files.get(file) ?? '')) {
      const target = posix.join(posix.dirname(file), from);
      if (from.startsWith('.') && files.has(target)) walk(target, [...trail, file]);
    }
    done.add(file);
  };
  for (const file of files.keys()) walk(file, []);
  return found;
}

function rowOf(file: string, { rows }: House): Row | undefined {
  return rows
    .filter(({ room }) => file === room || file.startsWith(room.replace('*', '')))
    .toSorted((a, b) => b.room.length - a.room.length)
    .find(({ room }) => file === room || matches(file, room));
}

/** `adapters/*` speaks for files inside a folder of adapters, `formats` for files inside formats. */
function matches(file: string, room: string): boolean {
  const parts = file.split('/');
  const wanted = room.split('/');
  return parts.length > wanted.length && wanted.every((part, index) => part === '*' || part === parts[index]);
}

/** The room with its star filled in: files of two folders of `adapters/*` are in two rooms. */
const roomOf = (file: string, { room }: Row): string =>
  room.includes('*') ? file.split('/').slice(0, room.split('/').length).join('/') : room;

const isIn = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)));

/** Comments may name anything; strings stay, because imports are strings. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g,
    (_, kept: string | undefined) => kept ?? '',
  );
}
