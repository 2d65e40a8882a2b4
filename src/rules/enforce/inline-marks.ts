import type { Subject, SubjectFile } from '../../rule-model/inspection.ts';

/** A comment `andon-allow <rule-id>: <reason>` in a file. */
export interface InlineMark {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  /** Empty when none was written; such a mark does not count. */
  readonly reason: string;
  /** The lines that it covers: its own, or the next one if its own holds only a comment. */
  readonly covers: number;
  /** Whether it or its lines were checked: only then can it be called unused. */
  readonly isNew: boolean;
  /** Whether the checked change wrote it. */
  readonly isOwn: boolean;
}

/** Every mark in the files of a subject; where only a patch is known, those in its new lines. */
export function findInlineMarks({ files }: Subject): readonly InlineMark[] {
  return files.flatMap((file) => {
    const lines = linesWithMarks(file);
    const added = new Set(lines.length === 0 || file.change === 'whole' ? [] : file.added.map(({ line }) => line));
    return lines.flatMap(({ line, text }) => marksIn(file, added, line, text));
  });
}

const MARK = 'andon-allow';
/** More of a line than this is not read: a mark with its reason is shorter. */
const MOST_CHARACTERS = 1000;

function linesWithMarks({ content, added }: SubjectFile): readonly { readonly line: number; readonly text: string }[] {
  if (content === undefined) return added.filter(({ text }) => text.includes(MARK));
  if (!content.includes(MARK)) return [];
  return content.split('\n').flatMap((text, at) => (text.includes(MARK) ? [{ line: at + 1, text }] : []));
}

/** One mark may name several rules: `andon-allow A, B: reason`. */
function marksIn(file: SubjectFile, added: ReadonlySet<number>, line: number, text: string): InlineMark[] {
  const at = text.indexOf(MARK);
  const after = text.slice(at + MARK.length, at + MARK.length + MOST_CHARACTERS);
  const found = /^[ \t]+([A-Za-z*][\w.*-]*(?:[ \t]*,[ \t]*[A-Za-z*][\w.*-]*)*)[ \t]*(?::(.*))?/.exec(after);
  if (found === null) return [];
  const isAlone = !/[\p{L}\p{N}]/u.test(text.slice(Math.max(0, at - MOST_CHARACTERS), at));
  const covers = isAlone ? line + 1 : line;
  const isOwn = added.has(line);
  const isNew = file.change === 'whole' || isOwn || added.has(covers);
  const reason = (found[2] ?? '').replace(/(?:\*\/|-->|#}|%>)\s*$/, '').trim();
  return (found[1] ?? '')
    .split(',')
    .map((rule) => ({ rule: rule.trim(), file: file.path, line, reason, covers, isNew, isOwn }));
}
