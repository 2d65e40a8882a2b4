import type { InspectionContext, Subject, SubjectFile } from '../model/inspection.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import type { RulePlace } from '../model/rule-words.ts';
import { StepBudget } from '../matchers/find-matches.ts';
import { haystackOf, type Haystack } from '../../base/haystack.ts';
import { remembered } from '../text/remembered.ts';

/** A text that a rule is applied to, and where its lines stand in the file. */
export interface LookedAt {
  readonly file?: string;
  readonly haystack: Haystack;
  /** The 1-based number in the file of each of its lines; undefined: they are the file's own, from 1. */
  readonly lines?: readonly number[];
  /** The subject is known only in part. */
  readonly isPartial?: true;
  /** These are the readable pieces of a file that is no text: it can hold what is forbidden, and need not hold anything. */
  readonly isPieces?: true;
}

export interface FileChoice {
  readonly file_patterns?: readonly string[] | undefined;
  readonly exclude_patterns?: readonly string[] | undefined;
  /** The languages that a check can read. */
  readonly reads?: ((path: string) => boolean) | undefined;
}

/** Whether a rule or check is about a path. */
export const isChosen = (
  path: string,
  { file_patterns: only = [], exclude_patterns: without = [], reads = () => true }: FileChoice,
): boolean => (only.length === 0 || matchesGlobs(path, only)) && !matchesGlobs(path, without) && reads(path);

/** Whether a change moved a file to where a rule or check looks from where it did not: all of it is new to that one. */
export const isNewcomer = ({ path, from, change }: SubjectFile, choice: FileChoice): boolean =>
  change === 'moved' && from !== undefined && !isChosen(from, choice) && isChosen(path, choice);

/** What of a subject a place means, without what the choice of files leaves out. */
export function selectTargets(subject: Subject, place: RulePlace, choice: FileChoice = {}): readonly LookedAt[] {
  const memory = memoryOf(subject);
  const known = memory.texts.get(place) ?? textsOf(subject, place);
  memory.texts.set(place, known);
  // Who chooses files of what is reviewed does not mean the words about it.
  const wordsToo = place !== 'review' || (choice.file_patterns ?? []).length === 0;
  const chosen = known.filter(({ file }) => (file === undefined ? wordsToo : isChosen(file, choice)));
  const newcomers = isAdded(place) ? subject.files.filter((file) => isNewcomer(file, choice)) : [];
  if (newcomers.length === 0) return chosen;
  const paths = new Set(newcomers.map(({ path }) => path));
  return [
    ...chosen.filter(({ file }) => file === undefined || !paths.has(file)),
    ...newcomers.flatMap((file) => allLines(file, memory)),
  ];
}

/** Whether a place is, or holds, the lines that a change adds. */
export const isAdded = (place: unknown): boolean => place === 'added_lines' || place === 'review';

export const isInFiles = (place: unknown): boolean => isAdded(place) || place === 'file';

/** The work that all rules together may do on a subject in one inspection. */
export function budgetFor(subject: Subject, context: InspectionContext): StepBudget {
  const { budgets } = memoryOf(subject);
  const budget = budgets.get(context) ?? new StepBudget();
  budgets.set(context, budget);
  return budget;
}

/** Separates lines that are not adjacent, so that no match spans them. */
export const GAP = '\u0000';

interface Memory {
  readonly texts: Map<RulePlace, readonly LookedAt[]>;
  readonly moved: Map<SubjectFile, readonly LookedAt[]>;
  readonly budgets: WeakMap<InspectionContext, StepBudget>;
}

const memoryOf = remembered((_subject: Subject): Memory => ({
  texts: new Map(),
  moved: new Map(),
  budgets: new WeakMap(),
}));

/** What of each file a place means. */
const OF_FILES: Readonly<Partial<Record<RulePlace, (file: SubjectFile) => readonly LookedAt[]>>> = {
  added_lines: addedLines,
  review: addedLines,
  file: wholeFile,
  diff_paths: ({ path }) => [{ file: path, haystack: haystackOf(path) }],
};

function textsOf(subject: Subject, place: RulePlace): readonly LookedAt[] {
  const prose: Readonly<Partial<Record<RulePlace, string>>> = subject;
  const [ofFile, words] = [OF_FILES[place], prose[place === 'review' ? 'report' : place]];
  return [
    ...(ofFile === undefined ? [] : subject.files.flatMap(ofFile)),
    ...(words === undefined ? [] : [{ haystack: haystackOf(withoutReturns(words)) }]),
  ];
}

/** New lines as one text, none or one. */
export function addedLines({
  path,
  binary,
  added,
}: Pick<SubjectFile, 'path' | 'binary' | 'added'>): readonly LookedAt[] {
  if (added.length === 0) return [];
  const texts: string[] = [];
  const lines: number[] = [];
  let last = 0;
  for (const { line, text } of added) {
    if (lines.length > 0 && line !== last + 1) {
      texts.push(GAP);
      lines.push(last);
    }
    texts.push(text.endsWith('\r') ? text.slice(0, -1) : text);
    lines.push(line);
    last = line;
  }
  return [{ file: path, haystack: haystackOf(texts.join('\n')), lines, ...(binary ? { isPieces: true } : {}) }];
}

function allLines(file: SubjectFile, { moved }: Memory): readonly LookedAt[] {
  const known = moved.get(file) ?? addedLines({ ...file, added: file.all ?? file.added });
  moved.set(file, known);
  return known;
}

function wholeFile(file: SubjectFile): readonly LookedAt[] {
  if (file.change === 'deleted') return [];
  if (file.binary) return addedLines(file);
  if (isOnlyTouched(file)) return [{ file: file.path, haystack: haystackOf(''), isPartial: true }];
  if (file.content === undefined) return addedLines(file).map((part) => ({ ...part, isPartial: true }));
  return [{ file: file.path, haystack: haystackOf(withoutReturns(file.content)) }];
}

/** A patch that only takes lines away, or sets another mode, shows nothing of what the file holds. */
const isOnlyTouched = ({ change, content, added, unread, isSubmodule }: SubjectFile): boolean =>
  change === 'modified' &&
  content === undefined &&
  added.length === 0 &&
  unread === undefined &&
  isSubmodule === undefined;

const withoutReturns = (text: string): string => (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
