import { failure, success, type Outcome } from '../base/outcome.ts';
import { toTerminalLine } from '../base/plain-text.ts';
import type { SubjectFile } from '../rule-model/inspection.ts';
import { readUnifiedDiff } from '../rules/text/unified-diff.ts';

/** Parses the files of a diff from outside; returns the reason if it is invalid or names a path outside the repository. */
export function readOutsideDiff(text: string): Outcome<readonly SubjectFile[], string> {
  const read = readUnifiedDiff(text);
  if (!read.ok) return read;
  const out = read.value.flatMap(({ path, from = path }) => [path, from]).find((path) => LEAVES.test(path));
  if (out === undefined) return success(read.value);
  const line = text.split('\n').findIndex((one) => one.includes(out)) + 1;
  const where = line === 0 ? '' : `line ${line} `;
  return failure(`${where}names ${toTerminalLine(out, 120)}, which leads out of the repository`);
}

/** Absolute, or by way of a folder above; git writes no such path. */
const LEAVES = /^(?:[/\\]|[A-Za-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/;
