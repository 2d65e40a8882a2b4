import { basename, dirname, resolve } from 'node:path';
import type { Rulebook } from '../../model/rule.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { readRuleFile } from '../rule-files.ts';
import { writeNew } from './new-rule.ts';
import { lintRules } from './rulebook.ts';

/**
 * Copies a sound file of rules into `.andon/rules/`, never over another one. A file of another tool keeps its format,
 * and is converted whenever it is read. `written` is undefined for a file with faults or without rules.
 */
export async function importRules(
  place: Pick<Workspace, 'facts' | 'settings'>,
  cwd: string,
  name: string,
): Promise<{ readonly book: Rulebook; readonly written: string | undefined }> {
  const book = await lintRules(place, cwd, [name]);
  const file = resolve(cwd, name);
  const read = readRuleFile(dirname(file), basename(file));
  if (book.faults.length > 0 || book.rules.length === 0 || !('text' in read)) return { book, written: undefined };
  const written = `.andon/rules/${basename(file)}`;
  writeNew(place.facts.root, written, read.text, 'remove or rename it first');
  return { book, written };
}
