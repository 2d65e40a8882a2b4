import { success, type Outcome, failure } from '../../../base/outcome.ts';
import { readDiff } from '../../../base/read-diff.ts';
import {
  malformedAnswer,
  oversizedAnswer,
  type ImplementerAnswer,
  type Expected,
  type UnreadableAnswer,
  elidedAnswer,
  type Edit,
} from './answer.ts';
import { isBlockStart, readBlock } from './search-replace.ts';
import {
  parseDirective,
  parseFence,
  findFirstText,
  isAnswer,
  findLabelBefore,
  isPatch,
  readFence,
  type FenceOpening,
  joinBlock,
  isPlaceholderFile,
  isTranscript,
  type Fence,
} from './whole-file.ts';
import { readPatch } from './read-patch.ts';

/** Parses an implementer's answer: fenced files, search/replace blocks, diffs, deletions, or the reason to change nothing. */
export function readAnswer(text: string, expected: Expected): Outcome<ImplementerAnswer, UnreadableAnswer> {
  const begin = takePrefix(text);
  const first = begin === undefined ? undefined : readText(begin, expected);
  if (first?.ok === false && first.why.kind === 'too-many-files') return first; // the rest of a flood is not split
  return readText(text, expected);
}

function readText(
  text: string,
  { targetFile: target, maxFiles }: Expected,
): Outcome<ImplementerAnswer, UnreadableAnswer> {
  const draft: Draft = {
    target,
    maxFiles,
    paths: new Set(),
    edits: [],
    loose: [],
    headers: new Set(),
    reasons: [],
    notes: '',
    said: false,
  };
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(withoutControls);
  return readLines(withoutOpenThought(lines), draft) ?? concludeDraft(draft);
}

/** Removes terminal control from a fence line: programs print spinners around it. */
function withoutControls(line: string): string {
  if (!line.includes('\u001B')) return line;
  const shown = line.replace(CONTROLS, '').replace(/^[\s\u2800-\u28FF]+(?=`{3}|~{3})/, '');
  return /^\s{0,3}(?:`{3,}|~{3,})/.test(shown) ? shown : line;
}

// oxlint-disable-next-line no-control-regex -- it matches them to remove them
const CONTROLS = /\u001B\[[0-9;?]*[A-Za-z]/g;

/** Parses lines into the draft; returns a fault, or undefined at the end. */
function readLines(lines: string[], draft: Draft): Outcome<never, UnreadableAnswer> | undefined {
  let read = draft.edits.length;
  let from = 0; // lines before this one are consumed, so they label no block
  for (let at = findFirstText(lines, 0); at < lines.length; at = findFirstText(lines, Math.max(at + 1, from))) {
    const thought = findReasoningEnd(lines, at, !draft.said);
    if (thought === undefined) return malformedAnswer('The answer was cut off while the model was still thinking.');
    if (thought > at) from = thought;
    if (thought > at || (lines[at] ?? '').trim() === '') continue;
    draft.said = true;
    const step = readFrom(lines, at, from, draft);
    if (!step.ok) return step;
    for (const { path } of draft.edits.slice(read)) draft.paths.add(path);
    read = draft.edits.length;
    if (draft.paths.size > draft.maxFiles) return oversizedAnswer(draft.maxFiles); // the rest of a flood is not parsed
    if (step.value > at) from = step.value;
  }
  return undefined;
}

/** Parses the item at a line; returns the next line, or the same line for prose. */
function readFrom(lines: string[], at: number, from: number, draft: Draft): Outcome<number, UnreadableAnswer> {
  const line = lines[at] ?? '';
  if (isPatch(lines.slice(at, at + 2)))
    return addBarePatch(lines, at, draft.header ?? findLabelBefore(lines, at, from), draft);
  const opening = parseFence(line);
  if (opening !== undefined) return readFenced(lines, at, opening, findLabelBefore(lines, at, from), draft);
  if (isBlockStart(line)) return addBlock(lines, at, findLabelBefore(lines, at, from), draft);
  const directive = parseDirective(line);
  if (directive === undefined) return success(at);
  if (directive.kind === 'file') return success(announce(directive.text, at, draft));
  if (directive.kind === 'delete') return success(remove(directive.deletes ?? [], at + 1, draft));
  if (directive.kind === 'no-change') {
    const end = endOfProse(lines, at + 1);
    draft.reasons.push([directive.text, ...lines.slice(at + 1, end)].join('\n').trim());
    return success(end);
  }
  const isLate = draft.edits.length + draft.loose.length + draft.reasons.length > 0;
  return isLate ? addNotes([directive.text, ...lines.slice(at + 1)], draft) : success(at);
}

function remove(paths: readonly string[], next: number, draft: Draft): number {
  draft.edits.push(...paths.map((path) => ({ kind: 'delete', path }) as const));
  if (paths.includes(draft.header ?? '')) draft.header = undefined;
  return next;
}

/** Stores the path of a `FILE:` line for its block; returns the next line. */
function announce(path: string, at: number, draft: Draft): number {
  draft.headers.add(path);
  draft.header = path;
  return at + 1;
}

function readFenced(
  lines: string[],
  at: number,
  opening: FenceOpening,
  label: string | undefined,
  draft: Draft,
): Outcome<number, UnreadableAnswer> {
  const path = draft.header ?? opening.path ?? label;
  const first = findFirstText(lines, at + 1);
  const isNamedInside = parseDirective(lines[first] ?? '')?.kind === 'file';
  if (isBlockStart(lines[isNamedInside ? findFirstText(lines, first + 1) : first] ?? '')) {
    return readFencedBlocks(lines, at, opening, path, draft);
  }
  const fence = readFence(lines, at, opening, path ?? draft.target);
  if (!fence.ok) return fence;
  const { body, next } = fence.value;
  if (path !== undefined) return addFile(path, fence.value, draft) ?? success(next);
  if (isPatch(body)) return addPatch(body, undefined, draft) ?? success(next);
  if (isAnswer(body, draft.target)) return readLines([...body], draft) ?? success(next);
  draft.loose.push(fence.value);
  return success(next);
}

/** A diff without a fence ends at the first foreign line, so only its counts tell whether it is whole. */
function addBarePatch(
  lines: readonly string[],
  at: number,
  path: string | undefined,
  draft: Draft,
): Outcome<number, UnreadableAnswer> {
  const isCodex = lines[at]?.startsWith('*** Begin Patch') === true;
  const end = isCodex ? CODEX_END : FOREIGN;
  let next = at + 1;
  while (next < lines.length && !end.test(lines[next] ?? '')) next += 1;
  if (isCodex && next === lines.length)
    return malformedAnswer('The answer was cut off: `*** Begin Patch` has no `*** End Patch`.');
  const rows = lines.slice(at, next);
  if (!isCodex && readDiff(rows.join('\n')).some(({ isCut }) => isCut))
    return malformedAnswer('A hunk of the diff is shorter than its `@@` line says; give it whole, in a fence.');
  return addPatch(rows, path, draft) ?? success(isCodex ? next + 1 : next);
}

const CODEX_END = /^\*\*\* End Patch/;
const FOREIGN =
  /^(?![ +\\@-]|$|diff --git |index |(?:new|deleted) file |(?:old|new) mode |(?:dis)?similarity |rename |copy |Binary |GIT )/;

function readFencedBlocks(
  lines: string[],
  opened: number,
  opening: FenceOpening,
  path: string | undefined,
  draft: Draft,
): Outcome<number, UnreadableAnswer> {
  let label = path;
  for (let at = findFirstText(lines, opened + 1); at < lines.length; at = findFirstText(lines, at)) {
    const line = lines[at] ?? '';
    const directive = parseDirective(line);
    if (isBlockStart(line)) {
      const block = addBlock(lines, at, label, draft);
      if (!block.ok) return block;
      at = block.value;
    } else if (directive?.kind === 'file') {
      label = directive.text;
      at = announce(directive.text, at, draft);
    } else {
      const closing = parseFence(line);
      const closes = closing?.mark === opening.mark && closing.length >= opening.length && closing.language === '';
      return closes
        ? success(at + 1)
        : malformedAnswer('There is text between the search/replace blocks of a fence; leave it out.');
    }
  }
  return malformedAnswer('The answer was cut off: a fence around search/replace blocks is never closed.');
}

function addBlock(
  lines: string[],
  at: number,
  label: string | undefined,
  draft: Draft,
): Outcome<number, UnreadableAnswer> {
  const path = draft.header ?? label ?? draft.current ?? draft.target;
  if (path === undefined)
    return malformedAnswer('A search/replace block has no path; put `FILE: path` on the line before it.');
  const read = readBlock(lines, at, path);
  if (!read.ok) return read;
  draft.edits.push({ kind: 'replace', path, blocks: [read.value.block] });
  draft.current = path;
  draft.header = undefined;
  return success(read.value.next);
}

/** Everything after `NOTES:` is notes; a file announced there is refused rather than lost. */
function addNotes(lines: readonly string[], draft: Draft): Outcome<number, UnreadableAnswer> {
  for (const [at, line] of lines.entries()) {
    const directive = parseDirective(line);
    const next = lines[at + 1] ?? '';
    const isFile = directive?.kind === 'file' && (parseFence(next) !== undefined || isBlockStart(next));
    if (isFile || isPatch([line, next])) {
      return malformedAnswer(`${directive?.text ?? 'A diff'} comes after NOTES; give every file before the notes.`);
    }
  }
  draft.notes = lines.join('\n').trim();
  return success(Number.MAX_SAFE_INTEGER);
}

function endOfProse(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isProse(lines[at] ?? '')) at += 1;
  return at;
}

const isProse = (line: string): boolean =>
  parseFence(line) === undefined && !isBlockStart(line) && !isPatch([line]) && parseDirective(line) === undefined;

/** The characters of a long answer that are parsed first. */
const FIRST_LOOK = 256 * 1024;

/**
 * The start of a long answer in whole lines; undefined where later text may turn it into a thought. A limit that it
 * exceeds, the answer exceeds too.
 */
function takePrefix(text: string): string | undefined {
  const end = text.length > 2 * FIRST_LOOK ? text.lastIndexOf('\n', FIRST_LOOK) : -1;
  if (end < 1 || text.includes('</think>', end) || /^\s*Thinking\.\.\./.test(text.slice(0, end))) return undefined;
  return text.slice(0, end);
}

/** The line after a thought that opens at `at`; `at` if none opens, undefined if it never ends. */
function findReasoningEnd(lines: string[], at: number, isFirst: boolean): number | undefined {
  const start = (lines[at] ?? '').trimStart();
  const tag = /^<(think|thinking|thought|reasoning)>/i.exec(start)?.[1];
  if (tag === undefined && !(isFirst && start.startsWith('Thinking...'))) return at;
  const closing = tag === undefined ? '...done thinking.' : `</${tag.toLowerCase()}>`;
  for (let line = at; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    const end = text.toLowerCase().lastIndexOf(closing);
    if (end === -1) continue;
    lines[line] = text.slice(end + closing.length); // the rest of the line belongs to the answer
    return lines[line] === '' ? line + 1 : line;
  }
  return tag === undefined ? at : undefined;
}

/** Some templates open the thought themselves, so that the answer contains only its end. */
function withoutOpenThought(lines: string[]): string[] {
  const end = lines.findIndex((line) => /<\/?think>/.test(line));
  return lines[end]?.trim() === '</think>' ? lines.slice(end + 1) : lines;
}

interface Draft {
  readonly target: string | undefined;
  readonly maxFiles: number;
  readonly paths: Set<string>;
  readonly edits: Edit[];
  readonly loose: Fence[];
  readonly headers: Set<string>;
  readonly reasons: string[];
  notes: string;
  /** Whether there was any content except thoughts and blank lines. */
  said: boolean;
  /** The path of a `FILE:` line that still waits for its block. */
  header?: string | undefined;
  /** The last path, for further search/replace blocks. */
  current?: string | undefined;
}

/** Adds a whole file to the draft; returns a fault for an invalid block. */
function addFile(path: string, block: Fence, draft: Draft): Outcome<never, UnreadableAnswer> | undefined {
  const isDiff = /^(?:diff|patch)$/.test(block.opening.language) || isPatch(block.body);
  if (isDiff && !/\.(?:diff|patch)$/i.test(path)) return addPatch(block.body, path, draft);
  draft.edits.push({ kind: 'write', path, content: joinBlock(block.body) });
  draft.current = path;
  draft.header = undefined;
  return undefined;
}

/** Adds a diff to the draft; `path` is the file announced for it. Hunks without any path are for the target. */
function addPatch(
  rows: readonly string[],
  path: string | undefined,
  draft: Draft,
): Outcome<never, UnreadableAnswer> | undefined {
  const read = readPatch(rows, path ?? draft.target);
  if (!read.ok) return read;
  if (path !== undefined && read.value.every((edit) => edit.path !== path))
    return malformedAnswer(
      `The diff after \`FILE: ${path}\` is one of ${read.value[0]?.path ?? ''}; name the same file.`,
    );
  draft.edits.push(...read.value);
  draft.current = path;
  draft.header = undefined;
  return undefined;
}

/** The result of a complete draft: a change, the reason for none, or a fault. */
function concludeDraft(draft: Draft): Outcome<ImplementerAnswer, UnreadableAnswer> {
  const { edits, reasons, target } = draft;
  const loose = draft.loose.filter((block) => !isTranscript(block, target));
  const [only] = loose;
  if (!draft.said) return failure({ kind: 'empty', detail: 'The answer is empty.' });
  if (reasons.length > 0) {
    if (edits.length + loose.length > 0)
      return malformedAnswer('The answer says NO CHANGE and gives files; do one of the two.');
    const reason = reasons.join('\n').trim();
    return reason === ''
      ? malformedAnswer('NO CHANGE needs a reason after it.')
      : success({ kind: 'no-change', reason });
  }
  if (only !== undefined) {
    const isTarget = loose.length === 1 && edits.every(({ kind }) => kind === 'delete');
    if (!isTarget || target === undefined)
      return malformedAnswer('A fenced block has no path; put `FILE: path` before it.');
    const fault = addFile(target, only, draft);
    if (fault !== undefined) return fault;
  }
  if (edits.length === 0) return malformedAnswer('The answer holds no file; put `FILE: path` before each fenced file.');
  return joined(draft);
}

/** Merges edits by path: repeats count once, contradictions are refused. */
function joined({ edits, headers, notes }: Draft): Outcome<ImplementerAnswer, UnreadableAnswer> {
  const byPath = Map.groupBy(edits, ({ path }) => path);
  const unfilled = [...headers].find((path) => !byPath.has(path));
  if (unfilled !== undefined) return malformedAnswer(`There is no fenced block after \`FILE: ${unfilled}\`.`);
  const whole: Edit[] = [];
  for (const [path, same] of byPath) {
    const [first] = same;
    const blocks = same.flatMap((edit) => (edit.kind === 'replace' ? edit.blocks : []));
    // Single omitted parts are found later, where the lines of the old file are known.
    if (same.some((edit) => edit.kind === 'write' && isPlaceholderFile(path, edit.content))) return elidedAnswer(path);
    if (first?.kind === 'replace' && same.every(({ kind }) => kind === 'replace')) whole.push({ ...first, blocks });
    else if (first !== undefined && same.every((edit) => isSame(edit, first))) whole.push(first);
    else return malformedAnswer(`The answer gives ${path} twice, each time otherwise; give every file once.`);
  }
  return success({ kind: 'change', edits: whole, notes });
}

const isSame = (one: Edit, other: Edit): boolean =>
  one.kind === other.kind && (one.kind !== 'write' || other.kind !== 'write' || one.content === other.content);
