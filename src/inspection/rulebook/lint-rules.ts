import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { EnforcementSettings } from '../../config/enforcement-settings.ts';
import type { PipelineSettings } from '../../config/pipeline-settings.ts';
import { isJudged } from '../../rules/lanes/judge.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { RuleFault, Rulebook } from '../../rule-model/rule.ts';
import { ruleFormatOf } from '../../rules/load/parse-rule-file.ts';
import { readRulebook } from '../../rules/load/read-rulebook.ts';
import type { RuleFileText } from '../../compat/dialect.ts';
import { createUsageError } from '../../base/problem.ts';
import { isInside } from '../../wiring/is-inside.ts';
import { readRuleFile } from '../../wiring/rule-files.ts';
import { PACKS, readProjectRulebook } from './rulebook.ts';

/** Lints the rules of a project, or single files as if they were its rules: every fault and every note. */
export async function lintRules(
  { facts: { root }, settings }: Pick<Workspace, 'facts' | 'settings'>,
  cwd: string,
  names: readonly string[],
): Promise<Rulebook> {
  const book = names.length === 0 ? await readProjectRulebook(root) : await readSingleFiles(root, cwd, names);
  return { ...book, notes: [...book.notes, ...listIdleRules(book, settings.enforcement, settings.pipeline)] };
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

/** What rules ask for and the configuration of the project switches off, a sentence each. */
function listIdleRules(
  { rules }: Pick<Rulebook, 'rules'>,
  { quality }: Pick<EnforcementSettings, 'quality'>,
  { enabled, deterministicEnabled, llmJudgeEnabled }: PipelineSettings,
): Rulebook['notes'] {
  const told = (why: string, isMeant: (rule: Rulebook['rules'][number]['rule']) => boolean): Rulebook['notes'] =>
    rules.filter(({ rule }) => isMeant(rule)).map(({ rule, source }) => ({ source, message: `${rule.id}: ${why}` }));
  return [
    ...(quality === 'high'
      ? []
      : told(
          'metadata.priority_boost acts only with `enforcement: { quality: high }`, which the project does not say',
          (rule) => rule.handler === 'SOFT_HOOK' && rule.metadata['priority_boost'] === true,
        )),
    ...(enabled && deterministicEnabled
      ? []
      : told(
          `its expression is not evaluated: pipeline.enforcement.${enabled ? 'deterministic_enabled' : 'enabled'} is false`,
          (rule) => rule.enforcement_expression !== undefined,
        )),
    ...(enabled && llmJudgeEnabled
      ? []
      : told(
          `no judge checks it: pipeline.enforcement.${enabled ? 'llm_judge_enabled' : 'enabled'} is false`,
          isJudged,
        )),
  ];
}
