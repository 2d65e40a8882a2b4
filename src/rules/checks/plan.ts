import { createMatch, isDoubt, type RuleMatch, type Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';
import type { Check, CheckTools } from './check.ts';
import { matchKeywords } from '../matchers/keyword.ts';
import { matchSemantics } from '../matchers/semantic.ts';
import { listTexts, parseJson } from '../../base/json-object.ts';
import { LONGEST_TEXT } from '../text/units.ts';
import { settingFault } from './settings.ts';

/** Whether the prose of a plan or contract keeps a rule that is written in prose. */
export const PLAN: Check = { type: 'plan', keys: ['layers', 'on'], lint, run };

/** Whether a rule is checked by `PLAN` although it names no check: it holds prose and nothing else that could be run. */
export function impliesPlan(rule: Rule): boolean {
  const others =
    rule.checks.length > 0 || rule.match?.pattern !== undefined || rule.enforcement_expression !== undefined;
  return !others && `${rule.content ?? ''}${rule.action_text ?? ''}`.trim() !== '';
}

const PLAN_LAYERS = ['keyword', 'semantic', 'llm'] as const;
type PlanLayer = (typeof PLAN_LAYERS)[number];
export const PLAN_PROSE = ['plan', 'contract', 'response', 'report'] as const;
type Prose = (typeof PLAN_PROSE)[number];

/** `layers` and `on` are lists of known words; both may be left out. */
function lint(check: RuleCheck): readonly RuleRemark[] {
  return [...wrongWords(check, 'layers', PLAN_LAYERS), ...wrongWords(check, 'on', PLAN_PROSE)];
}

function wrongWords(check: RuleCheck, key: string, known: readonly string[]) {
  const value = check[key];
  if (value === undefined) return [];
  const listed = typeof value === 'string' ? [value] : value;
  if (Array.isArray(listed) && listed.length > 0 && listed.every((word) => known.includes(word as string))) return [];
  return settingFault(key, `${key} must be a list of: ${known.join(', ')}`);
}

async function run(check: RuleCheck, rule: Rule, subject: Subject, tools: CheckTools): Promise<readonly RuleMatch[]> {
  const text = proseOf(subject, chosen(check['on'], PLAN_PROSE) ?? ['plan', 'contract']);
  if (text === undefined) return [];
  if (text.length > LONGEST_TEXT) return [createTooLong(text)];
  const layers = chosen(check['layers'], PLAN_LAYERS) ?? PLAN_LAYERS;
  const matches: RuleMatch[] = [];
  if (layers.includes('keyword')) matches.push(matchKeywords(rule, text));
  if (layers.includes('semantic')) matches.push(matchSemantics(rule, text));
  const isDecided = tools.asksOnlyDoubts === true && matches.length > 0 && !matches.some(isDoubt);
  if (layers.includes('llm') && tools.ask !== undefined && !isDecided) matches.push(await tools.ask(rule, text));
  return matches;
}

/** Half a plan is not checked: it would hide the violations of the other half. */
const createTooLong = ({ length }: string): RuleMatch =>
  createMatch('keyword', 'ERROR', 1, `the text has ${length} characters, more than the ${LONGEST_TEXT} that are read`);

function chosen<Word extends PlanLayer | Prose>(value: unknown, known: readonly Word[]): readonly Word[] | undefined {
  const listed = typeof value === 'string' ? [value] : value;
  return Array.isArray(listed) ? known.filter((word) => listed.includes(word)) : undefined;
}

/** The prose to look at; of a contract written as JSON, its sentences alone. */
function proseOf(subject: Subject, kinds: readonly Prose[]): string | undefined {
  const texts = kinds.flatMap((kind) => subject[kind] ?? []).map(sentencesOf);
  return texts.length === 0 ? undefined : texts.join('\n');
}

function sentencesOf(text: string): string {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  return value === undefined ? text : listTexts(value).filter(isProse).join('\n');
}

/** Names, paths, dates and hashes say nothing about a plan: they are one word. */
const isProse = (text: string): boolean => /\S\s+\S|[\u3040-\u9fff\uac00-\ud7af]{4}/u.test(text);
