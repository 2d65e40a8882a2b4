import { stripPathMarkup, looksLikePath } from './paths-in-lines.ts';

/**
 * The files that a line deletes, in any spelling; none for prose. The whole line must be the keyword and paths: a
 * doubtful line deletes nothing.
 */
export function parseDeletions(line: string): readonly string[] {
  if (line.length > LONGEST_ORDER || /\s{20}/.test(line.trim())) return [];
  const text = plain(line);
  const command = COMMAND.exec(text);
  if (command !== null) return commandPaths(command[1] ?? '');
  const tagged = TAG.exec(text);
  if (tagged !== null) return named(tagged[1] ?? tagged[2] ?? '');
  const header = HEADER_DELETED.exec(text) ?? PATH_FIRST.exec(text);
  if (header !== null) return named(header[1] ?? header[2] ?? '');
  return spoken(text, /^\s*[-*]?\s*`[^`]+`\s*$/.test(line));
}

/** Deletions outside of any block, with the next line: a patch, or a keyword under a file's name. */
export function readDeletionsAt(
  lines: readonly string[],
  at: number,
  header: string | undefined,
): { readonly paths: readonly string[]; readonly next: number } | undefined {
  if (header !== undefined && saysDeleted(lines[at] ?? '')) return { paths: [header], next: at + 1 };
  const end = at + patchLength(lines, at);
  const paths = end === at ? undefined : deletionsInPatch(lines.slice(at, end));
  return paths === undefined ? undefined : { paths, next: end };
}

/** Deletions by a block; undefined where it is a file's text. */
export function readBlockDeletion(body: readonly string[], path: string | undefined): readonly string[] | undefined {
  if (path !== undefined && body.length < 5 && saysDeleted(body.join(' '))) return [path];
  return /\.(?:diff|patch)$/i.test(path ?? '') ? undefined : deletionsInPatch(body);
}

/** The files of a patch that only deletes; undefined for others. */
function deletionsInPatch(lines: readonly string[]): readonly string[] | undefined {
  const paths: string[] = [];
  for (const [at, line] of lines.entries()) {
    const old = /^--- (?:a\/)?(\S.*?)\s*$/.exec(line)?.[1];
    if (old !== undefined && /^\+\+\+ \/dev\/null\s*$/.test(lines[at + 1] ?? '')) paths.push(old);
    else if (!PATCH_LINE.test(line)) return undefined;
  }
  return paths.length > 0 && paths.every((path) => path !== '/dev/null') ? paths : undefined;
}

/** The number of lines of a deleting patch, from one on. */
function patchLength(lines: readonly string[], at: number): number {
  if (!/^(?:diff --git |--- )/.test(lines[at] ?? '')) return 0;
  let end = at;
  while (end < lines.length && PATCH_LINE.test(lines[end] ?? '') && (lines[end] ?? '') !== '') end += 1;
  return end - at;
}

/** Whether a line or a block under a file's name deletes that file. */
const saysDeleted = (text: string): boolean =>
  text.length < 60 &&
  /^[[(<*`]*(?:DELETED?|[Dd]eleted? (?:this |the )?file|\(deleted?\)|to be deleted)[\])>*`]*\.?$/.test(text.trim());

function spoken(text: string, isCode: boolean): readonly string[] {
  const [, word = '', file = '', sign = '', rest = ''] = SPOKEN.exec(text) ?? [];
  if (word === '') return [];
  const isLoud = word === word.toUpperCase();
  const isDelete = /^delete$/i.test(word);
  if (rest.trimEnd().endsWith('?')) return [];
  // `DELETE: x` always counts; looser keywords count only for an unmistakable file.
  if (isDelete && sign === ':' && !NOTHING.test(stripPathMarkup(withoutReason(rest)))) {
    const path = stripPathMarkup(withoutReason(rest));
    if (!/\s/.test(path)) return named(withoutReason(rest), isLoud || file !== '');
    // A name with spaces, in the exact form of the brief.
    const isName = rest.startsWith('`') || !PROSE.test(path);
    if (word === 'DELETE' && isName && looksLikePath(path.replaceAll(' ', '_'))) return [path];
  }
  if (sign !== '' && (isDelete || isLoud || file !== '')) return named(withoutReason(rest));
  if (sign !== '') return named(withoutReason(rest)).filter((path) => path.includes('/'));
  // `delete a.b` is JavaScript.
  if (isCode && isDelete) return isAlone(rest) ? named(rest).filter((path) => path.includes('/')) : [];
  if (isLoud || file !== '') return isAlone(rest) ? named(withoutReason(rest)) : [];
  return CODE_ALONE.test(rest) ? named(rest) : [];
}

/** Paths between commas; one invalid path invalidates all. */
function named(written: string, isSure = false): readonly string[] {
  const parts = /^[^`"']*$/.test(written) ? written.split(/,\s*/) : [written];
  const paths = parts.map((part) => stripPathMarkup(part));
  const isPath = (path: string): boolean =>
    path !== '' &&
    !/\s/.test(path) &&
    !/[*?]/.test(path) &&
    !path.startsWith('/') &&
    !path.endsWith('/') &&
    (looksLikePath(path) || (isSure && !NOTHING.test(path)));
  return paths.every(isPath) ? paths : [];
}

function commandPaths(written: string): readonly string[] {
  const words = written
    .trim()
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'));
  const paths = words.map((word) => (/[*?]/.test(word) ? '' : stripPathMarkup(word)));
  return paths.length > 0 && paths.every((path) => looksLikePath(path) && !path.startsWith('/')) ? paths : [];
}

/** Allows no second word except a remark. */
const isAlone = (rest: string): boolean =>
  CODE_ALONE.test(rest) || /^["']?[^\s"'`]+["']?(?:,\s*[^\s,]+)*$/.test(withoutReason(rest).trim());

const withoutReason = (rest: string): string =>
  rest
    .replace(/\s+(?:\([^()]*\)|(?:--?|[–—#]|\/\/)\s.*)$/, '')
    .trim()
    .replace(/(\w)\.$/, '$1');

/** A line without list marks, check boxes, signs and surrounding marks. */
function plain(line: string): string {
  let text = line.trim().replace(/^(?:[#>*•|\s-]|\p{Extended_Pictographic}|\ufe0f)+/u, '');
  text = text
    .replace(/^(?:\d{1,3}|[a-z](?=\)))[.)]\s+/, '')
    .replace(/^\[[ xX]?\]\s+/, '')
    .replace(/^(?:\p{Extended_Pictographic}|\ufe0f|\s)+/u, '');
  text = text.replace(/\s*\|\s*$/, '').replace(/\s+\|\s+/, ' ');
  const whole = /^`([^`]+)`$/.exec(text)?.[1] ?? /^\*{0,2}([^*]+)\*\*$/.exec(text)?.[1];
  return (whole ?? text)
    .replace(/^(?:\*\*|__|[*`])+/, '')
    .replace(/^action:\s*/i, '')
    .trim();
}

/** A longer line is prose, or an attempt to slow down parsing. */
const LONGEST_ORDER = 600;
const PROSE = / (?:and|or|is|are|it|the|to|in|from|of|for|because|once|when|as|if|now|see|still|on|by|with) /i;
const NOTHING = /^(?:none|nothing|n\/a|-*)\.?$/i;
const CODE_ALONE = /^`[^`\s]+`\s*(?:\([^()]*\))?[.!]?$/;
const SPOKEN =
  /^[[(]?(deleted?|removed?)(?![A-Za-z])[\])]?(?:[ _]\(?(?:the )?(files?)(?![A-Za-z])\)?)?[*_`]*\s*(:|->|=>|→|=|—|–|-(?=\s))?[*_]*\s*(\S.*)$/i;
const COMMAND = /^(?:\$\s+|#\s+)?(?:(?:git\s+)?rm|unlink)\s+(\S.*)$/;
const TAG =
  /^<(?:delete|delete_file|remove)(?:\s+(?:path|file|name)=["']([^"']+)["'])?\s*\/?>(?:([^<>]+)<\/\w+>|<\/\w+>)?$/i;
const HEADER_DELETED =
  /^(?:file|filename|file ?path)[*_`]*\s*:[*`\s]*([^\s*`][^\s`]*)`?\s+(?:[[(](?:to be )?deleted?[\])]|(?:-|—|–|->|→)\s*(?:to be )?deleted?)$/i;
const PATH_FIRST = /^(?:[Ff]ile [Dd]eleted\s*:\s*(\S+)|[`*]*([^\s:`*]+)[`*]*\s*:\s*DELETED?)$/;
const PATCH_LINE =
  /^(?:-|@@|diff --git |index |deleted file mode |similarity index |\\ No newline|\+\+\+ \/dev\/null\s*$|\s*$)/;
