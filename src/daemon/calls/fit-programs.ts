import type { LineRecord } from '../../record/line-record.ts';
import { isJudgedOutside } from '../../line/outside.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Services } from '../wiring/services.ts';

/**
 * Why a program that this task needs is not what its role needs, as `andon doctor` says it; asked before the first agent
 * costs anything. A program that was found fit is not asked again.
 */
export async function unfitProgram(
  services: Pick<Services, 'agents' | 'settings'>,
  record: LineRecord,
): Promise<string | undefined> {
  const { ollama, claude } = services.agents;
  const needed = [ollama, ...(isJudgedOutside(record, services.settings) ? [] : [claude])];
  const whys = await Promise.all(needed.map(whyUnfit));
  return whys.find((why) => why !== undefined);
}

async function whyUnfit(agent: Agent): Promise<string | undefined> {
  if (agent.fit === undefined || FIT.has(agent)) return undefined;
  const found = await agent.fit();
  if (!found.ok) return found.why;
  FIT.add(agent);
  return undefined;
}

const FIT = new WeakSet<Agent>();
