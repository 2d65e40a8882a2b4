import { join } from 'node:path';
import { CONFIG, PIPELINE_CONFIG, RULEBOUND_CONFIG } from '../../project/config/read-settings.ts';
import { readRuleboundConfig, type RuleboundConfig } from '../../project/config/rulebound-config.ts';
import { RULE_FOLDERS } from '../model/rule-words.ts';
import { BASELINE_FILE } from '../load/baseline-file.ts';
import { WAIVERS_FILE } from '../load/waiver-file.ts';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';
import { readIfThere, readOwn } from '../../project/folders/user-folders.ts';
import { readAgentProfiles, type AgentProfiles } from '../../project/config/agent-profiles.ts';
import { statSync } from 'node:fs';
import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { faultAt, type RuleFault } from '../../project/config/rule-fault.ts';
import type { RuleFileText } from '../dialects/dialect.ts';
import { holdsRules } from '../load/parse-rule-file.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

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

/** The files of rules below a folder, and those that are not read, each with the reason. */
interface FoundFiles {
  readonly files: readonly RuleFileText[];
  readonly faults: readonly RuleFault[];
}

/** More files of rules are not read. */
export const MOST_FILES = 2000;
const MOST_FOLDERS_DEEP = 16;
/** Larger files are refused before they are read; the reader of each format has a limit of its own. */
export const LARGEST_FILE = 1024 * 1024;

/** Finds the files of rules below the folders of a work tree. No link is followed. */
function findRuleFiles(root: string, folders: readonly string[] = RULE_FOLDERS): FoundFiles {
  const door = openDir(root);
  const faults: RuleFault[] = [];
  const names = folders.flatMap((folder) => listBelow(door, folder, 0, faults));
  const { files, faults: more } = collectRuleFiles(folders, names, (name) => readRuleFile(root, name));
  return { files, faults: [...faults, ...more] };
}

/** Reads files of rules in a stable order: those of one folder after those of the other. */
export function collectRuleFiles(
  folders: readonly string[],
  names: readonly string[],
  read: (name: string) => RuleFileText | RuleFault,
): FoundFiles {
  const folderOf = (name: string): number => folders.findIndex((folder) => name.startsWith(`${folder}/`));
  const sorted = names.toSorted((a, b) => folderOf(a) - folderOf(b) || (a < b ? -1 : 1));
  const all = sorted.slice(0, MOST_FILES).map(read);
  if (sorted.length > MOST_FILES)
    all.push(
      createRuleFault(
        folders.join(', '),
        `${sorted.length} files; at most ${MOST_FILES} are read`,
        'put rules together into fewer files',
      ),
    );
  return {
    files: all.flatMap((one) => ('text' in one ? [one] : [])),
    faults: all.flatMap((one) => ('text' in one ? [] : [one])),
  };
}

/** Reads one file of rules; a fault when it is no plain text. */
export function readRuleFile(root: string, name: string): RuleFileText | RuleFault {
  const read = openDir(root).read(name, LARGEST_FILE);
  if (!read.ok || read.value === undefined)
    return createRuleFault(name, `it ${read.ok ? 'is not there' : read.why}`, 'make it a plain file of at most 1 MB');
  return decodeRuleFile(name, read.value);
}

/** The text of a rule file; a fault when its bytes are no text. */
export function decodeRuleFile(name: string, bytes: Uint8Array): RuleFileText | RuleFault {
  if (bytes.includes(0))
    return createRuleFault(name, 'this is no text', 'remove it, or move it out of the folder of rules');
  const text = decodeUtf8(bytes);
  return text === undefined ? createRuleFault(name, 'this is not valid UTF-8', 'save it as UTF-8') : { name, text };
}

export const createRuleFault = (name: string, message: string, remedy: string): RuleFault =>
  faultAt(name, undefined, [], message, remedy);

function listBelow(door: SafeDir, folder: string, depth: number, faults: RuleFault[]): readonly string[] {
  const refuse = (name: string, message: string, remedy: string): readonly string[] => {
    faults.push(createRuleFault(name, message, remedy));
    return [];
  };
  if (depth > MOST_FOLDERS_DEEP)
    return refuse(folder, `it is more than ${MOST_FOLDERS_DEEP} folders deep`, 'put its rules further up');
  try {
    const barred = door.barred([], [folder]);
    if (barred !== undefined)
      return refuse(folder, `it cannot be read: ${barred}`, 'make it a folder that can be read');
    return door.entries(folder).flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listBelow(door, name, depth + 1, faults);
      if (holdsRules(name)) return [name];
      return entry.isSymbolicLink() && isFolder(door.at(name))
        ? refuse(name, 'a link to a folder is not followed', 'copy the folder into the project')
        : [];
    });
  } catch (error) {
    const why = getErrorMessage(error);
    return refuse(folder, `it cannot be read: ${why}`, 'make it a folder that can be read');
  }
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
