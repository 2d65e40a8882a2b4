import { readTaskMetadata } from '../../contract/task-metadata.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { RuledMoment } from '../../record/ruling.ts';
import type { InspectionContext } from '../../rule-model/inspection.ts';
import type { Phase } from '../../rule-model/rule-words.ts';
import { instructionsFor } from '../../rules/response/select-for-response.ts';
import type { Instruction } from '../../rules/response/select-for-response.ts';
import type { RoleStation } from '../../base/names.ts';
import { rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import { profileVarsOf } from '../calls/who-works.ts';
import type { Services } from '../../wiring/services.ts';

/** In which phase each moment of the line is looked at. */
export const PHASES: Readonly<Record<RuledMoment, Phase>> = {
  contract: 'TASKS',
  fixes: 'TASKS',
  change: 'IMPLEMENTATION',
  gates: 'TEST',
  review: 'REVIEW',
  report: 'REVIEW',
};

/** Who brought what is looked at. */
export const AGENTS: Readonly<Record<RuledMoment, string>> = {
  contract: 'Architect',
  fixes: 'FloorManager',
  change: 'Implementer',
  gates: 'Implementer',
  review: 'LocalReviewer',
  report: 'Judge',
};

/** At which station it was brought; the contract and the fixes come from none. */
const STATIONS: Readonly<Record<RuledMoment, RoleStation | undefined>> = {
  contract: undefined,
  fixes: undefined,
  change: 'implementer',
  gates: 'implementer',
  review: 'local-reviewer',
  report: 'judge',
};

/**
 * Under which circumstances rules are asked at a moment of a task: the scenario of its contract and the line's status are
 * in force, its `metadata.vars` are the session, the `vars` of the profile that works there the profile.
 */
export function circumstancesOf(
  services: Pick<Services, 'clock' | 'profiles' | 'settings'>,
  record: LineRecord,
  moment: RuledMoment,
  { stack }: { readonly stack: readonly string[] },
): InspectionContext {
  const { constraints, specification } = record.contract;
  const { quality } = services.settings.enforcement;
  const { scenario, vars } = readTaskMetadata(record.document);
  const station = STATIONS[moment];
  return {
    phase: PHASES[moment],
    now: services.clock.now(),
    agentType: AGENTS[moment],
    taskStatus: 'in_progress',
    scopes: [...(scenario === undefined ? [] : [scenario]), record.status],
    variables: { session: vars, profile: station === undefined ? {} : profileVarsOf(services, record, station) },
    ...(quality === undefined ? {} : { quality }),
    task: [...specification.requirements, ...constraints.allowedPaths].join('\n'),
    ...(stack.length === 0 ? {} : { stack }),
  };
}

/** What the rules that matched tell the station that answers next; nothing where responses are not enforced at all. */
export async function toldBeforehand(
  services: Pick<Services, 'clock' | 'journal' | 'profiles' | 'root' | 'settings'>,
  record: LineRecord,
  moment: 'change' | 'review' | 'report',
): Promise<readonly Instruction[]> {
  if (!services.settings.pipeline.enabled) return [];
  const book = await rulebookFor(services.journal, services.root);
  const rules = book.rules.map(({ rule }) => rule);
  return instructionsFor(rules, circumstancesOf(services, record, moment, book));
}
