import { statSync } from 'node:fs';
import { join } from 'node:path';
import { findCommitsByMessage, splitCommits } from './history.ts';
import { tryGit, type GitCall } from './run-git.ts';
import type { KnownTrees } from './known-trees.ts';

/** A commit, and the last paragraph of its message. */
interface Trailed {
  readonly commit: string;
  readonly trailers: string;
}

/** Tips whose history is part of that of the newest one. */
const MOST_TIPS = 64;
/** Histories of this process: the targets in use, of every repository that it watches or shows. */
const MOST_HISTORIES = 64;

/** What was found last. */
interface Searched {
  /** The tip, and earlier ones that its history holds. */
  readonly tips: readonly [string, ...string[]];
  readonly found: readonly Trailed[];
}

/**
 * The commits of a history whose last paragraph has a line for each pattern. They are kept with the tip they were found
 * at: of a moved tip only the difference is searched, by one git, and by none where its commits were built here.
 */
export class KnownHistory {
  private readonly repository: GitCall;
  private readonly patterns: readonly string[];
  /** With the time at which a shallow clone's end of history was written. */
  private last: (Searched & { readonly depth: number | undefined }) | undefined;

  private constructor(repository: GitCall, patterns: readonly string[]) {
    this.repository = repository;
    this.patterns = patterns;
  }

  /** The history of a branch; a repository that is opened again finds what was known. */
  static of(repository: GitCall, ref: string, patterns: readonly string[]): KnownHistory {
    const key = JSON.stringify([repository.gitDir, ref, patterns]);
    const history = histories.get(key) ?? new KnownHistory(repository, patterns);
    histories.delete(key);
    histories.set(key, history);
    for (const oldest of histories.keys()) {
      if (histories.size <= MOST_HISTORIES) break;
      histories.delete(oldest);
    }
    return history;
  }

  /** Newest first; `known` are the commits that were built here. */
  async search(tip: string, known: Pick<KnownTrees, 'built'>): Promise<readonly Trailed[]> {
    const { last } = this;
    const depth = statSync(join(this.repository.gitDir, 'shallow'), { throwIfNoEntry: false })?.mtimeMs;
    if (last?.tips[0] === tip && last.depth === depth) return last.found;
    const before = last?.depth === depth ? last : undefined; // a shallow clone may have been given more of its history
    const next = before && (this.searchBuilt(tip, before, known) ?? (await this.searchDifference(tip, before)));
    this.last = { ...(next ?? (await this.searchAll(tip))), depth };
    return this.last.found;
  }

  /** Where the tip was built here, on top of the last one. */
  private searchBuilt(tip: string, { tips, found }: Searched, known: Pick<KnownTrees, 'built'>): Searched | undefined {
    const [seen, come] = [new Set([tip]), [] as Trailed[]];
    for (const commit of seen) {
      if (tips.includes(commit)) continue;
      const built = known.built(commit);
      if (built === undefined) return undefined;
      const trailers = lastParagraph(built.message);
      if (this.isAlike(trailers)) come.push({ commit, trailers });
      for (const parent of built.parents) seen.add(parent);
    }
    if (!seen.has(tips[0])) return undefined;
    return { tips: [tip, ...tips.slice(0, MOST_TIPS)], found: [...come, ...found] };
  }

  /** What the new tip has more than the last one, without what it lacks; undefined where the last one was pruned. */
  private async searchDifference(tip: string, { tips, found }: Searched): Promise<Searched | undefined> {
    const patterns = this.patterns.flatMap((pattern) => ['--grep', pattern]);
    const words = [
      'rev-list',
      '--left-right',
      '--all-match',
      '--no-commit-header',
      '--format=%m%H%n%B%x00',
      ...patterns,
    ];
    const result = await tryGit([...words, `${tips[0]}...${tip}`, '--'], this.repository);
    if (result.code !== 0) return undefined;
    const both = splitCommits(result.stdout.toString('utf8')).map(toTrailed);
    const come = both
      .filter(({ commit, trailers }) => commit.startsWith('>') && this.isAlike(trailers))
      .map((one) => ({ ...one, commit: one.commit.slice(1) }));
    const isGone = (commit: string): boolean => both.some((one) => one.commit === `<${commit}`);
    return { tips: [tip], found: [...come, ...found.filter(({ commit }) => !isGone(commit))] };
  }

  private async searchAll(tip: string): Promise<Searched> {
    const found = await findCommitsByMessage(this.repository, { within: tip, lines: this.patterns });
    return { tips: [tip], found: found.map(toTrailed).filter(({ trailers }) => this.isAlike(trailers)) };
  }

  private isAlike(trailers: string): boolean {
    return this.patterns.every((pattern) => new RegExp(pattern, 'm').test(trailers));
  }
}

const histories = new Map<string, KnownHistory>();

const toTrailed = ({ commit, message }: { readonly commit: string; readonly message: string }): Trailed => ({
  commit,
  trailers: lastParagraph(message),
});

const lastParagraph = (message: string): string => message.trimEnd().split('\n\n').at(-1) ?? '';
