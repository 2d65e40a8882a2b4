import { decodeUtf8 } from '../base/decode-file-text.ts';
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RULE_FOLDERS } from '../rule-model/rule-words.ts';
import type { RuleFault } from '../rule-model/rule.ts';
import type { RuleFileText } from '../compat/dialect.ts';
import { holdsRules } from '../rules/load/parse-rule-file.ts';
import { isInside } from './is-inside.ts';
import { openDir, readPlainFile } from './files.ts';

/** The files of rules below a folder, and those that are not read, each with the reason. */
export interface FoundFiles {
  readonly files: readonly RuleFileText[];
  readonly faults: readonly RuleFault[];
}

/** More files of rules are not read. */
export const MOST_FILES = 2000;
const MOST_FOLDERS_DEEP = 16;
/** Larger files are refused before they are read; the reader of each format has a limit of its own. */
export const LARGEST_FILE = 1024 * 1024;

/** Finds the files of rules below the folders of a project, in a stable order; nothing outside the project is read. */
export function findRuleFiles(root: string, folders: readonly string[] = RULE_FOLDERS): FoundFiles {
  const found: string[] = [];
  const faults: RuleFault[] = [];
  for (const folder of folders) walk(root, folder, 0, found, faults);
  if (found.length > MOST_FILES)
    faults.push(
      createRuleFault(
        folders.join(', '),
        `${found.length} files; at most ${MOST_FILES} are read`,
        'put rules together into fewer files',
      ),
    );
  const files = found.slice(0, MOST_FILES).flatMap((name) => {
    const read = readRuleFile(root, name);
    if (!('text' in read)) faults.push(read);
    return 'text' in read ? [read] : [];
  });
  return { files, faults };
}

/** Reads one file of rules; a fault when it is no plain text inside the project. */
export function readRuleFile(root: string, name: string): RuleFileText | RuleFault {
  const file = join(root, name);
  try {
    const refused = whyNot(root, file) ?? whyNotOwn(root, name);
    if (refused !== undefined) return createRuleFault(name, ...refused);
    const read = readPlainFile(file, LARGEST_FILE);
    return read.ok ? decodeRuleFile(name, read.value) : createRuleFault(name, `it ${read.why}`, 'make it a plain file');
  } catch (error) {
    return createRuleFault(
      name,
      `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'make it a plain file that can be read',
    );
  }
}

/** The text of a rule file; a fault when its bytes are no text. */
export function decodeRuleFile(name: string, bytes: Uint8Array): RuleFileText | RuleFault {
  if (bytes.includes(0))
    return createRuleFault(name, 'this is no text', 'remove it, or move it out of the folder of rules');
  const text = decodeUtf8(bytes);
  return text === undefined ? createRuleFault(name, 'this is not valid UTF-8', 'save it as UTF-8') : { name, text };
}

/** What is wrong with a whole file of rules. */
export const createRuleFault = (name: string, message: string, remedy: string): RuleFault => ({
  source: { name },
  path: '$',
  message,
  remedy,
});

function whyNot(root: string, file: string): readonly [string, string] | undefined {
  const real = realpathSync(file);
  if (!isInside(real, realpathSync(root))) return ['it leads out of the project', 'copy the file into the project'];
  const stat = statSync(real);
  if (!stat.isFile()) return ['this is no plain file', 'remove it'];
  return stat.size > LARGEST_FILE ? ['it is larger than 1 MB', 'split the file'] : undefined;
}

/** In andon's own folder no link is followed, wherever it leads. */
function whyNotOwn(root: string, name: string): readonly [string, string] | undefined {
  return isOwn(name) && openDir(root).barred([name]) !== undefined
    ? ['it is a link; in .andon/ none is followed', 'copy the file there']
    : undefined;
}

const isOwn = (name: string): boolean => name.startsWith('.andon/');

function walk(root: string, folder: string, depth: number, found: string[], faults: RuleFault[]): void {
  if (found.length > MOST_FILES) return;
  if (depth > MOST_FOLDERS_DEEP) {
    faults.push(
      createRuleFault(folder, `it is more than ${MOST_FOLDERS_DEEP} folders deep`, 'put its rules further up'),
    );
    return;
  }
  const entries =
    isOwn(folder) && isLinked(root) ? '.andon is a link or a file, not a folder' : entriesOf(join(root, folder));
  if (typeof entries === 'string') {
    faults.push(createRuleFault(folder, `it cannot be read: ${entries}`, 'make it a folder that can be read'));
    return;
  }
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) walk(root, name, depth + 1, found, faults);
    else if (entry.isSymbolicLink() && leadsToFolder(join(root, name)))
      faults.push(createRuleFault(name, 'a link to a folder is not followed', 'copy the folder into the project'));
    else if (holdsRules(name)) found.push(name);
  }
}

const isLinked = (root: string): boolean => openDir(root).barred([], ['.andon']) !== undefined;

/** The entries of a folder, sorted by name; none without such a folder, a reason when it cannot be read. */
function entriesOf(folder: string) {
  try {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory()) return 'it is a link or a file, not a folder';
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const leadsToFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
