import type { RoleStation } from '../../base/names.ts';
import { findProfile } from '../../config/agent-profiles.ts';
import { AGENT_IDS } from '../../base/agents.ts';
import type { Needs } from '../../wiring/services.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { isJudgedOutside } from '../../line/external-judge.ts';
import type { Agent } from '../../ports/agent.ts';
import { resolveWorker } from './resolve-worker.ts';

/** What a station asks of a program, where a program cannot do it. */
const LACKING: Readonly<Record<RoleStation, string>> = {
  implementer: 'takes neither a text call nor an edit call',
  'local-reviewer': 'takes no review call',
  judge: 'does not tell which files it has opened, without which no PASS counts',
};

/** Why a profile cannot do the work of a station, in words that say what to do; undefined when it can. */
export function explainNoWorker(
  { agents, profiles, settings }: Needs<'agents' | 'profiles' | 'settings'>,
  name: string,
  station: RoleStation,
): string | undefined {
  const { found: profile } = findProfile(profiles, name);
  if (profile === undefined) {
    const [fault] = profiles.faults;
    return `a profile without a fault: ${fault?.source.name ?? name} says ${fault?.message ?? 'nothing'}`;
  }
  const { driver, file } = profile;
  if (driver === undefined) return `a profile that says who does its work: ${file} names no \`driver\``;
  const agent = agents[driver];
  if (agent === undefined)
    return `a profile with a known driver: ${file} names ${driver}; andon agents list shows them all`;
  if (!agent.worksAt.includes(station)) return `a profile that can work as ${station}: ${driver} ${LACKING[station]}`;
  if (station === 'implementer' && profile.edits && agent.editing === undefined)
    return `a profile that can work so: ${file} says \`edits: true\`, and ${driver} takes no edit call`;
  const isCoded = AGENT_IDS.some((id) => id === driver);
  const model = profile.model ?? (isCoded ? settings.agents[driver as (typeof AGENT_IDS)[number]].model : undefined);
  if (agent.localModels !== undefined && model === undefined)
    return `a profile with a model: ${file} names ${driver}, which needs one (\`model:\`)`;
  return undefined;
}

/**
 * Why a program that this task needs is not what its role needs, as `andon doctor` says it; asked before the first agent
 * costs anything. A program that was found fit is not asked again.
 */
export async function findUnfitProgram(
  services: Needs<'agents' | 'settings' | 'profiles'>,
  record: LineRecord,
): Promise<string | undefined> {
  const stations = [
    'implementer',
    'local-reviewer',
    ...(isJudgedOutside(record, services.settings) ? [] : (['judge'] as const)),
  ] as const;
  const { reviewers = [], judges = [] } = record.contract.roles;
  const panel = [
    ...reviewers.map((name) => resolveWorker(services, record, 'local-reviewer', name)),
    ...(stations.some((one) => one === 'judge') ? judges : []).map((name) =>
      resolveWorker(services, record, 'judge', name),
    ),
  ];
  const needed = new Set(
    [...stations.map((station) => resolveWorker(services, record, station)), ...panel].map(({ agent }) => agent),
  );
  const worker = resolveWorker(services, record, 'implementer');
  const cage = worker.edits ? worker.agent.editing?.unavailable() : undefined;
  const whys = await Promise.all([...[...needed].map(explainUnfit), ...(cage === undefined ? [] : [cage])]);
  return whys.find((why) => why !== undefined);
}

async function explainUnfit(agent: Agent): Promise<string | undefined> {
  if (agent.fit === undefined || FIT.has(agent)) return undefined;
  const found = await agent.fit();
  if (!found.ok) return found.why;
  FIT.add(agent);
  return undefined;
}

const FIT = new WeakSet<Agent>();
