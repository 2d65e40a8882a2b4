import type { InspectionContext, Subject } from '../../../src/rule-model/inspection.ts';
import type { Phase } from '../../../src/rule-model/rule-words.ts';
import { putTogether } from '../../../src/rules/load/inherit.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { selectRules } from '../../../src/rules/select.ts';
import { isFacts } from '../run-cases.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { ruleFrom } from './rules-of-rows.ts';

/** Rules and a task, a file of rules, or rules that are inherited: what of them applies. */
export const ruleSelect: Runner = async ({ input, fixtures }) => {
  if (typeof input['file'] === 'string') return fileSaid(input['file']);
  if (typeof input['path'] === 'string') return pathSaid(input['path']);
  if (Array.isArray(input['extends'])) return inherited(listOf(input['extends']), listOf(input['local']));
  return selected(input, fixtures);
};

function selected(input: Facts, fixtures: Facts): Facts {
  const known = (fixtures['rules'] ?? {}) as Readonly<Record<string, Facts | undefined>>;
  const named = listOf(input['rules']).map((one) => {
    const value = typeof one === 'string' ? known[one] : one;
    if (!isFacts(value)) throw new Error(`there is no rule ${JSON.stringify(one)} in fixtures.json`);
    return { name: typeof one === 'string' ? one : String(value['id']), rule: ruleFrom(value) };
  });
  const project = isFacts(input['project']) ? input['project'] : {};
  const context: InspectionContext = {
    now: '2026-01-01T00:00:00.000Z',
    ...(typeof input['task'] === 'string' ? { task: input['task'] } : {}),
    ...(Array.isArray(project['stack']) ? { stack: project['stack'] as string[] } : {}),
    ...(typeof input['phase'] === 'string' ? { phase: input['phase'] as Phase } : {}),
    ...(typeof input['agent_type'] === 'string' ? { agentType: input['agent_type'] } : {}),
    ...(Array.isArray(input['scopes']) ? { scopes: input['scopes'] as string[] } : {}),
    ...(Array.isArray(input['profile']) ? { profileRules: input['profile'] as string[] } : {}),
  };
  const { kept, left } = selectRules(
    named.map(({ rule }) => rule),
    { files: listOf(input['files']).map((path) => aFile(String(path))) },
    context,
  );
  const namesOf = (rules: readonly object[]): string[] =>
    named.filter(({ rule }) => rules.includes(rule)).map(({ name }) => name);
  return { kept: namesOf(kept), left: namesOf(left.map(({ rule }) => rule)) };
}

function inherited(base: readonly unknown[], local: readonly unknown[]): Facts {
  const placed = (values: readonly unknown[], name: string) =>
    values.map((value) => ({ rule: ruleFrom(value as Facts), source: { name } }));
  const { rules } = putTogether(placed(base, 'base'), placed(local, 'local'));
  return Object.fromEntries(rules.map(({ rule }) => [`title_of_${rule.id}`, rule.title]));
}

async function fileSaid(text: string): Promise<Facts> {
  const { faults, rules } = await readRulebook([{ name: '.rulebound/rules/rule.md', text }]);
  return { error: faults.length > 0, ids: rules.map(({ rule }) => rule.id) };
}

async function pathSaid(path: string): Promise<Facts> {
  const text = '---\ntitle: A rule\nseverity: warning\n---\nKeep it simple.\n';
  const { rules } = await readRulebook([{ name: `.rulebound/rules/${path}`, text }]);
  return { category: rules[0]?.rule.category, id: rules[0]?.rule.id };
}

const aFile = (path: string): Subject['files'][number] => ({
  path,
  change: 'added',
  binary: false,
  content: '',
  added: [],
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
