import { RULEBOUND_CONFIG } from '../../config/config.ts';
import { readRuleboundConfig, type RuleboundConfig } from '../../compat/rulebound-config.ts';
import { readRulebook, type Packs, type ReadRulebook } from '../../rules/load/read-rulebook.ts';
import { shippedNames, shippedText } from '../../wiring/own-files.ts';
import type { Needs } from '../../wiring/services.ts';
import { listRuleFolders, openWorkTree, type ProjectFiles } from '../../wiring/project-files.ts';
import type { FoundFiles } from '../../wiring/rule-files.ts';

/** The packs that are shipped: the rule files in `shipped/packs/`. */
export const PACKS: Packs = {
  get names() {
    return shippedNames('packs').map((file) => file.replace(/\.yaml$/, ''));
  },
  textOf: (name) => shippedText(`packs/${name}.yaml`),
};

/** The rules of a project as they lie in its folders, and what is known of the project's stack. */
export interface ProjectRulebook extends ReadRulebook {
  /** The files that were read, by their paths from the root. */
  readonly files: readonly string[];
  readonly stack: readonly string[];
}

/** The rules of a project before they are understood: equal texts are equal rulebooks. */
interface RulebookText {
  readonly project: RuleboundConfig;
  readonly found: FoundFiles;
}

/** Reads every rule of a project: its own files, and the packs they extend. */
export const readProjectRulebook = (
  root: string,
  options: { readonly selfTests?: boolean } = {},
): Promise<ProjectRulebook> => parseRulebook(readRulebookText(openWorkTree(root)), options);

/** Finds the texts of a project's rules, wherever they are kept. */
export function readRulebookText(files: ProjectFiles): RulebookText {
  const project = readRuleboundConfig({ name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) });
  return { project, found: files.rules(listRuleFolders(project)) };
}

/** Makes the rulebook out of its texts. */
export async function parseRulebook(
  { project, found }: RulebookText,
  { selfTests = true }: { readonly selfTests?: boolean } = {},
): Promise<ProjectRulebook> {
  const read = await readRulebook(found.files, { packs: PACKS, extends: project.extends, selfTests });
  return {
    ...read,
    faults: [...project.faults, ...found.faults, ...read.faults],
    files: found.files.map(({ name }) => name),
    stack: project.stack,
  };
}

/** The rules of these files; they are parsed again only when a text differs from the one that `owner` asked for last. */
export async function loadRulebook(owner: object, files: ProjectFiles): Promise<ProjectRulebook> {
  const text = readRulebookText(files);
  const print = JSON.stringify(text);
  const known = BOOKS.get(owner);
  if (known?.print === print) return known.book;
  const book = await parseRulebook(text);
  BOOKS.set(owner, { print, book });
  return book;
}

/** The first fault of the project's rules in words; undefined when they are sound. */
export async function findRuleFault({ journal, project }: Needs<'journal' | 'project'>): Promise<string | undefined> {
  const { faults } = await loadRulebook(journal, project);
  const [first] = faults;
  if (first === undefined) return undefined;
  const { source, message } = first;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  return `${source.name}${source.line === undefined ? '' : `:${source.line}`}: ${message}${more}`;
}

const BOOKS = new WeakMap<object, { readonly print: string; readonly book: ProjectRulebook }>();
