import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { RULE_FORMATS, ruleFormatOf } from '../../rules/load/parse-rule-file.ts';
import { readRulebook, type ReadRulebook } from '../../rules/load/read-rulebook.ts';
import { writeRules } from '../../rules/load/write-rules.ts';
import { createUsageError } from '../../base/problem.ts';
import { isInside } from '../../wiring/is-inside.ts';
import { readRuleFile } from '../../wiring/rule-files.ts';
import { PACKS } from './rulebook.ts';
import { writeNew } from './new-rule.ts';

/** Rules of another tool, in the form of this one. */
export interface Import {
  readonly book: ReadRulebook;
  /** The rules as a file of andon's own; only those without faults. */
  readonly text: string;
  /** The written file; undefined in a dry run. */
  readonly written: string | undefined;
}

/** Converts a file of any known dialect and writes its rules below `.andon/rules/`; nothing is ever overwritten. */
export async function importRules(
  root: string,
  cwd: string,
  file: string,
  { as, only }: { readonly as: string | undefined; readonly only: boolean },
): Promise<Import> {
  const from = resolve(cwd, file);
  if (!existsSync(from)) throw createUsageError(`There is no file ${file}.`, 'Name an existing file.');
  const format = formatOf(file, as);
  const read = readRuleFile(dirname(from), basename(from));
  if (!('text' in read)) throw createUsageError(`${file}: ${read.message}`, read.remedy);
  const name = isInside(from, root) ? relative(root, from) : basename(from);
  const book = await readRulebook([{ name, text: read.text }], { packs: PACKS, format });
  const text = writeRules(book.rules.map(({ rule }) => rule));
  if (only || book.rules.length === 0) return { book, text, written: undefined };
  const target = `.andon/rules/imported-${
    basename(from)
      .replace(/(?<=.)\.[A-Za-z]+$/, '')
      .replace(/^\./, '')
      .replace(/[^A-Za-z0-9_.-]+/g, '-')
      .toLowerCase() || 'rules'
  }.yaml`;
  const page = `# Imported by andon from ${name.replaceAll(/\s+/g, ' ')}.\n${text}`;
  writeNew(root, target, page, 'remove or rename it first, or look only: --print');
  return { book, text, written: target };
}

function formatOf(file: string, as: string | undefined): string {
  const format = as ?? ruleFormatOf(file) ?? (PROSE_ONCE.test(basename(file)) ? 'prose' : undefined);
  if (format === undefined)
    throw createUsageError(`unknown format: ${file}`, `name it: --as ${RULE_FORMATS.join('|')}`);
  return format;
}

/** Prose files of other tools, in addition to those by extension; never read as the project's rules. */
const PROSE_ONCE = /^\.(?:cursorrules|windsurfrules|clinerules)$/;
