import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { createUsageError } from '../../base/problem.ts';
import type { RuleFileText } from '../dialects/dialect.ts';
import { RULEBOUND_CONFIG, CONFIG } from '../../project/config/read-settings.ts';
import { readRuleboundConfig } from '../../project/config/rulebound-config.ts';
import type { Rulebook, Rule } from '../model/rule.ts';
import { formatRuleSource, type RuleFault } from '../../project/config/rule-fault.ts';
import type { Suppressions } from '../enforce/suppress.ts';
import { RULE_ENDINGS, holdsRules } from '../load/parse-rule-file.ts';
import { readRulebook, type Packs, type ReadRulebook } from '../load/read-rulebook.ts';
import { tryExamples, type ExampleResult } from '../load/try-examples.ts';
import { BASELINE_FILE, readBaseline } from '../load/baseline-file.ts';
import { WAIVERS_FILE, readWaivers } from '../load/waiver-file.ts';
import { isInside } from '../../project/workspace/is-inside.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { shippedNames, shippedText } from '../../base/system/install-root.ts';
import { listRuleFolders, openWorkTree, type ProjectFiles, readRuleFile } from './project-files.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import { listCommittedPaths } from './gather-subject.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import { listFilePatterns, placeOf } from '../checks/settings.ts';
import { PROSE_PLACES, type RulePlace, RULE_FOLDERS } from '../model/rule-words.ts';
import { openDir } from '../../base/system/safe-fs.ts';

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
  readonly suppressions: Suppressions;
}

/** The rules of a project before they are understood: equal texts are equal rulebooks. */
type RulebookText = ReturnType<typeof readRulebookText>;

/** Reads every rule of a project: its own files, and the packs they extend. */
export const readProjectRulebook = (
  root: string,
  options: { readonly selfTests?: boolean } = {},
): Promise<ProjectRulebook> => parseRulebook(readRulebookText(openWorkTree(root)), options);

export function readRulebookText(files: ProjectFiles) {
  const project = readRuleboundConfig({ name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) });
  const [waivers, baseline] = [files.text(WAIVERS_FILE), files.text(BASELINE_FILE)];
  return { project, found: files.rules(listRuleFolders(project)), waivers, baseline };
}

export async function parseRulebook(
  { project, found, waivers: waiversText, baseline: baselineText }: RulebookText,
  { selfTests = true }: { readonly selfTests?: boolean } = {},
): Promise<ProjectRulebook> {
  const waived = readWaivers(WAIVERS_FILE, waiversText ?? '');
  const known = baselineText === undefined ? NO_BASELINE : readBaseline(BASELINE_FILE, baselineText);
  const read = await readRulebook(found.files, { packs: PACKS, extends: project.extends, selfTests });
  return {
    ...read,
    faults: [project, found, read, waived, known].flatMap(({ faults }) => faults),
    files: found.files.map(({ name }) => name),
    stack: project.stack,
    suppressions: { waivers: waived.waivers, baseline: known.baseline },
  };
}

const NO_BASELINE = { baseline: [], faults: [] };

/** The rules of these files. The last few texts are not parsed again. */
export async function loadRulebook(files: ProjectFiles): Promise<ProjectRulebook> {
  const text = readRulebookText(files);
  const print = JSON.stringify(text);
  const book = BOOKS.get(print) ?? (await parseRulebook(text));
  BOOKS.delete(print); // the last one used is the last one forgotten
  BOOKS.set(print, book);
  for (const oldest of BOOKS.keys()) {
    if (BOOKS.size <= MOST_BOOKS) break;
    BOOKS.delete(oldest);
  }
  return book;
}

/** One for each project of a daemon, and for the versions between which a task works. */
const MOST_BOOKS = 16;
const BOOKS = new Map<string, ProjectRulebook>();

/** The first fault of the project's rules in words; undefined when they are sound. */
export async function findRuleFault(project: ProjectFiles): Promise<string | undefined> {
  const { faults } = await loadRulebook(project);
  const [first] = faults;
  if (first === undefined) return undefined;
  const { source, message } = first;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  return `${formatRuleSource(source)}: ${message}${more}`;
}

/** The rules of a project, or single files as if they were its rules, with every fault and every note. */
export async function lintRules(place: Workspace, cwd: string, names: readonly string[]): Promise<Rulebook> {
  const { root } = place.facts;
  if (names.length > 0) return readSingleFiles(root, cwd, names);
  const book = await readProjectRulebook(root);
  const paths = await listCommittedPaths(await openForReading(place));
  const idle = listWithoutEffect(book.rules, paths);
  const unread = listMisnamed(root).map((message) => ({ source: { name: '.andon' }, message }));
  return { ...book, notes: [...book.notes, ...idle, ...unread] };
}

async function readSingleFiles(root: string, cwd: string, names: readonly string[]): Promise<Rulebook> {
  const files: RuleFileText[] = [];
  const faults: RuleFault[] = [];
  for (const name of names) {
    const file = resolve(cwd, name);
    if (!existsSync(file)) throw createUsageError(`There is no file ${name}.`, 'Name an existing file.');
    if (!holdsRules(name))
      throw createUsageError(`${name} is no file of rules`, `rules are written in ${RULE_ENDINGS}`);
    const read = readRuleFile(dirname(file), basename(file));
    const shown = isInside(file, root) ? relative(root, file) : name;
    if ('text' in read) files.push({ name: shown, text: read.text });
    else faults.push({ ...read, source: { name: shown } });
  }
  const book = await readRulebook(files, { packs: PACKS });
  return { ...book, faults: [...faults, ...book.faults] };
}

export interface TriedRule {
  readonly id: string;
  readonly results: readonly ExampleResult[];
}

/** Tries the rules of a project, or those of these ids, on their own examples. */
export async function tryRules(
  root: string,
  ids: readonly string[],
): Promise<{ readonly book: ProjectRulebook; readonly tried: readonly TriedRule[] }> {
  const book = await readProjectRulebook(root, { selfTests: false });
  const tried: TriedRule[] = [];
  for (const { rule } of book.rules)
    if (ids.length === 0 || ids.includes(rule.id)) tried.push({ id: rule.id, results: await tryExamples(rule) });
  return { book, tried };
}

/** Rules of a project's own that look at no file of it, by its committed `paths`. */
export const listWithoutEffect = (rules: Rulebook['rules'], paths: readonly string[]): Rulebook['notes'] =>
  rules
    .filter(({ source }) => paths.length > 0 && !source.name.startsWith('andon/'))
    .flatMap(({ rule, source }) =>
      listUnmatched(rule, paths).map((note) => ({ source, message: `${rule.id}: ${note}` })),
    );

function listUnmatched(rule: Rule, paths: readonly string[]): readonly string[] {
  const { match, checks } = rule;
  const chosen = [
    match !== undefined && !NO_FILES.includes(match.on) ? (match.file_patterns ?? []) : [],
    ...checks.map((check) => (NO_FILES.includes(placeOf(check, rule)) ? [] : (listFilePatterns(check) ?? []))),
  ];
  return chosen
    .filter((globs) => globs.length > 0 && !paths.some((path) => matchesGlobs(path, globs)))
    .map((globs) => `no committed file matches its file_patterns: ${globs.join(', ')}`);
}

/** Prose is in no file, and a path that must not be there is looked for among the changed ones. */
const NO_FILES: readonly RulePlace[] = [...PROSE_PLACES, 'diff_paths'];

/** Files in `.andon/` with nearly the right name, and files beside rules that hold none: their author believes that they count. */
export function listMisnamed(root: string): readonly string[] {
  const misnamed = namesIn(root, '.andon').flatMap((name) => {
    if (KNOWN.includes(name) || LEFTOVER.test(name)) return [];
    const stem = name.replace(/\.[a-z]+$/i, '').toLowerCase();
    const meant = KNOWN.find((known) => known.replace(/\.[a-z]+$/, '') === stem) ?? findNearestWord(name, KNOWN);
    return meant === undefined ? [] : [`.andon/${name} is not read; andon reads .andon/${meant}`];
  });
  const unread = RULE_FOLDERS.flatMap((folder) =>
    namesIn(root, folder, 'files')
      .filter((name) => !holdsRules(name) && !LEFTOVER.test(name) && !BESIDE_RULES.test(name))
      .map((name) => `${folder}/${name} is not read; rules are written in ${RULE_ENDINGS}`),
  );
  const elsewhere = namesIn(root, '.rulebound', 'files')
    .filter((name) => /^(?:waivers|baseline)\.(?:ya?ml|json)$/.test(name))
    .map((name) => `.rulebound/${name} is not read; andon reads .andon/${name.replace('.yml', '.yaml')}`);
  return [...misnamed, ...elsewhere, ...unread];
}

const KNOWN = [CONFIG, WAIVERS_FILE, BASELINE_FILE, '.andon/rules'].map((path) => path.slice('.andon/'.length));
/** What editors and copies leave behind. */
const LEFTOVER = /(?:~|\.(?:bak|orig|old|swp|tmp|lock))$/i;
/** Files of any folder, which no one takes for rules. */
const BESIDE_RULES = /^(?:\.|README|LICENSE|CHANGELOG|CODEOWNERS)/i;

function namesIn(root: string, folder: string, kind?: 'files'): readonly string[] {
  try {
    return openDir(root)
      .entries(folder)
      .filter((entry) => kind === undefined || entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return [];
  }
}
