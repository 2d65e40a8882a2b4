import { success, type Outcome } from '../../../base/outcome.ts';
import { malformedAnswer, type UnreadableAnswer } from './answer.ts';

export interface FenceOpening {
  readonly mark: '`' | '~';
  readonly length: number;
  readonly indent: string;
  /** The first word after the marks, in lower case: `ts`, `c++`; may be empty. */
  readonly language: string;
  /** A path after the language (`ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`). */
  readonly path: string | undefined;
}

export interface Fence {
  readonly opening: FenceOpening;
  readonly body: readonly string[];
  readonly next: number;
}

/** A directive outside of blocks; `text` is the path, the reason or the start of the notes. */
interface Directive {
  readonly kind: 'file' | 'delete' | 'no-change' | 'notes';
  readonly text: string;
  readonly deletes?: readonly string[];
}

export function parseFence(line: string): FenceOpening | undefined {
  const match = FENCE.exec(line.length > LONGEST_LINE ? '' : line);
  if (match === null) return undefined;
  const [, indent = '', marks = '', info = ''] = match;
  const mark = marks.startsWith('~') ? '~' : '`';
  if (mark === '`' && info.includes('`')) return undefined;
  const [word = '', ...others] = info.trim().split(/\s+/);
  const [language = '', afterColon] = word.split(':', 2);
  const isPath = afterColon === undefined && word.includes('/') && looksLikePath(word);
  return {
    mark,
    length: marks.length,
    indent,
    language: isPath ? '' : language.toLowerCase(),
    path: [isPath ? word : afterColon, ...others].map(namedPath).find((path) => path !== undefined),
  };
}

/**
 * Parses the fenced block at line `at`. Nested blocks in Markdown are followed, so that a file with too short a fence
 * is not cut at its first inner block. An unclosed block means a cut answer.
 */
export function readFence(
  lines: readonly string[],
  at: number,
  opening: FenceOpening,
  path: string | undefined,
): Outcome<Fence, UnreadableAnswer> {
  const nests = MARKDOWN_TAGS.has(opening.language) || /\.(?:md|mdx|markdown)$/i.test(path ?? '');
  const open = [opening.length];
  for (let line = at + 1; line < lines.length; line += 1) {
    const marks = marksOf(lines[line] ?? '', opening);
    if (marks === undefined || marks.length < (open.at(-1) ?? 0)) continue;
    if (marks.bare) open.pop();
    else if (nests) open.push(marks.length);
    if (open.length === 0) return success({ opening, body: bodyOf(lines, at, line, opening), next: line + 1 });
  }
  const where = path === undefined ? '' : ` of ${path}`;
  return malformedAnswer(`The answer was cut off: the fenced block${where} is never closed.`);
}

/** The text of a file from its block: one final newline, or nothing for an empty block. */
export function joinBlock(body: readonly string[]): string {
  let end = body.length;
  while (end > 0 && body[end - 1] === '') end -= 1;
  return end === 0 ? '' : `${body.slice(0, end).join('\n')}\n`;
}

/** The directive of a line outside any block, without decoration; undefined for prose. */
export function parseDirective(line: string): Directive | undefined {
  if (!/[a-z]/i.test(line)) return undefined; // every directive contains a word; most lines of a flood are fence marks
  const deletes = parseDeletions(line);
  if (deletes.length > 0) return { kind: 'delete', text: deletes.join(', '), deletes };
  const text = undecorated(line);
  const [, word = '', written = ''] = HEADER.exec(text) ?? [];
  if (word !== '') {
    const path = stripPathMarkup(written);
    const isMeant = word === 'FILE' || looksLikePath(path) || (path.includes('/') && !/\s/.test(path));
    return path !== '' && isMeant ? { kind: 'file', text: path } : undefined;
  }
  const reason = NO_CHANGE.exec(text)?.[1];
  if (reason !== undefined) return { kind: 'no-change', text: reason };
  const notes = NOTES.exec(text)?.[1];
  return notes === undefined ? undefined : { kind: 'notes', text: notes };
}

/** The path alone on the line before a block, at most one blank line above it and not before `from`. */
export function findLabelBefore(lines: readonly string[], at: number, from: number): string | undefined {
  const above = (lines[at - 1] ?? '').trim() === '' ? at - 2 : at - 1;
  if (above < from) return undefined;
  const line = lines[above] ?? '';
  const path = stripPathMarkup(undecorated(line));
  return looksLikePath(path) && (path.includes('/') || /^\s*[#*`]/.test(line)) ? path : undefined;
}

/** The first line from `from` on that is not blank; the number of lines if all are. */
export function findFirstText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() === '') at += 1;
  return at;
}

/** Whether lines begin as a diff or as a codex patch. */
export const isPatch = (lines: readonly string[]): boolean => {
  const [first = '', second = ''] = lines.filter((line) => line.trim() !== '');
  return (
    /^(?:\*\*\* Begin Patch|diff --git |@@ )/.test(first) || (first.startsWith('--- ') && second.startsWith('+++ '))
  );
};

/** Whether a block without a path is a sample of shell commands; not if the target is a script. */
export function isTranscript({ opening }: Fence, target: string | undefined): boolean {
  return !isScript(target) && /^(?:sh|bash|zsh|shell|console|shell-session|powershell|cmd)$/.test(opening.language);
}

/** Whether a block is (part of) an answer, not a file; commands are one only where all of them delete. */
export function isAnswer(body: readonly string[], target: string | undefined): boolean {
  const first = body[findFirstText(body, 0)] ?? '';
  if (/^\s*(?:[$#]\s+)?(?:git\s+)?rm\s/.test(first))
    return !isScript(target) && body.every((line) => line.trim() === '' || parseDeletions(line).length > 0);
  return ['file', 'delete', 'no-change'].includes(parseDirective(first)?.kind ?? '');
}

const isScript = (path: string | undefined): boolean =>
  path !== undefined && /\.(?:sh|bash|zsh|ps1|cmd|bat)$|(?:^|\/)[^./]*$/i.test(path);

/** Whether a file consists of nothing but omissions: `<the updated content>`, `# ... rest unchanged`, `DELETED`. */
export function isPlaceholderFile(path: string, content: string): boolean {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  return (
    PLACEHOLDER.test(content.trim()) ||
    /^\W*(?:to be )?deleted?\W*$/i.test(content) ||
    (lines.length > 0 && lines.every((line) => isElision(line, isProseFile(path))))
  );
}

/** `<the updated content>`, `[insert code here]`. */
const PLACEHOLDER =
  /^(?:<|\[|\{\{?|\()\s*(?:(?:the|your|full|complete|updated|new|entire|actual|rest|of|insert|put|paste|add|whole|modified|final) ){1,5}(?:file |source )?(?:content|contents|code|file|implementation|text|document)(?: (?:here|goes here|of [\w./ -]{1,60}))?\s*(?:>|\]|\}\}?|\))$/i;

export const isProseFile = (path: string): boolean => /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);

/** Whether a line is an elision, as in `// ... rest unchanged`; prose without dots is not one. */
export function isElision(line: string, isProse: boolean): boolean {
  if (line.length > 200) return false;
  const [, open = '', inside = ''] = COMMENT.exec(line.trim()) ?? [];
  const isComment = open !== '' && !(isProse && /^[#*;%-]/.test(open));
  const text = inside.replace(COMMENT_END, '').trim().toLowerCase();
  const bracketed = /^[[(<](.*)[\])>]$/.exec(text)?.[1]?.trim();
  const remark = bracketed ?? text;
  if (DOTS.test(remark)) return isComment;
  const words = remark.replace(/^[.… ([]+|[.… )\]]+$/g, '');
  if (words === '') return false;
  const [starts, ends] = [
    remark.startsWith('...') || remark.startsWith('…'),
    remark.endsWith('...') || remark.endsWith('…'),
  ];
  if (!isComment && !((starts || bracketed !== undefined) && /^[a-z' -]+ [a-z' -]+$/.test(words))) return false;
  if (OMISSION.test(words)) return open !== '*' || starts;
  const isShort = words.split(/\s+/).length <= 8;
  return isShort && ((starts && ends && isComment) || ((starts || ends) && LEFT_OUT.test(words)));
}

/** A line without headings, list marks, quotes and bold. */
function undecorated(line: string): string {
  return line
    .trim()
    .replace(/^[#>*\s-]+/, '')
    .replace(/^\d{1,3}[.)]\s+/, '')
    .replace(/^\*+/, '')
    .trim();
}

function namedPath(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  const path = word.replace(/^\{?(?:title|file|filename|path|name)[=:]/i, '').replace(/^["'(]|["')}]$/g, '');
  return looksLikePath(path) ? stripPathMarkup(path) : undefined;
}

/** The marks of a line that could close the block or nest in it: same character and indent, at least as long. */
function marksOf(line: string, opening: FenceOpening): { readonly length: number; readonly bare: boolean } | undefined {
  if (!line.startsWith(opening.indent)) return undefined;
  let end = opening.indent.length;
  while (line[end] === opening.mark) end += 1;
  const length = end - opening.indent.length;
  if (length < opening.length) return undefined;
  const info = line.slice(end).trim();
  return opening.mark === '`' && info.includes('`') ? undefined : { length, bare: info === '' };
}

function bodyOf(lines: readonly string[], at: number, end: number, { indent }: FenceOpening): readonly string[] {
  const body = lines.slice(at + 1, end);
  return indent === '' ? body : body.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

const HEADER = /^[*`]*(file|filename|file ?path)\s*[*`]*:(.*)$/i;
const NO_CHANGE = /^[*`]*(?:NO[ _-]CHANGE\b|no change(?=[*`]*:))[*`]*[\s:.,—–-]*(.*)$/;
const NOTES = /^[*`]*(?:notes|NOTES|Notes)[*`]*:[*\s]*(.*)$/;
const FENCE = /^([ \t]{0,12})(`{3,}|~{3,})(.*)$/;
const MARKDOWN_TAGS: ReadonlySet<string> = new Set(['md', 'mdx', 'markdown']);
const COMMENT = /^(\/\/+|\/\*+|\{\/\*+|<!--|<%#|\{#|\{-|#+|--+|;+|%+|\*|rem )?\s*(.*)$/i;
const COMMENT_END = /\s*(?:\*+\/\}?|--+>|%>|#\}|-\})$/;
const DOTS = /^(?:\.{3}|…)$/;

const LEFT_OUT =
  /^(?:and |the |your |all |keep |more )*(?:rest|remain\w*|existing|unchanged|previous|other|same|omitted|original)\b/;

const THING =
  '(?:\\w+ )?(?:file|code|class|component|module|contents?|implementation|document|methods?|functions?|script|imports)';
const SAME =
  '(?: (?:is|are|remains?|stays?))? (?:unchanged|untouched|the same|same as before|as before|omitted|as is|here)';
const OMISSION = new RegExp(
  '^(?:' +
    [
      `(?:the )?(?:rest|remainder) of (?:the |this )?${THING}(?:${SAME})?`,
      `(?:the )?(?:rest|remainder)${SAME}`,
      `(?:the )?(?:remaining|existing|other|previous|original) ${THING}${SAME}`,
      '(?:existing|remaining) (?:code|content|implementation)',
      'unchanged|same as (?:before|original|previously)|omitted(?: for brevity)?|no changes?(?: here| below)?',
    ].join('|') +
    ')$',
);

/**
 * The files that a line deletes; none for prose. The whole line must be the keyword and paths: a doubtful line deletes
 * nothing.
 */
function parseDeletions(line: string): readonly string[] {
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
function stripPathMarkup(written: string): string {
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
function looksLikePath(text: string): boolean {
  if (text.length > 4096 || /[\s<>|"`;=,]/.test(text) || text.includes('://')) return false;
  const name = text.slice(text.lastIndexOf('/') + 1);
  return USUAL_NAMES.has(name) || /^[^()]*\.(?=[\d_+-]*[A-Za-z])[\w+-]{1,12}$/.test(name);
}

/** A path has at most 4096 characters; longer lines contain none. */
const LONGEST_LINE = 5000;
const REMARK = / \((?:new|modified|updated|changed|unchanged|existing|full|complete)(?: file| content)?\)$/i;
const USUAL_NAMES: ReadonlySet<string> = new Set([
  'Makefile',
  'Dockerfile',
  'LICENSE',
  'Gemfile',
  'Rakefile',
  'Procfile',
]);
