import { RULEBOUND_CONFIG } from '../../project/config/read-settings.ts';
import { RULE_FOLDERS } from '../model/rule-words.ts';
import { readRuleboundConfig } from '../../project/config/rulebound-config.ts';
import { holdsRules } from '../load/parse-rule-file.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { parseJson } from '../../base/json-object.ts';
import type { TreeFile } from '../../project/git/repository-facts.ts';
import {
  DECIDING_FILES,
  LARGEST_NAMED,
  PROFILES,
  isProfileFile,
  listRuleFolders,
  type ProjectFiles,
  LARGEST_FILE,
  MOST_FILES,
  collectRuleFiles,
  createRuleFault,
  decodeRuleFile,
} from './project-files.ts';

export interface KeptFiles extends ProjectFiles {
  /** Equal prints are equal files; empty when git keeps nothing of it. */
  readonly print: string;
  /** The files that decide, other than rules, and cannot be read as git keeps them: links, or far too large. */
  readonly odd: readonly string[];
}

/** What git says of a commit or a tree, as far as it is needed here. */
interface Kept {
  /** A folder that the other tool's configuration names counts as well. */
  readonly folders: readonly string[];
  readonly files: readonly TreeFile[];
  /** The contents of the readable ones. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Reads the configuration and rules of a project from a commit or a tree, without following links. */
export const readKeptFiles = async (repository: Repository, id: string): Promise<KeptFiles> =>
  openKept(await askGit(repository, id));

/** In the state folder: what git said last, for commands that only show. A commit never changes. */
const ANSWER = 'kept-files.json';
const LARGEST_ANSWER = 1024 * 1024;

/** The same for a commit, by git only when another one was read last. */
export async function readKeptFilesOnce(state: string, repository: Repository, commit: string): Promise<KeptFiles> {
  const door = openDir(state);
  const text = door.text(ANSWER, LARGEST_ANSWER);
  const known = text.ok ? parseJson(text.value ?? '') : undefined;
  if (isAnswerAbout(known, commit))
    return openKept({
      ...known,
      contents: new Map(known.contents.map(([path, bytes]) => [path, Buffer.from(bytes, 'base64')])),
    });
  const kept = await askGit(repository, commit);
  const contents = [...kept.contents].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
  const answer = JSON.stringify({ ...kept, commit, contents });
  try {
    if (answer.length <= LARGEST_ANSWER) door.put(ANSWER, answer, 0o600);
  } catch {
    // a full disk; git is asked the next time
  }
  return openKept(kept);
}

type Answer = Omit<Kept, 'contents'> & { readonly contents: readonly (readonly [string, string])[] };

/** Half a file is no JSON, and andon alone writes here. */
const isAnswerAbout = (known: unknown, commit: string): known is Answer =>
  (Object(known) as { readonly commit?: unknown }).commit === commit;

async function askGit(repository: Repository, id: string): Promise<Kept> {
  const listed = await repository.files(id);
  const read = await repository.read(id, [RULEBOUND_CONFIG]);
  const folders = listRuleFolders(
    readRuleboundConfig({ name: RULEBOUND_CONFIG, text: textIn(read, RULEBOUND_CONFIG) }),
  );
  const roots = [...new Set(['.andon', '.rulebound', ...folders])];
  const files = listed.filter(({ path }) => roots.some((root) => isWithin(path, root)));
  return { folders, files, contents: await repository.read(id, listReadable(listCounted(files, folders))) };
}

const listCounted = (files: readonly TreeFile[], folders: readonly string[]): readonly TreeFile[] =>
  files.filter(({ path }) => counts(path, folders)).slice(0, 2 * MOST_FILES);

const listReadable = (counted: readonly TreeFile[]): readonly string[] =>
  counted
    .filter(({ path, mode, size }) => isPlain(mode) && size <= (isNamed(path) ? LARGEST_NAMED : LARGEST_FILE))
    .map(({ path }) => path);

function openKept({ folders, files, contents }: Kept): KeptFiles {
  const counted = listCounted(files, folders);
  const odd = counted.filter(({ path, mode }) => !isPlain(mode) || (isNamed(path) && !contents.has(path)));
  return {
    odd: odd.map(({ path }) => path).filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`))),
    profiles: () =>
      listReadable(counted)
        .filter((path) => path.startsWith(`${PROFILES}/`) && isNamed(path))
        .toSorted(),
    print: files.map(({ path, mode, oid }) => `${mode} ${oid} ${path}`).join('\n'),
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
