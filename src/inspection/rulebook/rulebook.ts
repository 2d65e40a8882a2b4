import { RULEBOUND_CONFIG } from '../../config/config.ts';
import { RULE_FOLDERS } from '../../rule-model/rule-places.ts';
import { readRuleboundConfig } from '../../config/rulebound-config.ts';
import type { RuleboundConfig } from '../../config/rulebound-config.ts';
import { readRulebook } from '../../rules/load/read-rulebook.ts';
import type { Packs, ReadRulebook } from '../../rules/load/read-rulebook.ts';
import { shippedNames, shippedText } from '../../wiring/own-files.ts';
import type { Services } from '../../wiring/services.ts';
import { workTree } from './project-files.ts';
import type { ProjectFiles } from './project-files.ts';
import type { FoundFiles } from './rule-files.ts';

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
export interface RulebookText {
  readonly project: RuleboundConfig;
  readonly found: FoundFiles;
}

/** Reads every rule of a project: its own files, and the packs they extend. */
export const readProjectRulebook = (
  root: string,
  options: { readonly selfTests?: boolean } = {},
): Promise<ProjectRulebook> => parseRulebook(rulebookTextIn(workTree(root)), options);

/** Finds the texts of a project's rules, wherever they are kept. */
export function rulebookTextIn(files: ProjectFiles): RulebookText {
  const project = readRuleboundConfig({ name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) });
  return { project, found: files.rules(ruleFolders(project)) };
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

/** The rules as their files are now; they are understood anew only when a text has changed since `owner` asked last. */
export async function rulebookFor(owner: object, root: string): Promise<ProjectRulebook> {
  const text = rulebookTextIn(workTree(root));
  const print = JSON.stringify(text);
  const known = BOOKS.get(owner);
  if (known?.print === print) return known.book;
  const book = await parseRulebook(text);
  BOOKS.set(owner, { print, book });
  return book;
}

/** The first fault of the project's rules in words; undefined when they are sound. */
export async function faultInRules(services: Services): Promise<string | undefined> {
  const { faults } = await rulebookFor(services.journal, services.root);
  const [first] = faults;
  if (first === undefined) return undefined;
  const { source, message } = first;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  return `${source.name}${source.line === undefined ? '' : `:${source.line}`}: ${message}${more}`;
}

const BOOKS = new WeakMap<object, { readonly print: string; readonly book: ProjectRulebook }>();

/** A folder that the other tool's configuration names counts as well. */
export function ruleFolders({ rulesDir }: RuleboundConfig): readonly string[] {
  const isKnown = rulesDir === undefined || (RULE_FOLDERS as readonly string[]).includes(rulesDir);
  return isKnown ? RULE_FOLDERS : [...RULE_FOLDERS, rulesDir];
}
