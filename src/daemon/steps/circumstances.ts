import { readTaskMetadata } from '../../contract/task-metadata.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { RuledMoment } from '../../record/ruling.ts';
import type { InspectionContext } from '../../rule-model/inspection.ts';
import type { Phase } from '../../rule-model/rule-words.ts';
import { selectInstructions, type Instruction } from '../../rules/response/select-for-response.ts';
import type { RoleStation } from '../../base/names.ts';
import { loadRulebook } from '../../inspection/rulebook/rulebook.ts';
import { getProfileVariables } from '../calls/resolve-worker.ts';
import type { Needs } from '../../wiring/services.ts';

/** Each moment of the line: the phase of its rules, its author, and its station, if any. */
export const MOMENTS: Readonly<
  Record<RuledMoment, { readonly phase: Phase; readonly agent: string; readonly station?: RoleStation }>
> = {
  contract: { phase: 'TASKS', agent: 'Architect' },
  fixes: { phase: 'TASKS', agent: 'FloorManager' },
  change: { phase: 'IMPLEMENTATION', agent: 'Implementer', station: 'implementer' },
  gates: { phase: 'TEST', agent: 'Implementer', station: 'implementer' },
  review: { phase: 'REVIEW', agent: 'LocalReviewer', station: 'local-reviewer' },
  report: { phase: 'REVIEW', agent: 'Judge', station: 'judge' },
};

/**
 * Under which circumstances rules are asked at a moment of a task: the scenario of its contract and the line's status are
 * in force, its `metadata.vars` are the session, the `vars` of the profile that works there the profile.
 */
export function readCircumstances(
  services: Needs<'clock' | 'profiles' | 'settings'>,
  record: LineRecord,
  moment: RuledMoment,
  { stack }: { readonly stack: readonly string[] },
): InspectionContext {
  const { constraints, specification } = record.contract;
  const { quality } = services.settings.enforcement;
  const { scenario, vars } = readTaskMetadata(record.document);
  const { phase, agent, station } = MOMENTS[moment];
  return {
    phase,
    now: services.clock.now(),
    agentType: agent,
    taskStatus: 'in_progress',
    scopes: [...(scenario === undefined ? [] : [scenario]), record.status],
    variables: { session: vars, profile: station === undefined ? {} : getProfileVariables(services, record, station) },
    ...(quality === undefined ? {} : { quality }),
    task: [...specification.requirements, ...constraints.allowedPaths].join('\n'),
    ...(stack.length === 0 ? {} : { stack }),
  };
}

/** What the rules that matched tell the station that answers next; nothing where responses are not enforced at all. */
export async function listInstructions(
  services: Needs<'clock' | 'journal' | 'profiles' | 'project' | 'settings'>,
  record: LineRecord,
  moment: 'change' | 'review' | 'report',
): Promise<readonly Instruction[]> {
  if (!services.settings.pipeline.enabled) return [];
  const book = await loadRulebook(services.journal, services.project);
  const rules = book.rules.map(({ rule }) => rule);
  return selectInstructions(rules, readCircumstances(services, record, moment, book));
}
