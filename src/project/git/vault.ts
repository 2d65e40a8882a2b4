import {
  existsSync,
  lstatSync,
  mkdirSync,
  rmSync,
  writeFileSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileWrite } from '../../base/changed-file.ts';
import { ANDON_IDENTITY } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { checkPath, isProtected } from '../../base/paths.ts';
import type { CommitPlan } from './repository-facts.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { moveToTrash } from '../../base/system/trash.ts';
import { askGit, GitFailure, runGit, gitText, tryGit } from './run-git.ts';
import { findFile, replacesOtherFiles, withDifference } from './listing.ts';
import { commitText, computeObjectId, writeObjects, type Kind, type NewObject } from './loose-objects.ts';
import { editTree } from './edit-tree.ts';
import { Signer } from './read-signing.ts';
import { Trees } from './trees.ts';
import { removeNestedGit } from './remove-nested-git.ts';
import { syncAll } from '../../base/system/durable.ts';
import { syncTree } from './make-durable.ts';

const GONE = { mode: '', oid: undefined };
/** git checks out more files than this. */
const FEW_FILES = 500;

/** The objects of some commits that the project lacks. */
interface Missing {
  /** Their nearest ancestors that it has: handed over before, or not built here. */
  readonly beneath: readonly string[];
  /** Each after those it names; undefined when git must find them. */
  readonly objects: readonly string[] | undefined;
}

/**
 * A private bare git directory that borrows the project's objects. Commits are built here, under andon's own
 * configuration: the project's filters, drivers, hooks and attributes cannot run.
 */
export class Vault {
  readonly gitDir: string;
  /** Reads trees; it learns of commits built here. */
  readonly trees: Trees;

  readonly signer: Signer;

  private constructor(gitDir: string, project: { readonly root: string; readonly commonDir: string }) {
    this.gitDir = gitDir;
    this.signer = new Signer(project, gitDir);
    this.trees = new Trees(gitDir);
  }

  /** Opens the vault in `gitDir`, making it on first use; `project` is the user's repository. */
  static async open(gitDir: string, project: { readonly root: string; readonly commonDir: string }): Promise<Vault> {
    await makeVault(gitDir, project.commonDir);
    return new Vault(gitDir, project);
  }

  /** Writes the objects of a commit: blobs, then their trees, then the commit. */
  async build(changes: readonly FileWrite[], plan: CommitPlan): Promise<{ commit: string; tree: string }> {
    const [parent] = plan.parents;
    if (parent === undefined) throw new GitFailure('a change is built on top of a commit');
    const made: NewObject[] = [];
    const write = (kind: Kind, content: Uint8Array): string => {
      const oid = computeObjectId(kind, content, parent);
      made.push({ oid, kind, content });
      return oid;
    };
    const edits = changes.map((change) => {
      const { path, content } = change;
      return { path, ...(content === null ? GONE : { mode: change.mode, oid: write('blob', content) }) };
    });
    const before = await this.trees.rootOf(
      parent,
      changes.map(({ path }) => path),
    );
    const tree = await editTree(before, edits, {
      read: (oid) => this.trees.tree(oid),
      write: (content) => write('tree', content),
    });
    const unsigned = plan.sign === true ? undefined : write('commit', commitText(tree, plan));
    await writeObjects(this.gitDir, made);
    const commit = unsigned ?? (await this.signer.sign(tree, plan));
    for (const { oid, kind, content } of made) if (kind !== 'commit') this.trees.known.keepContent(oid, content);
    const isPlain = changes.every(({ path }) => checkPath(path) === undefined && !isProtected(path));
    // git itself checks files that it would read (.gitmodules and the like) before the project gets them.
    this.trees.known.keepCommit(commit, {
      tree,
      parents: plan.parents,
      message: plan.message,
      ...(isPlain ? { made: [...new Set([...made.map(({ oid }) => oid), commit])] } : {}),
    });
    this.keepBuilt(commit, changes, parent);
    return { commit, tree };
  }

  /** Caches what was just written. */
  private keepBuilt(commit: string, changes: readonly FileWrite[], parent: string): void {
    const { known } = this.trees;
    const come = changes.flatMap((change) => {
      if (change.content === null) return [];
      const oid = computeObjectId('blob', change.content, commit);
      return [{ path: change.path, mode: change.mode, oid, size: change.content.length }];
    });
    const before = known.listing(parent);
    if (before === undefined || come.some(({ path }) => replacesOtherFiles(before, path))) return;
    known.keepListing(commit, withDifference(before, new Set(changes.map(({ path }) => path)), come), come);
  }

  /** The objects of these commits that the project lacks; undefined when unknown. */
  missing(tips: readonly string[]): Missing | undefined {
    const { known } = this.trees;
    const beneath = new Set<string>();
    const seen = new Set<string>();
    const made: (readonly string[] | undefined)[] = [];
    const visit = (commit: string): void => {
      if (seen.has(commit)) return;
      seen.add(commit);
      const built = known.built(commit);
      if (built === undefined || known.isHandedOver(commit)) beneath.add(commit);
      if (known.isHandedOver(commit)) return;
      for (const parent of built?.parents ?? []) visit(parent);
      made.push(built?.made);
    };
    for (const tip of tips) visit(tip);
    if (beneath.size === 0 || tips.some((tip) => beneath.has(tip))) return undefined;
    return { beneath: [...beneath], objects: made.every((one) => one !== undefined) ? made.flat() : undefined };
  }

  /** A commit of an existing tree; where the project has the tree, it lacks the commit alone. */
  async commitTree(tree: string, plan: CommitPlan): Promise<string> {
    const { known } = this.trees;
    const commit = plan.sign === true ? await this.signer.sign(tree, plan) : await this.unsigned(tree, plan);
    const { parents, message } = plan;
    known.keepCommit(commit, { tree, parents, message, ...(known.projectHas(tree) ? { made: [commit] } : {}) });
    return commit;
  }

  private async unsigned(tree: string, plan: CommitPlan): Promise<string> {
    const content = commitText(tree, plan);
    const commit = computeObjectId('commit', content, tree);
    await writeObjects(this.gitDir, [{ oid: commit, kind: 'commit', content }]);
    return commit;
  }

  /** The merged tree, or the paths that conflict. */
  async mergeTrees(target: string, task: string): Promise<Outcome<string, readonly string[]>> {
    const words = ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', target, task];
    const { code, stdout } = await askGit(words, { gitDir: this.gitDir, accept: [1] });
    const [tree = '', ...paths] = stdout.toString('utf8').split('\0');
    return code === 0 ? success(tree) : failure(paths.filter((path) => path !== ''));
  }

  /**
   * Applies the change between two commits to a third, by a three-way merge of their trees, independent of history.
   * Temporary commits carry the trees, because `--merge-base` needs git 2.40.
   */
  async replay({ before, after, onto }: Record<'before' | 'after' | 'onto', string>) {
    const plan = { message: 'replay\n', at: '2000-01-01T00:00:00Z', author: ANDON_IDENTITY };
    const names = [before, onto, after].map((commit) => `${commit}^{tree}`);
    const [from = '', now = '', to = ''] = (await gitText(['rev-parse', ...names], this)).split('\n');
    const base = await this.commitTree(from, { ...plan, parents: [] });
    const ours = await this.commitTree(now, { ...plan, parents: [base] });
    const theirs = await this.commitTree(to, { ...plan, parents: [base] });
    return this.mergeTrees(ours, theirs);
  }

  /** Whether a commit and its history, without that of `target`, are complete. */
  async isWhole(commit: string, target: string): Promise<boolean> {
    const walked = await tryGit(['rev-list', '--objects', '--quiet', commit, `^${target}`], this);
    return walked.code === 0;
  }

  /** Everything that `commits` need and `have` lacks, as a pack for the user's repository. */
  async pack(commits: readonly string[], have: readonly string[]): Promise<Buffer> {
    const input = [...commits, ...have.map((commit) => `^${commit}`), ''].join('\n');
    return runGit(['pack-objects', '--revs', '--stdout', '--quiet', '--delta-base-offset'], {
      gitDir: this.gitDir,
      input,
    });
  }

  /** A new folder with the files of a commit; replaces its path, and keeps no index. */
  async checkOutAnew(commit: string, folder: string): Promise<void> {
    const index = `${folder}.index`;
    rmSync(index, { force: true });
    await this.checkOut(commit, folder);
    rmSync(index);
  }

  /**
   * Makes `folder` hold exactly the files of a commit; an index beside it remembers its content. Without an index the
   * folder is made from scratch.
   */
  async checkOut(commit: string, folder: string, paths?: readonly string[]): Promise<void> {
    const index = `${folder}.index`;
    if (!existsSync(index)) await moveToTrash(folder);
    failpoint('vault.check-out.before-files');
    if (isLink(folder)) rmSync(folder); // a gate without a cage may have put one there
    mkdirSync(folder, { recursive: true });
    removeNestedGit(folder); // unreadable files are git's to report
    rmSync(`${index}.lock`, { force: true });
    const call = { gitDir: this.gitDir, workTree: folder, index };
    if (paths === undefined) {
      await runGit(['read-tree', '--reset', '-u', commit], call);
      await runGit(['clean', '-ffdxq'], call);
      return failpoint('vault.check-out.after-files');
    }
    await moveToTrash(folder);
    rmSync(index, { force: true });
    mkdirSync(folder, { recursive: true });
    if (await this.writeFiles(commit, folder, paths)) return;
    await runGit(['read-tree', commit], call);
    await runGit(['checkout-index', '-q', '-f', '-z', '--stdin'], {
      ...call,
      input: paths.map((path) => `${path}\0`).join(''),
    });
  }

  /** Writes a few plain files without an index, which would hold the whole tree; false leaves it to git. */
  private async writeFiles(commit: string, folder: string, paths: readonly string[]): Promise<boolean> {
    const listed = this.trees.known.listing(commit);
    if (listed === undefined || paths.length > FEW_FILES || paths.some((path) => checkPath(path) !== undefined))
      return false;
    const files = paths.map((path) => findFile(listed, path)).filter((file) => file !== undefined);
    if (!files.every(({ mode }) => mode === '100644' || mode === '100755')) return false;
    const contents = await this.trees.read(commit, paths);
    for (const { path, mode } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), contents.get(path) ?? '', {
        mode: mode === '100755' ? 0o777 : 0o666,
        flag: 'wx',
      });
    }
    return true;
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** Makes the vault in `gitDir` if it does not exist, and lets it borrow the objects of the project's git directory. */
async function makeVault(gitDir: string, commonDir: string): Promise<void> {
  if (!existsSync(join(gitDir, 'HEAD'))) await makeNew(gitDir, commonDir);
  // Other commands may be reading now, so the file is replaced atomically, and only when needed.
  const alternates = join(gitDir, 'objects', 'info', 'alternates');
  const wanted = `${join(commonDir, 'objects')}\n`;
  if (!existsSync(alternates) || readFileSync(alternates, 'utf8') !== wanted) {
    mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true });
    writeFileSync(`${alternates}.${process.pid}`, wanted);
    failpoint('vault.alternates.before-rename');
    renameSync(`${alternates}.${process.pid}`, alternates);
  }
  knowWhereHistoryEnds(gitDir, commonDir);
}

/** A file ends a shallow clone's history; git follows the link even where that file is missing. */
function knowWhereHistoryEnds(gitDir: string, commonDir: string): void {
  const [file, wanted] = [join(gitDir, 'shallow'), join(commonDir, 'shallow')];
  if (isLink(file) && readlinkSync(file) === wanted) return;
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(wanted, fresh);
  renameSync(fresh, file);
}

/** Makes the vault at a temporary path and renames it, so that it is never seen half made. */
async function makeNew(gitDir: string, commonDir: string): Promise<void> {
  const format = await gitText(['rev-parse', '--show-object-format'], { gitDir: commonDir });
  const fresh = mkdtempSync(`${gitDir}.`);
  try {
    await runGit(['init', '--quiet', '--bare', `--object-format=${format}`, '--template=', fresh], { gitDir: fresh });
    await syncTree(fresh);
    failpoint('vault.make.before-rename');
    renameSync(fresh, gitDir);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (existsSync(join(gitDir, 'HEAD'))) return; // another process was faster
    throw error;
  }
  await syncAll([dirname(gitDir)]);
}
