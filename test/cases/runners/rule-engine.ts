import type { InspectionContext, Subject } from '../../../src/rule-model/inspection.ts';
import type { RuleFault } from '../../../src/rule-model/rule.ts';
import type { Phase, Priority } from '../../../src/rule-model/rule-words.ts';
import { checkRule } from '../../../src/rules/check-rule.ts';
import { effectiveHandling, foldHooks } from '../../../src/rules/escalation.ts';
import { LADDER, mayAct, rungOf } from '../../../src/rules/enforce/ladder.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { writeYaml } from '../../../src/rules/load/rule-yaml.ts';
import { mergeMatches } from '../../../src/rules/merge.ts';
import { quickFix } from '../../../src/rules/quick-fix.ts';
import type { QuickFixType } from '../../../src/rules/quick-fix.ts';
import { selectRules } from '../../../src/rules/select.ts';
import { isFacts } from '../run-cases.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { overridden, reviewed } from './rule-engine-human.ts';
import { askedOverMcp, toldOverMcp } from './rule-engine-mcp.ts';
import { ruleFrom } from './rules-of-rows.ts';

/** Rules as they are loaded, matched, put off, ignored and mended. */
export const ruleEngine: Runner = async ({ input }) => {
  if (input['action'] === 'override') return overridden(input);
  if ('review' in input) return reviewed(input);
  if (typeof input['action'] === 'string') return askedOverMcp(input);
  if ('violation' in input) return toldOverMcp(input);
  if (typeof input['yaml'] === 'string') return loaded(input['yaml']);
  if (typeof input['severity'] === 'string') return onLadder(input);
  if (typeof input['pattern'] === 'string') return matched(input);
  if ('file_patterns' in input || 'context_filter' in input) return applies(input);
  if (typeof input['phase'] === 'string' && typeof input['priority'] === 'string')
    return { allowed: mayAct(input['priority'] as Priority, input['phase'] as Phase) };
  if (typeof input['ignored'] === 'number') return ignored(input['ignored'], input);
  return fixed(input);
};

async function loaded(yaml: string): Promise<Facts> {
  const { rules, faults } = await readRulebook([{ name: '.andon/rules/row.yaml', text: yaml }]);
  const first = rules[0]?.rule;
  if (first === undefined || faults.length > 0) return loadError(faults);
  return {
    ids: rules.map(({ rule }) => rule.id),
    priority: first.priority,
    matches_any_text: await violates(first, 'any text\nat all', 'a.txt'),
  };
}

function loadError([fault]: readonly RuleFault[]): Facts {
  if (fault === undefined) return {};
  const key = fault.path
    .split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '');
  return {
    load_error: fault.message.startsWith('not valid YAML') ? 'yaml' : key,
    reason: fault.message,
    hint: fault.remedy.split(':')[0],
  };
}

/** The rule that has just these keys, and something to look for. */
async function onLadder(written: Facts): Promise<Facts> {
  const { rules, faults } = await readRulebook([
    { name: '.andon/rules/row.yaml', text: writeYaml({ rule: { id: 'ROW', match: { pattern: 'x' }, ...written } }) },
  ]);
  const rule = rules[0]?.rule;
  if (rule === undefined) return loadError(faults);
  const rung = rungOf(rule.priority, LADDER);
  return {
    accepted_as: rule.severity,
    priority: rule.priority,
    action: rule.handler,
    notify_human: rung.notifyHuman,
    rollback: rung.rollback,
    iteration_penalty: rung.iterationPenalty,
  };
}

async function matched({ pattern, text, file }: Facts): Promise<Facts> {
  const { rules, faults } = await readRulebook([
    { name: '.andon/rules/row.yaml', text: writeYaml({ rule: { id: 'ROW', severity: 'HIGH', match: { pattern } } }) },
  ]);
  const rule = rules[0]?.rule;
  if (rule === undefined || faults.length > 0) return loadError(faults);
  return {
    violated: await violates(rule, typeof text === 'string' ? text : '', typeof file === 'string' ? file : 'a.txt'),
  };
}

async function violates(rule: Parameters<typeof checkRule>[0], text: string, path: string): Promise<boolean> {
  const added = text.split('\n').map((line, at) => ({ line: at + 1, text: line }));
  const subject: Subject = {
    plan: text,
    response: text,
    report: text,
    files: [{ path, change: 'added', binary: false, content: text, added }],
  };
  const matches = await checkRule(rule, subject, { context: NOW });
  return matches.length > 0 && mergeMatches(matches).status === 'VIOLATED';
}

const NOW: InspectionContext = { now: '2026-01-01T00:00:00.000Z' };

function applies({ file_patterns, context_filter, file, context }: Facts): Facts {
  const rule = ruleFrom({
    match: {
      pattern: 'x',
      ...(file_patterns === undefined ? {} : { file_patterns }),
      ...(context_filter === undefined ? {} : { context_filter }),
    },
  });
  const files =
    typeof file === 'string'
      ? [{ path: file, change: 'added' as const, binary: false, content: 'x', added: [{ line: 1, text: 'x' }] }]
      : [];
  const said = isFacts(context) ? context : {};
  const { agent_type: agentType, task_status: taskStatus } = said as Readonly<Record<string, string | undefined>>;
  const now = {
    ...NOW,
    ...(agentType === undefined ? {} : { agentType }),
    ...(taskStatus === undefined ? {} : { taskStatus }),
  };
  return { applies: selectRules([rule], { files }, now).kept.length > 0 };
}

function ignored(times: number, { then, phase, quality, soft_hooks, metadata, threshold, upgrade_to }: Facts): Facts {
  const config = {
    ...(threshold === undefined ? {} : { threshold }),
    ...(upgrade_to === undefined ? {} : { upgrade_to }),
  };
  const hooks = { interceptors: [{ type: 'referrer', config }], ...(isFacts(soft_hooks) ? soft_hooks : {}) };
  const rule = ruleFrom({ severity: 'LOW', soft_hooks: hooks, ...(isFacts(metadata) ? { metadata } : {}) });
  const here = {
    ...(typeof phase === 'string' ? { phase: phase as Phase } : {}),
    ...(quality === 'high' ? { quality: 'high' as const } : {}),
  };
  const events = [
    { rule: rule.id, action: 'RAISED' as const },
    ...Array.from({ length: times }, () => ({ rule: rule.id, action: 'IGNORED' as const })),
    ...(then === 'comply' ? [{ rule: rule.id, action: 'COMPLIED' as const }] : []),
  ];
  const hook = foldHooks(events).get(rule.id);
  return { ...effectiveHandling(rule, here, hook?.ignored ?? 0), hook_removed: hook === undefined };
}

function fixed(input: Facts): Facts {
  const { type, places, fixes_in_stage, fixes_in_task, fixes_in_file, modules } = input as Readonly<
    Record<string, number | undefined>
  >;
  const answer = quickFix({
    type: type as QuickFixType | undefined,
    places,
    modules,
    fixesInStage: fixes_in_stage,
    fixesInTask: fixes_in_task,
    fixesInFile: fixes_in_file,
    addsLogicBranch: input['adds_logic_branch'] === true,
    changesInterface: input['changes_interface'] === true || input['changes_signature'] === true,
    addsDependency: input['adds_dependency'] === true,
    isBeyondTask: input['beyond_task'] === true,
  });
  return { eligible: answer.eligible, iteration_delta: answer.iterationDelta, why: answer.why };
}
