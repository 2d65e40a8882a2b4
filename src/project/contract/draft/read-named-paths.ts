import { isFolderOf, isAmong, unique } from './path-lists.ts';
import { CHANGES, FOREIGN, JOINS, KEEPS, TURNS_TO, TURNS_WITH } from './wish-words.ts';

/** What a text says about the tracked files and folders that it names. */
export interface NamedPaths {
  /** It asks to change these. */
  readonly wanted: readonly string[];
  /** It names these otherwise: they are to be kept, or it cannot be told. */
  readonly others: readonly string[];
  /** The text was understood as a whole; otherwise a person must look at it. */
  readonly isSure: boolean;
  /** The text without what it says about things to be kept. */
  readonly wish: string;
}

/**
 * Reads which of the named files a text wants changed. A file counts as wanted only in a plain statement: one file, or a
 * list of them, and no word of keeping, excepting or denying. One statement that cannot be told leaves nothing wanted.
 * `isGuarded` files, which decide over gates, are wanted only where nothing else is named.
 */
export function readNamedPaths(
  text: string,
  files: readonly string[],
  isGuarded: (path: string) => boolean = () => false,
): NamedPaths {
  const statements = unique(text.split(STATEMENT_END).map((one) => one.trim().replace(/\s+/g, ' ')))
    .filter((one) => one !== '')
    .map((one) => readStatement(one, files));
  const wishing = statements.filter(({ wanted }) => wanted.length > 0);
  const isOfSame = wishing.every((one) => one.wanted.every((path) => wishing[0]?.wanted.includes(path)));
  const isClear =
    !statements.some(({ isUnclear }) => isUnclear) &&
    (isOfSame || wishing.every(({ text: one }, at) => CHANGES.test(one) || (at === 0 && !READS.test(one))));
  const wanted = unique(statements.flatMap((one) => one.wanted));
  const kept = unique(statements.flatMap(({ others }) => others));
  const named = unique([...wanted, ...kept]);
  const isOpen = (path: string): boolean =>
    isClear &&
    !isAmong(kept, path) &&
    !kept.some((other) => isFolderOf(path, other)) &&
    (named.length === 1 || !isGuarded(path));
  const open = wanted.filter(isOpen);
  return {
    wanted: open,
    others: named.filter((path) => !open.includes(path)),
    isSure:
      open.length === wanted.length &&
      statements.every(({ isSure }) => isSure) &&
      wishing.every(({ text: one }) => !READS.test(one) && (!open.some(isGuarded) || CHANGES_IT.test(one))),
    wish: statements.map(({ wish }) => wish).join('\n') || text,
  };
}

/** A line break alone may stand anywhere in a statement, and what follows a colon belongs to it. */
const STATEMENT_END = /[.!?](?=\s|$)|[;。！？；]|(?<!:[^\S\n]*)\n[^\S\n]*\n/;

/** A statement with each path in it as one sign. */
interface Masked {
  readonly text: string;
  readonly paths: readonly (readonly string[])[];
}

const SIGN = '\u0000';
/** A statement about a file that is only to be read. */
const READS = new RegExp(`^(?:(?:only|just|first|please) )*(?:(?:see|read|look|compare|open|follow)\\b|${SIGN})`, 'i');
/** `Shorten package.json`: the file itself is to be changed. */
const CHANGES_IT = new RegExp(`${CHANGES.source} (?:the )?${SIGN}`, 'i');
const BACK = /\b(?:it|its|them|they|this|that|these|those)\b/i;

function readStatement(written: string, files: readonly string[]) {
  const { text, paths } = maskPaths(written, files);
  const at = findTurn(text);
  const head = text.slice(0, at);
  const count = head.split(SIGN).length - 1;
  const inHead = paths.slice(0, count);
  const isKept = KEEPS.test(head) || at === 0;
  const isPlain = !isKept && isList(head, count) && (count === 0 || /\p{L}/u.test(head));
  const single = inHead.flatMap((found) => (found.length === 1 ? found : []));
  return {
    text,
    wanted: isPlain ? single : [],
    others: isPlain ? paths.slice(count).flat() : paths.flat(),
    isUnclear: (!isKept && !isPlain) || (isKept && count === 0 && paths.length === 0 && BACK.test(text)),
    isSure: !isPlain || count === 0 || !FOREIGN.test(head),
    wish: at === 0 || text.search(TURNS_TO) === 0 ? '' : unmask(head, paths),
  };
}

/** Paths are spelled whole, or by an end such as `format.ts`, which may be that of several. */
function maskPaths(written: string, files: readonly string[]): Masked {
  const paths: (readonly string[])[] = [];
  const text = written.replaceAll(SIGN, ' ').replace(SPELLED, (spelled) => {
    const found = resolvePath(spelled, files);
    if (found.length === 0) return spelled;
    paths.push(found);
    return SIGN;
  });
  return { text, paths };
}

const SPELLED =
  /(?<![\p{Script=Latin}\p{M}\d_@.+-])(?:[\p{Script=Latin}\p{M}\d_@.+-]*(?:\/[\p{Script=Latin}\p{M}\d_@.+-]*)+|[\p{Script=Latin}\p{M}\d_@.+-]+\.[A-Za-z]\w*)/gu;

/** A path of the project, or what looks like one: it may be protected, or not exist yet. */
const NAMES_PATH = new RegExp(`${SIGN}|${SPELLED.source}`, 'u');

function resolvePath(spelled: string, files: readonly string[]): readonly string[] {
  const path = spelled.replace(/^\.?\//, '').replace(/\.$/, '');
  const folder = `${path.replace(/\/$/, '')}/`;
  if (files.includes(path)) return [path];
  if (path.includes('/') && files.some((file) => file.startsWith(folder))) return [folder];
  return files.filter((file) => file.endsWith(`/${path}`));
}

function unmask(head: string, paths: Masked['paths']): string {
  let at = 0;
  return head.replaceAll(SIGN, () => paths[at++]?.[0] ?? '');
}

/**
 * Where a statement turns to what is to be kept (`…, keep package.json unchanged`), if that part speaks of itself only: a
 * verb needs a path of its own there, and nothing may point back (`do not touch it`).
 */
function findTurn(text: string): number {
  const verb = text.search(TURNS_TO);
  const turns = [text.search(TURNS_WITH), NAMES_PATH.test(text.slice(verb)) ? verb : -1];
  const at = Math.min(text.length, ...turns.filter((turn) => turn !== -1));
  return BACK.test(text.slice(at).replace(/\bas (?:it|they|that)\b/gi, '')) ? text.length : at;
}

/** Whether its paths are one, or stand side by side and end the text or their clause. */
const isList = (text: string, count: number): boolean => count < 2 || LIST.test(text);

const LIST = new RegExp(
  `^[^${SIGN}]*${SIGN}(?:["'\`)]*${JOINS}["'\`(]*${SIGN})*["'\`)]*\\s*(?:$|(?:,\\s*)?(?:so|to|for|when|because|if|by) [^${SIGN}]*$)`,
);
