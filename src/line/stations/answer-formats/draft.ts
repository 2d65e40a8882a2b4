import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { malformedAnswer, elidedAnswer, type ImplementerAnswer, type Edit, type UnreadableAnswer } from './answer.ts';
import { readPatch } from './read-patch.ts';
import { joinBlock, isPatch, isPlaceholderFile, isTranscript, type Fence } from './whole-file.ts';

export interface Draft {
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
export function addFile(path: string, block: Fence, draft: Draft): Outcome<never, UnreadableAnswer> | undefined {
  const isDiff = /^(?:diff|patch)$/.test(block.opening.language) || isPatch(block.body);
  if (isDiff && !/\.(?:diff|patch)$/i.test(path)) return addPatch(block.body, path, draft);
  draft.edits.push({ kind: 'write', path, content: joinBlock(block.body) });
  draft.current = path;
  draft.header = undefined;
  return undefined;
}

/** Adds a diff to the draft; `path` is the file announced for it. Hunks without any path are for the target. */
export function addPatch(
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
export function concludeDraft(draft: Draft): Outcome<ImplementerAnswer, UnreadableAnswer> {
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
