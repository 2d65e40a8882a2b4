/**
 * The files that a line deletes; none for prose. The whole line must be the keyword and paths: a doubtful line deletes
 * nothing.
 */
export function parseDeletions(line: string): readonly string[] {
  if (line.length > LONGEST_ORDER || /\s{20}/.test(line.trim())) return [];
  const text = plain(line);
  const command = COMMAND.exec(text);
  if (command !== null) return commandPaths(command[1] ?? '');
  const marked = TAG.exec(text) ?? PATH_FIRST.exec(text);
  if (marked !== null) return named(marked[1] ?? marked[2] ?? '');
  return spoken(text, /^\s*[-*]?\s*`[^`]+`\s*$/.test(line));
}

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
const PATH_FIRST = /^(?:[Ff]ile [Dd]eleted\s*:\s*(\S+)|[`*]*([^\s:`*]+)[`*]*\s*:\s*DELETED?)$/;

/** A path without code marks, bold, quotes, a closing colon, a leading `./`, or a remark such as `(new file)`. */
export function stripPathMarkup(written: string): string {
  if (written.length > LONGEST_LINE) return '';
  const text = written.replace(/^[\s*"']+/, '');
  const span = /^`+([^`]+)`/.exec(text)?.[1];
  const path = (span ?? text.trimEnd().replace(REMARK, '')).trim();
  const end = span === undefined ? lengthWithout(path, '*`"\':') : path.length;
  return path.slice(0, end).trim().replace(/^\.\//, '');
}

function lengthWithout(text: string, tail: string): number {
  let end = text.length;
  while (end > 0 && tail.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Whether a text is one word with a file extension, or a usual name without one. */
export function looksLikePath(text: string): boolean {
  if (text.length > 4096 || /[\s<>|"`;=,]/.test(text) || text.includes('://')) return false;
  const name = text.slice(text.lastIndexOf('/') + 1);
  return USUAL_NAMES.has(name) || /^[^()]*\.(?=[\d_+-]*[A-Za-z])[\w+-]{1,12}$/.test(name);
}

/** A path has at most 4096 characters; longer lines contain none. */
export const LONGEST_LINE = 5000;
const REMARK = / \((?:new|modified|updated|changed|unchanged|existing|full|complete)(?: file| content)?\)$/i;
const USUAL_NAMES: ReadonlySet<string> = new Set([
  'Makefile',
  'Dockerfile',
  'LICENSE',
  'Gemfile',
  'Rakefile',
  'Procfile',
]);
