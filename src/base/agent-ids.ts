import type { RoleStation } from './names.ts';

/** Every agent with code of its own; `src/agents/drivers/index.ts` opens them. */
export const AGENT_IDS = ['ollama', 'claude'] as const;
export type AgentId = (typeof AGENT_IDS)[number];

export const isAgentId = (name: string): name is AgentId => (AGENT_IDS as readonly string[]).includes(name);

/** Which agent works at a station. */
export const WORKS_AT: Readonly<Record<RoleStation, AgentId>> = {
  implementer: 'ollama',
  'local-reviewer': 'ollama',
  judge: 'claude',
};

/** A value per agent. */
export const mapAgents = <Value>(make: (id: AgentId) => Value): Readonly<Record<AgentId, Value>> =>
  Object.fromEntries(AGENT_IDS.map((id) => [id, make(id)])) as Record<AgentId, Value>;
