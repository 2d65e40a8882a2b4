/** The distance of a file to the files in question, and why. */
interface Neighbour {
  readonly path: string;
  readonly tie: 'used by the files in question' | 'uses the files in question' | 'same folder' | 'elsewhere';
}

/** A file by path; without a text only its name counts. */
interface KnownFile {
  readonly path: string;
  readonly text?: string | undefined;
}

/**
 * Other files, nearest first: files named by the files in question (or by the task), files that name those, their
 * folder, the rest.
 */
export function rankNeighbours(
  others: readonly KnownFile[],
  inQuestion: readonly KnownFile[],
  task = '',
): readonly Neighbour[] {
  const targets = [...new Set(inQuestion.map(({ path }) => stemOf(path)).filter(isTelling))];
  const rateName = namesRated(inQuestion, task);
  return others
    .map(({ path, text = '' }) => {
      const { isUsed, nearness } = rateName(path);
      const named = targets.filter((stem) => text.includes(stem)); // few texts have to be taken apart
      const uses = named.length > 0 && mentionsIn(text).some((word) => named.includes(word));
      return { path, score: scoreOf(isUsed, uses, nearness), tie: tieOf(isUsed, uses, nearness) };
    })
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .map(({ path, tie }) => ({ path, tie }));
}

/** The names of all other files, nearest first by name alone; lazily sorted. */
export function* rankNames(
  paths: Iterable<string>,
  inQuestion: readonly KnownFile[],
  task = '',
): Generator<string, void> {
  const rateName = namesRated(inQuestion, task);
  const byScore = new Map<number, string[]>();
  for (const path of paths) {
    const { isUsed, nearness } = rateName(path);
    const score = scoreOf(isUsed, false, nearness);
    const same = byScore.get(score);
    if (same === undefined) byScore.set(score, [path]);
    else same.push(path);
  }
  for (const score of [...byScore.keys()].toSorted((one, other) => other - one))
    yield* (byScore.get(score) ?? []).toSorted((one, other) => (one < other ? -1 : 1));
}

const scoreOf = (isUsed: boolean, uses: boolean, nearness: number): number =>
  (isUsed ? 4 : 0) + (uses ? 2 : 0) + nearness;

/** A file's rank by name: whether the files in question (or the task) name it, and its distance. */
function namesRated(
  inQuestion: readonly KnownFile[],
  task: string,
): (path: string) => { readonly isUsed: boolean; readonly nearness: number } {
  const named = new Set([...wordsOf(task), ...inQuestion.flatMap(({ text = '' }) => mentionsIn(text))]);
  const folders = inQuestion.map(({ path }) => folderOf(path).split('/'));
  const nearnesses = new Map<string, number>();
  return (path) => {
    const folder = folderOf(path);
    const segments = folder.split('/');
    const nearness =
      nearnesses.get(folder) ?? folders.reduce((most, other) => Math.max(most, nearnessOf(segments, other)), 0);
    nearnesses.set(folder, nearness);
    const stem = stemOf(path);
    return { isUsed: isTelling(stem) && named.has(stem), nearness };
  };
}

function tieOf(isUsed: boolean, uses: boolean, nearness: number): Neighbour['tie'] {
  if (isUsed) return 'used by the files in question';
  if (uses) return 'uses the files in question';
  return nearness === 1 ? 'same folder' : 'elsewhere';
}

/** The name by which other files refer to a file: up to its first dot, or its folder's where the name is generic. */
function stemOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const start = path[slash + 1] === '.' ? slash + 2 : slash + 1;
  const dot = path.indexOf('.', start);
  const name = path.slice(start, dot === -1 ? path.length : dot);
  return SAYS_NOTHING.has(name) ? (path.split('/').at(-2) ?? name) : name;
}

const SAYS_NOTHING = new Set(['index', 'mod', 'lib', 'main', '__init__']);

const isTelling = (stem: string): boolean => stem.length >= 3;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** 1 for the same folder, less with the distance of two folders, 0 without a common one. */
function nearnessOf(one: readonly string[], other: readonly string[]): number {
  const least = Math.min(one.length, other.length);
  let common = 0;
  while (common < least && one[common] === other[common]) common += 1;
  if (common === one.length && common === other.length) return 1;
  return common / (one.length + other.length);
}

/** The files that a text names: on import lines, and as names with an extension anywhere. */
function mentionsIn(text: string): readonly string[] {
  const searched = text.slice(0, SEARCHED);
  const imports = searched.match(IMPORTS) ?? [];
  const endings = (searched.match(/[\w$-]{1,80}\.[A-Za-z]\w{0,9}/g) ?? []).map((name) => name.replace(/\..*$/, ''));
  return [...imports.flatMap(wordsOf), ...endings];
}

/** Names in code and prose; a dash may be part of one. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$-]+/gu) ?? [];

const IMPORTS =
  /^.{0,200}\b(?:import|from|require(?:_relative)?|include|use|using|mod|load|source|extends|package)\b.{0,200}$/gm;
const SEARCHED = 100_000;
