import { listNames } from '../../base/list-names.ts';
import { readProjectSettings, type EnforcementSettings } from '../../project/config/read-settings.ts';
import { Problem } from '../../base/problem.ts';
import { readKeptFiles } from './kept-files.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { listDifferingFiles, openWorkTree, type ProjectFiles } from './project-files.ts';
import { parseRulebook, readProjectRulebook, readRulebookText, type ProjectRulebook } from './rulebook.ts';
import type { TreePair } from './gather-subject.ts';

export interface Version {
  /** Where it is kept, in words. */
  readonly name: string;
  readonly rulebook: ProjectRulebook;
  readonly enforcement: EnforcementSettings;
  /** Every path of the project once the change is merged, where that differs from the paths that the change leaves. */
  readonly project?: readonly string[];
}

/**
 * The rules that apply to a change: as it leaves them and, where they differ, as it found them and as the tip of the
 * target branch has them.
 */
export interface HeldAgainst {
  readonly now: Version;
  readonly before: Version | undefined;
  readonly base: Version | undefined;
  readonly notes: readonly string[];
}

export async function readWorkTreeRules({ facts: { root }, settings }: Workspace): Promise<HeldAgainst> {
  const rulebook = await readProjectRulebook(root);
  const now = { name: 'the work tree', rulebook, enforcement: settings.enforcement };
  return { now, before: undefined, base: undefined, notes: [] };
}

/**
 * The rules that git keeps on both sides of a change, so that no change decides over itself, and at the tip of the target
 * branch, so that no old branch escapes newer rules; the work tree counts only where git keeps none. What was broken
 * before the change is reported, and does not refuse the change that mends it.
 */
export async function readRulesBetween(
  place: Workspace,
  { repository, span }: TreePair,
  isStaged: boolean,
): Promise<HeldAgainst> {
  const [to, from] = [await readKeptFiles(repository, span.to), await readKeptFiles(repository, span.from)];
  const base = await atBase(place, { repository, span }, [to.print, from.print]);
  if (to.print === '' && from.print === '') {
    const held = await readWorkTreeRules(place);
    const { rules, faults } = held.now.rulebook;
    const isRuled = rules.length > 0 || faults.length > 0;
    return {
      ...held,
      base,
      notes: isRuled ? ['git keeps none of these rules yet, so those of the work tree count; git add them'] : [],
    };
  }
  const notes = differences(openWorkTree(place.facts.root), to, isStaged);
  const now = await versionOf(place, to, isStaged ? 'the version that is staged' : 'the version of HEAD');
  if (from.print === '' || from.print === to.print) return { now, before: undefined, base, notes };
  const name = isStaged ? 'the version of HEAD' : `the version where the branch began (${span.from.slice(0, 7)})`;
  return { now, base, ...(await before(place, from, name, now.enforcement, notes)) };
}

/**
 * The rules at the tip of the target branch, unless they are those of a side of the change (by `prints`). What cannot be
 * read of them is a fault: the change would be merged under rules that were not applied to it.
 */
async function atBase(
  place: Workspace,
  { repository, span: { base, from, to } }: TreePair,
  prints: readonly string[],
): Promise<Version | undefined> {
  if (base === undefined || base.commit === from) return undefined;
  const files = await readKeptFiles(repository, base.commit);
  if (files.print === '' || prints.includes(files.print)) return undefined;
  const name = `the version of ${base.name} (${base.commit.slice(0, 7)})`;
  const version = await versionOf(place, files, name);
  const { rulebook } = version;
  const pathsOf = async (id: string): Promise<ReadonlySet<string>> =>
    new Set((await repository.files(id)).map(({ path }) => path));
  return {
    ...version,
    rulebook: {
      ...rulebook,
      faults: rulebook.faults.map((fault) => ({ ...fault, message: `of ${name}: ${fault.message}` })),
    },
    project: mergedPaths(await pathsOf(from), await pathsOf(to), await pathsOf(base.commit)),
  };
}

/** The paths after a merge of two sides with a common start: what either side removed is gone. */
const mergedPaths = (
  start: ReadonlySet<string>,
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): readonly string[] =>
  [...new Set([...one, ...other])].filter((path) => !start.has(path) || (one.has(path) && other.has(path)));

async function before(
  place: Workspace,
  files: ProjectFiles,
  name: string,
  fallback: EnforcementSettings,
  notes: readonly string[],
): Promise<Pick<HeldAgainst, 'before' | 'notes'>> {
  const version = await versionOf(place, files, name, fallback);
  const { rulebook } = version;
  const broken = rulebook.faults.map(
    ({ source, message }) => `of the rules before this change, this could not be read: ${source.name}: ${message}`,
  );
  return { before: { ...version, rulebook: { ...rulebook, faults: [] } }, notes: [...notes, ...broken] };
}

async function versionOf(
  { facts: { root }, userConfig }: Workspace,
  files: ProjectFiles,
  name: string,
  fallback?: EnforcementSettings,
): Promise<Version> {
  const settings = readProjectSettings((file) => files.text(file), { name: userConfig, text: undefined }, root);
  if (!settings.ok && fallback === undefined)
    throw new Problem(
      'bad-configuration',
      settings.why.map((why, at) => (at === 0 ? `of ${name}: ${why}` : why)),
      'correct the file, git add it, and try again',
    );
  const standing = settings.ok ? settings.value.enforcement : fallback;
  if (standing === undefined) throw new Error('a configuration that cannot be read was let through');
  return {
    name,
    rulebook: await parseRulebook(readRulebookText(files)),
    enforcement: standing,
  };
}

/** Says once that the work tree holds something else than what counts. */
function differences(tree: ProjectFiles, kept: ProjectFiles, isStaged: boolean): readonly string[] {
  const names = listDifferingFiles(tree, kept);
  if (names.length === 0) return [];
  return [
    `different in the work tree, which does not count here: ${listNames(names)}; ${isStaged ? 'git add them' : 'commit them'} to change that`,
  ];
}
