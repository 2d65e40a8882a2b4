import { join } from 'node:path';
import { CONFIG, PIPELINE_CONFIG, RULEBOUND_CONFIG } from '../../project/config/read-settings.ts';
import { readRuleboundConfig, type RuleboundConfig } from '../../project/config/rulebound-config.ts';
import { RULE_FOLDERS } from '../model/rule-words.ts';
import { BASELINE_FILE } from '../load/baseline-file.ts';
import { WAIVERS_FILE } from '../load/waiver-file.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { readIfThere, readOwn } from '../../project/folders/user-folders.ts';
import { findRuleFiles, type FoundFiles } from './rule-files.ts';
import { readAgentProfiles, type AgentProfiles } from '../../project/config/agent-profiles.ts';

/** The configuration and rules of a project, from the work tree or from a tree in git. */
export interface ProjectFiles {
  /** A file's text; undefined without such a file. */
  text(name: string): string | undefined;
  rules(folders: readonly string[]): FoundFiles;
  /** The files of agent profiles in andon's own folder, sorted. */
  profiles(): readonly string[];
}

/** Where profiles lie: one a file in andon's own folder, and all together in that of the tool whose rules andon reads too. */
export const PROFILES = '.andon/agents';
export const RULEBOUND_AGENTS = '.rulebound/agents.json';

export const isProfileFile = (name: string): boolean => /\.ya?ml$/.test(name);

export const DECIDING_FILES: readonly string[] = [
  CONFIG,
  PIPELINE_CONFIG,
  RULEBOUND_CONFIG,
  WAIVERS_FILE,
  BASELINE_FILE,
  RULEBOUND_AGENTS,
];

/** Larger files that are named here are not read; a baseline grows with the project. */
export const LARGEST_NAMED = 5_000_000;

export const openWorkTree = (root: string): ProjectFiles => ({
  text: (name) =>
    name.startsWith('.andon/') ? readOwn(root, name, LARGEST_NAMED) : readIfThere(join(root, name), LARGEST_NAMED),
  rules: (folders) => findRuleFiles(root, folders),
  profiles: () =>
    openDir(root)
      .entries(PROFILES)
      .filter(({ name }) => isProfileFile(name))
      .map(({ name }) => `${PROFILES}/${name}`)
      .toSorted(),
});

/** Every file that decides, by its name; ends of lines are left to git. */
export function readDecidingFiles(files: ProjectFiles): ReadonlyMap<string, string> {
  const named = [...DECIDING_FILES, ...files.profiles()].flatMap((name) => {
    const text = files.text(name);
    return text === undefined ? [] : [{ name, text }];
  });
  const folders = listRuleFolders(readRuleboundConfig({ name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) }));
  return new Map(
    [...named, ...files.rules(folders).files].map(({ name, text }) => [name, text.replaceAll('\r\n', '\n')]),
  );
}

export function listDifferingFiles(one: ProjectFiles, other: ProjectFiles): readonly string[] {
  const [there, here] = [readDecidingFiles(one), readDecidingFiles(other)];
  return [...new Set([...there.keys(), ...here.keys()])].filter((name) => there.get(name) !== here.get(name));
}

/** A folder that the other tool's configuration names counts as well. */
export function listRuleFolders({ rulesDir }: RuleboundConfig): readonly string[] {
  const isKnown = rulesDir === undefined || (RULE_FOLDERS as readonly string[]).includes(rulesDir);
  return isKnown ? RULE_FOLDERS : [...RULE_FOLDERS, rulesDir];
}

export const readWorkTreeProfiles = (root: string): AgentProfiles => readProfiles(openWorkTree(root));

/** The agent profiles of a project, wherever its files are read from. */
export function readProfiles(files: ProjectFiles): AgentProfiles {
  const own = files.profiles().map((name) => ({ name, text: files.text(name) ?? '' }));
  return readAgentProfiles(own, { name: RULEBOUND_AGENTS, text: files.text(RULEBOUND_AGENTS) });
}
