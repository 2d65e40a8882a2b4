import { Problem } from '../../../src/base/problem.ts';
import { parsePhase } from '../../../src/rules/files/context-subject.ts';
import type { InspectionContext, Subject } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { checkRule, mergeMatches } from '../../../src/rules/run-rules.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { writeYaml } from '../../../src/base/strict-yaml.ts';
import { selectRules } from '../../../src/rules/select-rules.ts';
import { isFacts, type Facts } from '../run-cases.ts';
import { loadError } from './rule-engine-load.ts';
import { ruleFrom } from './rules-of-rows.ts';

const NOW: InspectionContext = { now: '2026-01-01T00:00:00.000Z' };

/** A pattern on a text, which may be of a file that the row names, or of none. */
export async function matched({ pattern, text, file, file_patterns }: Facts): Promise<Facts> {
  const match = { pattern, ...(file_patterns === undefined ? {} : { file_patterns }) };
  const { rules, faults } = await readRulebook([
    { name: '.andon/rules/row.yaml', text: writeYaml({ rule: { id: 'ROW', severity: 'HIGH', match } }) },
  ]);
  const rule = rules[0]?.rule;
  if (rule === undefined || faults.length > 0) return loadError(faults);
  const path = file === null ? undefined : typeof file === 'string' ? file : 'a.txt';
  return violates(rule, typeof text === 'string' ? text : '', path);
}

/** Whether a text breaks a rule that applies to it, and where. */
export async function violates(rule: Rule, text: string, path: string | undefined): Promise<Facts> {
  const added = text.split('\n').map((line, at) => ({ line: at + 1, text: line }));
  const subject: Subject = {
    plan: text,
    response: text,
    report: text,
    files: path === undefined ? [] : [{ path, change: 'added', binary: false, content: text, added }],
  };
  const { kept } = selectRules([rule], subject, NOW);
  const matches = kept.length === 0 ? [] : await checkRule(rule, subject, { context: NOW });
  const place = matches.flatMap(({ places }) => places).find(({ file }) => file !== undefined);
  return {
    violated: matches.length > 0 && mergeMatches(matches).status === 'VIOLATED',
    location: place?.file === undefined ? null : `${place.file}:${place.line ?? ''}`,
  };
}

/** Whether a rule applies to a file, or where an agent is at work. */
export function applies({ file_patterns, context_filter, file, context }: Facts): Facts {
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

/** Whether a rule of a phase is left out in another, or what is wrong with the name of a phase. */
export function inPhase({ rule_phase: of, run_phase: named }: Facts): Facts {
  try {
    const phase = parsePhase(named, 'phase');
    const rule = ruleFrom({ match: { pattern: 'x' }, ...(of === undefined ? {} : { phase: of }) });
    const { left } = selectRules([rule], { files: [] }, { ...NOW, ...(phase === undefined ? {} : { phase }) });
    return { skipped: left.length > 0 };
  } catch (error) {
    if (error instanceof Problem) return { error: /^\w+/.exec(error.message)?.[0] };
    throw error;
  }
}
