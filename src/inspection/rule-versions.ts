import { listNames } from '../base/list-names.ts';
import { CONFIG, PIPELINE_CONFIG, RULEBOUND_CONFIG } from '../config/config.ts';
import { readSettings } from '../config/read-settings.ts';
import type { EnforcementSettings } from '../config/enforcement-settings.ts';
import type { Suppressions } from '../rules/enforce/suppress.ts';
import type { Repository } from '../ports/repository.ts';
import { Problem } from '../base/problem.ts';
import { readKeptFiles } from '../wiring/kept-files.ts';
import type { Workspace } from '../wiring/load-workspace.ts';
import { listDifferingFiles, openWorkTree, type ProjectFiles } from '../wiring/project-files.ts';
import { parseRulebook, readProjectRulebook, readRulebookText, type ProjectRulebook } from './rulebook/rulebook.ts';
import { readSuppressions } from './suppressions.ts';
import type { TreePair } from './gather-subject.ts';

/** One version of the rules that apply to a change. */
export interface Version {
  /** Where it is kept, in words. */
  readonly name: string;
  readonly rulebook: ProjectRulebook;
  readonly enforcement: EnforcementSettings;
  readonly suppressions: Suppressions;
  /** Every path of the project once the change is in it, where that is not what the change itself knows. */
  readonly project?: readonly string[];
}

/**
 * The rules that apply to a change: as it leaves it, and, where that differs, as it found it and as the branch has it that
 * the change will go into.
 */
export interface HeldAgainst {
  readonly now: Version;
  readonly before: Version | undefined;
  readonly base: Version | undefined;
  readonly notes: readonly string[];
}

/** The rules in the work tree. */
export async function readWorkTreeRules({ facts: { root }, settings }: Workspace): Promise<HeldAgainst> {
  const rulebook = await readProjectRulebook(root);
  const suppressions = readSuppressions(openWorkTree(root));
  const now = { name: 'the work tree', rulebook, enforcement: settings.enforcement, suppressions };
  return { now, before: undefined, base: undefined, notes: [] };
}

/**
 * What git keeps of it on both sides of a change, so that no change decides over itself, and at the tip of the branch
 * that it will go into, so that no old branch escapes newer rules; the work tree counts only where git keeps nothing.
 * What was broken before the change is reported, and is no reason to refuse the change that mends it.
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
  const now = await versionOf(place, to, isStaged ? 'the one that is staged' : 'the one of HEAD');
  if (from.print === '' || from.print === to.print) return { now, before: undefined, base, notes };
  const name = isStaged ? 'the one of HEAD' : `the one where the branch began (${span.from.slice(0, 7)})`;
  return { now, base, ...(await before(place, from, name, now.enforcement, notes)) };
}

/**
 * What the branch keeps now that a change will go into, unless a side of the change (by their prints) is the same. What
 * cannot be read of it is a fault: the change would be merged under rules that could not be applied to it.
 */
async function atBase(
  place: Workspace,
  { repository, span: { base, from, to } }: TreePair,
  prints: readonly string[],
): Promise<Version | undefined> {
  if (base === undefined || base.commit === from) return undefined;
  const files = await readKeptFiles(repository, base.commit);
  if (files.print === '' || prints.includes(files.print)) return undefined;
  const name = `the one of ${base.name} (${base.commit.slice(0, 7)})`;
  const version = await versionOf(place, files, name);
  const [began, head, tip] = [
    await pathsOf(repository, from),
    await pathsOf(repository, to),
    await pathsOf(repository, base.commit),
  ];
  return {
    ...version,
    rulebook: {
      ...version.rulebook,
      faults: version.rulebook.faults.map((fault) => ({ ...fault, message: `of ${name}: ${fault.message}` })),
    },
    suppressions: {
      ...version.suppressions,
      faults: version.suppressions.faults.map((fault) => ({ ...fault, what: `of ${name}: ${fault.what}` })),
    },
    project: mergedPaths(began, head, tip),
  };
}

const pathsOf = async (repository: Repository, id: string): Promise<ReadonlySet<string>> =>
  new Set((await repository.files(id)).map(({ path }) => path));

/** The paths that are there when two sides that began alike are merged: what either took away is gone. */
const mergedPaths = (
  began: ReadonlySet<string>,
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): readonly string[] =>
  [...new Set([...one, ...other])].filter((path) => (began.has(path) ? one.has(path) && other.has(path) : true));

async function before(
  place: Workspace,
  files: ProjectFiles,
  name: string,
  fallback: EnforcementSettings,
  notes: readonly string[],
): Promise<Pick<HeldAgainst, 'before' | 'notes'>> {
  const version = await versionOf(place, files, name, fallback);
  const { rulebook, suppressions } = version;
  const broken = [
    ...rulebook.faults.map(({ source, message }) => `${source.name}: ${message}`),
    ...suppressions.faults.map(({ where, what }) => `${where}: ${what}`),
  ];
  return {
    before: {
      ...version,
      rulebook: { ...rulebook, faults: [] },
      suppressions: { ...suppressions, faults: [] },
    },
    notes: [...notes, ...broken.map((fault) => `of the rules before this change, this could not be read: ${fault}`)],
  };
}

async function versionOf(
  { facts: { root }, userConfig }: Workspace,
  files: ProjectFiles,
  name: string,
  fallback?: EnforcementSettings,
): Promise<Version> {
  const settings = readSettings(
    { name: CONFIG, text: files.text(CONFIG) },
    { name: userConfig, text: undefined },
    root,
    { name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) },
    { name: PIPELINE_CONFIG, text: files.text(PIPELINE_CONFIG) },
  );
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
    suppressions: readSuppressions(files),
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
