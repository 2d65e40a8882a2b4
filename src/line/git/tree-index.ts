import { compareBytes, findInsertionPoint } from '../../base/byte-order.ts';
import { foldPath } from '../../base/path-spellings.ts';
import type { TreeFile } from '../../project/git/repository-facts.ts';

/** The files of one commit, by path. */
export interface TreeIndex {
  readonly byPath: { get(path: string): TreeFile | undefined; has(path: string): boolean };
  /** The paths of plain files: no links, no submodules. */
  readonly plain: Iterable<string> & { has(path: string): boolean };
  /** Every folder that holds a file, however deep. */
  readonly folders: { has(path: string): boolean };
  /** The tracked files and folders that differ from this path in nothing but their spelling, itself among them. */
  readonly spelledLike: (path: string) => readonly string[];
  /** All plain files that patterns may mean, and perhaps more: only wildcards can mean any file. */
  readonly meantBy: (patterns: readonly string[]) => Iterable<string>;
}

/** Looks files up in a listing by binary search: git sorts it. */
export function indexTree(listing: readonly TreeFile[]): TreeIndex {
  const known = INDEXES.get(listing);
  if (known !== undefined) return known;
  // Names that are no UTF-8 are not what git has put in order.
  const files = listing.some(({ path }) => path.includes('\ufffd')) ? sortByPath(listing) : listing;
  const get = (path: string): TreeFile | undefined => {
    const file = files[findInsertionPoint(files, path)];
    return file?.path === path ? file : undefined;
  };
  const has = (path: string): boolean => get(path) !== undefined;
  const plain = { has: (path: string) => isPlain(get(path)), [Symbol.iterator]: () => plainPaths(files).values() };
  const spelledLike = (path: string): readonly string[] => spellingsIn(files, path.split('/').map(foldPath));
  const index: TreeIndex = {
    byPath: { get, has },
    plain,
    folders: {
      has: (folder) => files[findInsertionPoint(files, `${folder}/`)]?.path.startsWith(`${folder}/`) === true,
    },
    spelledLike,
    meantBy(patterns) {
      if (patterns.some((pattern) => WILDCARD.test(pattern))) return plain;
      const places = patterns.flatMap((pattern) => spelledLike(pattern.replace(/^\.\//, '').replace(/\/$/, '')));
      const meant = places.flatMap((place) => [get(place) ?? [], beneath(files, `${place}/`)].flat());
      return new Set(plainPaths(places.length > 1 ? sortByPath(meant) : meant));
    },
  };
  INDEXES.set(listing, index);
  return index;
}

const INDEXES = new WeakMap<readonly TreeFile[], TreeIndex>();
const WILDCARD = /[*?[\]{}]/;
/** The character after `/`: the end of a folder's range. */
const BEHIND = '0';

const sortByPath = (files: readonly TreeFile[]): readonly TreeFile[] =>
  files.toSorted((one, other) => compareBytes(one.path, other.path));

const isPlain = (file: TreeFile | undefined): boolean => file?.mode.startsWith('100') === true;

const plainPaths = (files: readonly TreeFile[]): readonly string[] => files.filter(isPlain).map(({ path }) => path);

const beneath = (files: readonly TreeFile[], folder: string): readonly TreeFile[] =>
  files.slice(findInsertionPoint(files, folder), findInsertionPoint(files, folder.slice(0, -1) + BEHIND));

/** Every place whose folded segments are these; only folders that are spelled so are looked into. */
function spellingsIn(files: readonly TreeFile[], folded: readonly string[]): readonly string[] {
  let places = [''];
  for (const wanted of folded)
    places = places.flatMap((folder) =>
      namesIn(files, folder)
        .filter((name) => foldPath(name) === wanted)
        .map((name) => folder + name + '/'),
    );
  return places.map((place) => place.slice(0, -1));
}

/** The names of the files and folders right in a folder (with its closing `/`), each once. */
function namesIn(files: readonly TreeFile[], folder: string): readonly string[] {
  const names = new Set<string>();
  for (let at = findInsertionPoint(files, folder); files[at]?.path.startsWith(folder) === true;) {
    const { path = '' } = files[at] ?? {};
    const end = path.indexOf('/', folder.length);
    names.add(path.slice(folder.length, end === -1 ? path.length : end));
    at = end === -1 ? at + 1 : findInsertionPoint(files, path.slice(0, end) + BEHIND);
  }
  return [...names];
}
