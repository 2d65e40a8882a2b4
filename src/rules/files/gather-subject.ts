import { listNames } from '../../base/list-names.ts';
import { CHANGES_RULES, type Subject, type SubjectFile } from '../model/inspection.ts';
import { withoutGaps } from '../../base/without-gaps.ts';
import { success, type Outcome } from '../../base/outcome.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError } from '../../base/problem.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import { openChanges, type BaseBranch, type ChangeRange } from '../../project/git/changes.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readOutsideDiff } from '../text/unified-diff.ts';
import { readFilesBetween, readHistory } from './files-between.ts';
import { readWholeFiles } from './read-files.ts';

/** The subject of an inspection; at most one of files, diff, staged, base and span. */
export interface SubjectOptions {
  readonly plan?: string | undefined;
  readonly contract?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly diff?: { readonly name: string; readonly text: string } | undefined;
  /** What is staged; the index that git names to a hook, if any. */
  readonly staged?: { readonly index: string | undefined } | undefined;
  /** The branch that the change will go into. */
  readonly base?: BaseBranch | undefined;
  /** Two trees that are known already. */
  readonly span?: ChangeRange | undefined;
}

/** A subject, its description, and its unchecked parts. */
export interface Gathered {
  readonly subject: Subject;
  readonly title: string;
  readonly notes: readonly string[];
  /** The two trees that were compared, where git keeps both. */
  readonly between?: TreePair;
}

export interface TreePair {
  readonly repository: Repository;
  readonly span: ChangeRange;
}

/** Gathers the subject of an inspection: prose as it was given, files with their new lines. */
export async function gatherSubject(
  place: Workspace,
  cwd: string,
  env: NodeJS.ProcessEnv,
  look: SubjectOptions,
): Promise<Gathered> {
  const { title, files, project, between, history, missed = [] } = await filesOf(place, cwd, env, look);
  const notes = [
    ...listUnchecked(files),
    ...noted('not looked into, though a commit brought it', missed),
    ...rulesTouched(files),
  ];
  const titles = [look.plan === undefined ? '' : 'the plan', look.contract === undefined ? '' : 'the contract', title];
  return {
    subject: withoutGaps({ plan: look.plan, contract: look.contract, files, history, project }),
    title: titles.filter((part) => part !== '').join(' and '),
    notes,
    ...(between === undefined ? {} : { between }),
  };
}

type Files = Pick<Subject, 'files' | 'project' | 'history'> &
  Pick<Gathered, 'title' | 'between'> & {
    /** Files of the history that cannot be read. */
    readonly missed?: readonly string[];
  };

async function filesOf(place: Workspace, cwd: string, env: NodeJS.ProcessEnv, look: SubjectOptions): Promise<Files> {
  if (look.diff !== undefined) return { title: `the diff ${look.diff.name}`, files: fromDiff(look.diff) };
  const repository = await openForReading(place);
  if (look.span !== undefined) return fromSpan(repository, success(look.span));
  if (look.staged === undefined && look.base === undefined) {
    const project = await listCommittedPaths(repository);
    const files = readWholeFiles(place.facts.root, cwd, look.files ?? []);
    return { title: look.files === undefined ? '' : counted(files.length), files, project };
  }
  const changes = openChanges(place.facts, place.state, env);
  const span = await (look.base === undefined ? changes.staged(look.staged?.index) : changes.sinceBranch(look.base));
  const found = await fromSpan(repository, span);
  if (look.base === undefined || !span.ok) return found;
  return { ...found, ...(await readHistory(repository, span.value, found.files)) };
}

/** Every path of the last commit that is checked out; none where there is no commit yet. */
export async function listCommittedPaths(repository: Repository): Promise<readonly string[]> {
  const head = await repository.resolve((await repository.checkedOut()) ?? 'HEAD').catch(() => undefined);
  return head === undefined ? [] : (await repository.files(head)).map(({ path }) => path);
}

function fromDiff({ name, text }: { readonly name: string; readonly text: string }): readonly SubjectFile[] {
  const read = readOutsideDiff(text);
  if (read.ok) return read.value;
  throw createUsageError(
    `${toTerminalLine(name)} is not a unified diff that can be checked: ${read.why}.`,
    'Run `git diff` to make one.',
  );
}

async function fromSpan(
  repository: Repository,
  span: Outcome<ChangeRange, { readonly sentence: string; readonly remedy: string }>,
): Promise<Files> {
  if (!span.ok) throw createUsageError(span.why.sentence, span.why.remedy);
  const { from, to, title } = span.value;
  const { files, project } = await readFilesBetween(repository, from, to);
  return { title: `${title} (${counted(files.length)})`, files, project, between: { repository, span: span.value } };
}

/** The parts that were checked partially or not at all. */
function listUnchecked(files: readonly SubjectFile[]): string[] {
  const there = files.filter(({ change }) => change !== 'deleted');
  const pieces = there.filter(({ binary, unread }) => binary && unread === undefined);
  const unread = there.flatMap(({ path, unread: why }) => (why === undefined ? [] : [`${path} (${why})`]));
  return [
    ...noted(
      'checked as strings, being binary',
      pieces.map(({ path }) => path),
    ),
    ...noted('not looked into', unread),
    ...noted(
      'of a submodule, only the commit was checked, and none of its files',
      there.filter(({ isSubmodule }) => isSubmodule).map(({ path }) => path),
    ),
  ];
}

function noted(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${listNames(names)}`];
}

/** A change to the rules, waivers or mode decides over itself: a human should see it. */
function rulesTouched(files: readonly SubjectFile[]): string[] {
  const touched = files.filter(
    ({ path, from = '', change }) =>
      change !== 'whole' && [path, from].some((one) => /^\.(?:andon|rulebound)\//.test(one)),
  );
  return touched.length === 0 ? [] : [`${CHANGES_RULES}: ${touched.map(({ path }) => path).join(', ')}`];
}

const counted = (count: number): string => `${count} file${count === 1 ? '' : 's'}`;
