import type { ChangedFile } from '../../base/changed-file.ts';
import { listFolders } from '../../base/list-folders.ts';
import type { TreeFile } from './repository-facts.ts';
import { askGit, GitFailure, runGit, gitText, tryGit } from './run-git.ts';
import { KnownTrees, isObjectId } from './known-trees.ts';
import { findFile, isTold, readDiffTree, readListing, readPathChanges, withDifference } from './listing.ts';
import { readSmallObjects } from './read-small-objects.ts';

/** The mode of a submodule in a tree: a commit of another repository. */
export const SUBMODULE = '160000';
/** A small tree is also listed in full: that is one git, which also knows the sizes. */
const FEW_FILES = 1000;

/** The user's programs must not change a diff. */
const PLAIN = ['--no-ext-diff', '--no-textconv'];
/** The size of one read from git. */
const PIPE = 64 * 1024;
/** With -z, git puts an empty field between the counts and the patch. */
const PATCH_FOLLOWS = '\0\0diff --git ';

interface GitObject {
  readonly oid: string;
  readonly kind: string;
  readonly content: Buffer;
}

/** Reads commits through the vault, and asks git only for what is not cached. */
export class Trees {
  readonly known = new KnownTrees();
  readonly gitDir: string;

  constructor(gitDir: string) {
    this.gitDir = gitDir;
  }

  async files(commit: string): Promise<readonly TreeFile[]> {
    const known = this.known.listing(commit);
    if (known !== undefined) return known;
    const files =
      (await this.filesByDifference(commit)) ??
      readListing(await runGit(['ls-tree', '-r', '-z', '--full-tree', '--long', commit], this));
    this.known.keepListing(commit, files);
    return files;
  }

  /**
   * Lists a tree by its difference to a known one, if that is small: a full listing takes time in proportion to its
   * size.
   */
  private async filesByDifference(commit: string): Promise<readonly TreeFile[] | undefined> {
    const before = this.known.newest();
    if (before === undefined || before.files.length <= FEW_FILES || !isObjectId(commit)) return undefined;
    const raw = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before.id, commit];
    const result = await tryGit(raw, this);
    if (result.code !== 0) return undefined;
    const difference = readPathChanges(result.stdout);
    if (!isTold(difference)) return undefined;
    const sizes = await this.sizes(difference.come.filter(({ mode }) => mode !== SUBMODULE).map(({ oid }) => oid));
    const come = difference.come.map((file) => ({ ...file, size: sizes.get(file.oid) ?? 0 }));
    return withDifference(before.files, difference.gone, come);
  }

  /** Missing objects are left out. */
  private async sizes(oids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const known = oids.flatMap((oid): [string, number][] => {
      const content = this.known.content(oid);
      return content === undefined ? [] : [[oid, content.length]];
    });
    const sizes = new Map(known);
    const unknown = [...new Set(oids)].filter((oid) => !sizes.has(oid));
    const read = await readSmallObjects(this.gitDir, unknown, { largest: -1, most: 0 });
    for (const [oid, { size }] of read) sizes.set(oid, size);
    return sizes;
  }

  /** The contents of files by one `cat-file --batch`, or none where all are cached; missing files are left out. */
  async read(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    if (paths.length === 0) return found;
    const listed = this.known.listing(commit);
    const blobOf = (path: string): string | undefined => {
      const file = listed === undefined ? undefined : findFile(listed, path);
      return file === undefined || file.mode === SUBMODULE ? undefined : file.oid;
    };
    const ids = listed === undefined ? undefined : new Map(paths.map((path) => [path, blobOf(path)]));
    const unread = paths.filter((path) => {
      const oid = ids?.get(path);
      const bytes = oid === undefined ? undefined : this.known.content(oid);
      if (bytes !== undefined) found.set(path, bytes);
      return ids === undefined || (oid !== undefined && bytes === undefined);
    });
    if (unread.length === 0) return found;
    const names =
      ids === undefined ? await this.objectNames(commit, unread) : unread.map((path) => ids.get(path) ?? 'missing');
    const objects = await this.objects(names);
    for (const [at, path] of unread.entries()) {
      const object = objects[at];
      if (object?.kind !== 'blob') continue;
      found.set(path, object.content);
      this.known.keepContent(object.oid, object.content);
    }
    return found;
  }

  /** The content of one file; undefined where there is none, or a larger one. */
  async readSmall(commit: string, path: string, largest: number): Promise<Uint8Array | undefined> {
    if (/^(?:\.{1,2}(?:\/|$)|$)/.test(path)) return undefined; // git would begin at a folder
    const names = await this.objectNames(commit, [path]);
    const [found] = (await readSmallObjects(this.gitDir, names, { largest, most: largest })).values();
    return found?.content;
  }

  /** The id of a commit's tree; uncached trees of it and of the folders above these paths are read together. */
  async rootOf(commit: string, paths: readonly string[]): Promise<string> {
    const tree = this.known.root(commit);
    // For a commit that was built here, the folders are cached with its tree.
    const isRead =
      tree !== undefined && this.known.built(commit) !== undefined && this.known.content(tree) !== undefined;
    if (tree !== undefined && (isRead || paths.length === 0)) return tree;
    const folders = [...listFolders(paths)].filter((folder) => !/[\r\n]/.test(folder));
    const names = [`${commit}^{tree}`, ...folders.map((folder) => `${commit}:${folder}`)];
    const [top, ...beneath] = await this.objects(names);
    if (top === undefined) throw new GitFailure(`git has no commit ${commit}`);
    for (const found of [top, ...beneath]) if (found?.kind === 'tree') this.known.keepContent(found.oid, found.content);
    this.known.keepRoot(commit, top.oid);
    return top.oid;
  }

  async tree(oid: string): Promise<Uint8Array> {
    const known = this.known.content(oid);
    if (known !== undefined) return known;
    const [found] = await this.objects([oid]);
    if (found?.kind !== 'tree') throw new GitFailure(`git has no tree ${oid}`);
    this.known.keepContent(oid, found.content);
    return found.content;
  }

  /** Objects by git's names, one line each; undefined where one does not exist. */
  private async objects(names: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    const input = names.map((name) => `${name}\n`).join('');
    const output = await runGit(['cat-file', '--batch'], { gitDir: this.gitDir, input });
    let at = 0;
    return names.map(() => {
      const end = output.indexOf(10, at);
      const match = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('utf8', at, end));
      at = end + 1;
      if (match === null) return undefined;
      const [, oid = '', kind = '', size = '0'] = match;
      const content = output.subarray(at, at + Number(size));
      at += content.length + 1;
      return { oid, kind, content };
    });
  }

  /** How to name a file to `cat-file --batch`: one line each, so a name with a line break is given by id. */
  private async objectNames(commit: string, paths: readonly string[]): Promise<readonly string[]> {
    if (!paths.some((path) => /[\r\n]/.test(path))) return paths.map((path) => `${commit}:${path}`);
    const ids = new Map((await this.files(commit)).map(({ path, oid }) => [path, oid]));
    return paths.map((path) => ids.get(path) ?? 'missing');
  }

  diff(from: string, to: string): Promise<readonly ChangedFile[]> {
    // A commit built here is small, and its patch is needed next: both in one call.
    const withPatch = this.known.built(to) !== undefined;
    const counted = [
      '-r',
      '-z',
      '-M',
      '--raw',
      '--numstat',
      ...(withPatch ? ['-p', '--no-color', '--no-abbrev'] : []),
      ...PLAIN,
    ];
    return this.known.diffs.between(from, to, async () => {
      const output = await runGit(['diff-tree', ...counted, from, to], this);
      const at = withPatch ? output.indexOf(PATCH_FOLLOWS) : -1;
      if (withPatch) {
        this.known.patches.keep(from, to, at === -1 ? '' : output.toString('utf8', at + 2));
        this.known.changes.keep(from, to, readPathChanges(output));
      }
      return readDiffTree(at === -1 ? output : output.subarray(0, at + 1));
    });
  }

  patch(from: string, to: string): Promise<string> {
    const words = ['diff-tree', '-r', '-p', '-M', '--no-color', ...PLAIN, from, to];
    return this.known.patches.between(from, to, async () => (await runGit(words, this)).toString('utf8'));
  }

  /** The first `most` bytes of the patch of these paths, and whether there is more. */
  async patchOf(from: string, to: string, paths: readonly string[], most: number, ignoresSpaces = false) {
    const named = paths.map((path) => `:(literal)${path}`);
    const spaces = ignoresSpaces ? ['-w'] : [];
    const words = ['diff-tree', '-r', '-p', '-M', ...spaces, '--no-color', ...PLAIN, from, to, '--', ...named];
    // Output beyond the limit is dropped by the piece, and a pipe holds one.
    const { stdout, isCut } = await askGit(words, { gitDir: this.gitDir, most: most + PIPE });
    const text = stdout.toString('utf8', 0, most);
    const isWhole = isCut === undefined && stdout.length <= most;
    return { text: isWhole ? text : text.replace(/\ufffd$/, ''), isCut: !isWhole };
  }

  /** The patches of all commits of a range, oldest first, by one git; undefined where they are too large. */
  async patches(to: string, without: readonly string[], most: number): Promise<string | undefined> {
    const shown = [
      '-p',
      '--cc',
      '-M',
      '-U0',
      '--full-index',
      '--no-color',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      ...PLAIN,
    ];
    const range = ['--end-of-options', to, ...without.map((commit) => `^${commit}`), '--'];
    const words = ['log', '--reverse', '--topo-order', '--format=commit %H', ...shown, ...range];
    const { stdout, isCut } = await askGit(words, { gitDir: this.gitDir, most });
    return isCut === true ? undefined : stdout.toString('utf8');
  }

  /** The contents of blobs by id, without larger ones. */
  async blobs(oids: readonly string[], largest: number): Promise<ReadonlyMap<string, Uint8Array>> {
    if (oids.length === 0) return new Map();
    const found = await readSmallObjects(this.gitDir, [...new Set(oids)], { largest, most: Number.POSITIVE_INFINITY });
    return new Map([...found].flatMap(([oid, { content }]) => (content === undefined ? [] : [[oid, content]])));
  }

  async countLines(commit: string): Promise<number> {
    const empty = await gitText(['hash-object', '-t', 'tree', '--stdin'], this);
    const output = await runGit(['diff-tree', '-r', '--numstat', '--no-renames', ...PLAIN, empty, commit], this);
    return output
      .toString('utf8')
      .split('\n')
      .reduce((sum, row) => sum + (Number.parseInt(row, 10) || 0), 0);
  }
}
