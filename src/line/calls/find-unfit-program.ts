import type { Needs } from '../services/services.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { isJudgedOutside } from '../core/external-judge.ts';
import type { Agent } from '../../agents/agent.ts';
import { resolveWorker } from './resolve-worker.ts';

/**
 * Why a program that this task needs is not what its role needs, as `andon doctor` says it; asked before the first agent
 * costs anything. A program that was found fit is not asked again.
 */
export async function findUnfitProgram(
  services: Needs<'agents' | 'settings' | 'profiles'>,
  record: TaskRecord,
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
