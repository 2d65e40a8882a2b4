import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { RuleFault, Rulebook } from '../../rule-model/rule.ts';
import { ruleFormatOf } from '../../rules/load/parse-rule-file.ts';
import { readRulebook } from '../../rules/load/read-rulebook.ts';
import type { RuleFileText } from '../../compat/dialect.ts';
import { createUsageError } from '../../base/problem.ts';
import { isInside } from '../../wiring/is-inside.ts';
import { readRuleFile } from '../../wiring/rule-files.ts';
import { PACKS, readProjectRulebook } from './rulebook.ts';

/** Lints the rules of a project, or single files as if they were its rules: every fault and every note. */
export async function lintRules(root: string, cwd: string, names: readonly string[]): Promise<Rulebook> {
  return names.length === 0 ? readProjectRulebook(root) : readSingleFiles(root, cwd, names);
}

async function readSingleFiles(root: string, cwd: string, names: readonly string[]): Promise<Rulebook> {
  const files: RuleFileText[] = [];
  const faults: RuleFault[] = [];
  for (const name of names) {
    const file = resolve(cwd, name);
    if (!existsSync(file)) throw createUsageError(`There is no file ${name}.`, 'Name an existing file.');
    if (ruleFormatOf(name) === undefined)
      throw createUsageError(`${name} is no file of rules`, 'rules are written in .yaml, .json, .md, .mdc or .toml');
    const read = readRuleFile(dirname(file), basename(file));
    const shown = isInside(file, root) ? relative(root, file) : name;
    if ('text' in read) files.push({ name: shown, text: read.text });
    else faults.push({ ...read, source: { name: shown } });
  }
  const book = await readRulebook(files, { packs: PACKS });
  return { ...book, faults: [...faults, ...book.faults] };
}
