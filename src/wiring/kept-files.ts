import { RULEBOUND_CONFIG } from '../config/read-settings.ts';
import { RULE_FOLDERS } from '../rule-model/rule-words.ts';
import { readRuleboundConfig } from '../compat/rulebound-config.ts';
import { holdsRules } from '../rules/load/parse-rule-file.ts';
import type { Repository } from '../adapters/repository/git-repository.ts';
import {
  DECIDING_FILES,
  LARGEST_NAMED,
  PROFILES,
  isProfileFile,
  listRuleFolders,
  type ProjectFiles,
} from './project-files.ts';
import { LARGEST_FILE, MOST_FILES, collectRuleFiles, createRuleFault, decodeRuleFile } from './rule-files.ts';

/** The files of a project as a commit or a tree keeps them. */
export interface KeptFiles extends ProjectFiles {
  /** Equal prints are equal files; empty when git keeps nothing of it. */
  readonly print: string;
  /** The files that decide, other than rules, and cannot be read as git keeps them: links, or far too large. */
  readonly odd: readonly string[];
}

/** Reads the configuration and rules of a project from a commit or a tree, without following links. */
export async function readKeptFiles(repository: Repository, id: string): Promise<KeptFiles> {
  const listed = await repository.files(id);
  const read = await repository.read(id, [RULEBOUND_CONFIG]);
  const folders = listRuleFolders(
    readRuleboundConfig({ name: RULEBOUND_CONFIG, text: textIn(read, RULEBOUND_CONFIG) }),
  );
  const roots = [...new Set(['.andon', '.rulebound', ...folders])];
  const mine = listed.filter(({ path }) => roots.some((root) => isWithin(path, root)));
  const counted = mine.filter(({ path }) => counts(path, folders)).slice(0, 2 * MOST_FILES);
  const readable = counted
    .filter(({ path, mode, size }) => isPlain(mode) && size <= (isNamed(path) ? LARGEST_NAMED : LARGEST_FILE))
    .map(({ path }) => path);
  const contents = await repository.read(id, readable);
  const odd = counted.filter(({ path, mode }) => !isPlain(mode) || (isNamed(path) && !contents.has(path)));
  return {
    odd: odd.map(({ path }) => path).filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`))),
    profiles: () => readable.filter((path) => path.startsWith(`${PROFILES}/`) && isNamed(path)).toSorted(),
    print: mine.map(({ path, mode, oid }) => `${mode} ${oid} ${path}`).join('\n'),
    text: (name) => textIn(contents, name),
    rules: (wanted) => {
      const names = counted.map(({ path }) => path);
      const below = names.filter((path) => wanted.some((one) => isWithin(path, one) || isWithin(one, path)));
      return collectRuleFiles(wanted, below, (name) => {
        const bytes = contents.get(name);
        return bytes === undefined
          ? createRuleFault(name, 'as git keeps it, it is no plain file of at most 1 MB', 'make it a plain file')
          : decodeRuleFile(name, bytes);
      });
    },
  };
}

/** Whether a path is usually read here, on either side of a change. */
export const isKeptForRules = (path: string): boolean => counts(path, RULE_FOLDERS);

/** A file that decides and holds no rules. */
const isNamed = (path: string): boolean =>
  DECIDING_FILES.includes(path) || (path.startsWith(`${PROFILES}/`) && isProfileFile(path));

/** A regular file, neither a link nor a submodule. */
const isPlain = (mode: string): boolean => mode.startsWith('100');

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Files that count, and entries in the place of a folder that would hold them. */
function counts(path: string, folders: readonly string[]): boolean {
  if (isNamed(path)) return true;
  if (['.andon', '.rulebound', PROFILES, ...folders].includes(path)) return true;
  return folders.some((folder) => path.startsWith(`${folder}/`)) && holdsRules(path);
}

function textIn(contents: ReadonlyMap<string, Uint8Array>, name: string): string | undefined {
  const bytes = contents.get(name);
  return bytes === undefined ? undefined : new TextDecoder('utf-8').decode(bytes);
}
