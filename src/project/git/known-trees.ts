import type { ChangedFile } from '../../base/changed-file.ts';
import type { TreeFile } from './repository-facts.ts';
import type { PathChanges } from './listing.ts';

/** Cached listings: each may have tens of thousands of rows, and few commits are in use at a time. */
const LISTINGS = 3;
const COMMITS = 64;
const DIFFS = 8;
/** More than the neighbours of one brief; a small object in memory is larger than its bytes. */
const CONTENTS = 300;
const MOST_BYTES = 8 * 1024 * 1024;
const LARGEST = 512 * 1024;

/** Whether a name is an object's id: only ids are immutable. */
export const isObjectId = (name: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);

/** A commit that was built here. */
interface Built {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** The objects that its parents lack, each after those it names; undefined when unknown. */
  readonly made?: readonly string[];
}

/** A cache of commits, trees and blobs. They never change, so entries are never stale. */
export class KnownTrees {
  private readonly listings = new Map<string, readonly TreeFile[]>();
  private readonly commits = new Map<string, Built>();
  private readonly roots = new Map<string, string>();
  private readonly handed = new Map<string, true>();
  private readonly contents = new Map<string, Uint8Array>();
  private bytes = 0;
  private readonly sameAs = (commit: string): string => this.commits.get(commit)?.tree ?? commit;
  readonly diffs = new Remembered<readonly ChangedFile[]>(DIFFS, this.sameAs);
  readonly patches = new Remembered<string>(2, this.sameAs);
  readonly changes = new Remembered<PathChanges>(2, this.sameAs);

  /** Every file of a commit, also when another commit with the same tree was listed. */
  listing(commit: string): readonly TreeFile[] | undefined {
    const known = this.listings.get(commit) ?? this.listings.get(this.commits.get(commit)?.tree ?? '');
    if (known !== undefined) this.remember(commit, known);
    return known;
  }

  /** The commit (or tree) that was listed last: the next one usually differs in few files. */
  newest(): { readonly id: string; readonly files: readonly TreeFile[] } | undefined {
    const last = [...this.listings].at(-1);
    return last === undefined ? undefined : { id: last[0], files: last[1] };
  }

  /** `unseen` are the files that no cached listing held. */
  keepListing(commit: string, files: readonly TreeFile[], unseen: readonly { readonly path: string }[] = files): void {
    // Names outside UTF-8 are ambiguous here, so git lists such a tree each time.
    if (isObjectId(commit) && !unseen.some(({ path }) => path.includes('\ufffd'))) this.remember(commit, files);
  }

  private remember(commit: string, files: readonly TreeFile[]): void {
    const { tree } = this.commits.get(commit) ?? {};
    for (const key of tree === undefined ? [commit] : [tree, commit]) {
      this.listings.delete(key);
      this.listings.set(key, files);
    }
    forget(this.listings, LISTINGS * 2);
  }

  keepCommit(commit: string, built: Built): void {
    this.commits.set(commit, built);
    forget(this.commits, COMMITS);
  }

  /** Records the tree of a commit that was not built here. */
  keepRoot(commit: string, tree: string): void {
    if (!isObjectId(commit)) return;
    this.roots.set(commit, tree);
    forget(this.roots, COMMITS);
  }

  root(commit: string): string | undefined {
    return this.commits.get(commit)?.tree ?? this.roots.get(commit);
  }

  built(commit: string): Built | undefined {
    return this.commits.get(commit);
  }

  /** Whether a commit is another one, or was built here on top of it. */
  isBuiltOn(commit: string, base: string): boolean {
    const seen = new Set([commit]);
    for (const one of seen) for (const parent of this.commits.get(one)?.parents ?? []) seen.add(parent);
    return seen.has(base);
  }

  /** Records that the project has these commits and their history: it received them, or has a ref to them. */
  handedOver(commits: readonly string[]): void {
    for (const commit of commits) {
      this.handed.delete(commit);
      this.handed.set(commit, true);
    }
    forget(this.handed, COMMITS);
  }

  /** Whether the project is known to have a tree: that of a commit it received. */
  projectHas(tree: string): boolean {
    return [...this.commits].some(([commit, built]) => built.tree === tree && this.handed.has(commit));
  }

  /** Forgets what the project has. */
  forgetWhatProjectHas(): void {
    this.handed.clear();
    this.commits.clear();
  }

  isHandedOver(commit: string): boolean {
    return this.handed.has(commit);
  }

  content(oid: string): Uint8Array | undefined {
    return this.contents.get(oid);
  }

  keepContent(oid: string, content: Uint8Array): void {
    if (content.length > LARGEST || this.contents.has(oid)) return;
    this.contents.set(oid, Uint8Array.from(content)); // a copy: a part of a larger buffer would keep all of it
    this.bytes += content.length;
    for (const [oldest, bytes] of this.contents) {
      if (this.bytes <= MOST_BYTES && this.contents.size <= CONTENTS) return;
      this.contents.delete(oldest);
      this.bytes -= bytes.length;
    }
  }
}

/** A cache of the newest answers. */
class Remembered<Answer> {
  private readonly answers = new Map<string, Answer>();
  private readonly most: number;
  /** The key of two commits with the same files. */
  private readonly sameAs: (commit: string) => string;

  constructor(most: number, sameAs: (commit: string) => string) {
    this.most = most;
    this.sameAs = sameAs;
  }

  /** The answer about two commits, cached where both are given by id. */
  async between(from: string, to: string, ask: () => Promise<Answer>): Promise<Answer> {
    if (!isObjectId(from) || !isObjectId(to)) return ask();
    const known = this.get(from, to);
    if (known !== undefined) return known;
    const answer = await ask();
    this.keep(from, to, answer);
    return answer;
  }

  get(from: string, to: string): Answer | undefined {
    return this.answers.get(this.sameAs(from) + this.sameAs(to));
  }

  keep(from: string, to: string, answer: Answer): void {
    if (!isObjectId(from) || !isObjectId(to)) return;
    this.answers.set(this.sameAs(from) + this.sameAs(to), answer);
    forget(this.answers, this.most);
  }
}

function forget(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
