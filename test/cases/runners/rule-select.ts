import type { InspectionContext, Subject } from '../../../src/rules/model/inspection.ts';
import type { Phase } from '../../../src/rules/model/rule-words.ts';
import { putTogether, readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { selectRules } from '../../../src/rules/select-rules.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { onlyKnown } from './messages-of-rows.ts';
import { ruleFrom } from './rules-of-rows.ts';

/** Rules and a task, a file of rules, or rules that are inherited: what of them applies. */
export const ruleSelect: Runner = async ({ input, fixtures }) => {
  if (typeof input['file'] === 'string') return onlyWith(['file'], fileSaid(input['file']));
  if (typeof input['path'] === 'string') return onlyWith(['path'], pathSaid(input['path']));
  if (Array.isArray(input['extends'])) {
    const named = input['extends'].filter((one) => typeof one === 'string');
    if (named.length > 0) return onlyWith(['extends'], packsSaid(named));
    return onlyWith(['extends', 'local'], inherited(listOf(input['extends']), listOf(input['local'])));
  }
  return onlyWith(SELECTED, selected(input, fixtures));

  function onlyWith<Said>(known: readonly string[], said: Said): Said {
    onlyKnown(input, known);
    return said;
  }
};

const SELECTED = ['rules', 'task', 'project', 'files', 'phase', 'agent_type', 'scopes', 'profile', 'added_lines'];

function selected(input: Facts, fixtures: Facts): Facts {
  const known = (fixtures['rules'] ?? {}) as Readonly<Record<string, Facts | undefined>>;
  const named = listOf(input['rules']).map((one) => {
    const value = typeof one === 'string' ? known[one] : one;
    if (!isFacts(value)) throw new Error(`there is no rule ${JSON.stringify(one)} in fixtures.json`);
    return { name: typeof one === 'string' ? one : String(value['id']), rule: ruleFrom(value) };
  });
  const project = isFacts(input['project']) ? input['project'] : {};
  onlyKnown(project, ['stack', 'scope']);
  const added = input['added_lines'] === undefined ? [] : [input['added_lines']].flat().map(String);
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
    { files: listOf(input['files'] ?? (added.length > 0 ? ['row.ts'] : [])).map((path) => aFile(String(path), added)) },
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

/** Line ends may be written as escapes, in a row that stands in one line. */
async function fileSaid(written: string): Promise<Facts> {
  const text = written.includes('\n') ? written : written.replaceAll('\\r', '\r').replaceAll('\\n', '\n');
  const { faults, rules } = await readRulebook([{ name: '.rulebound/rules/rule.md', text }]);
  const first = rules[0]?.rule;
  return {
    error: faults.length > 0,
    ids: rules.map(({ rule }) => rule.id),
    title: first?.title,
    modality: first?.modality.toLowerCase(),
    tags: first?.tags,
  };
}

/** What is said of packs that a file extends. */
async function packsSaid(named: readonly string[]): Promise<Facts> {
  const { faults, notes } = await readRulebook([], { extends: named });
  return { warning: faults.length + notes.length > 0 };
}

async function pathSaid(path: string): Promise<Facts> {
  const text = '---\ntitle: A rule\nseverity: warning\n---\nKeep it simple.\n';
  const { rules } = await readRulebook([{ name: `.rulebound/rules/${path}`, text }]);
  return { category: rules[0]?.rule.category, id: rules[0]?.rule.id };
}

const aFile = (path: string, added: readonly string[]): Subject['files'][number] => ({
  path,
  change: 'added',
  binary: false,
  content: added.join('\n'),
  added: added.map((text, at) => ({ line: at + 1, text })),
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
