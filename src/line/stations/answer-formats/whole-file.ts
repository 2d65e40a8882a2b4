import { success, type Outcome } from '../../../base/outcome.ts';
import { malformedAnswer, type UnreadableAnswer } from './answer.ts';
import { parseDeletions, stripPathMarkup, LONGEST_LINE, looksLikePath } from './deletions.ts';

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
