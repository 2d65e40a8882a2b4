import type { RoleStation } from './names.ts';

/** The agent with code of its own; every other one is a driver. */
export const OLLAMA = 'ollama';

/** The agents that are there always. */
export type AgentId = typeof OLLAMA | 'claude';

/** Which agent works at a station. */
export const WORKS_AT = {
  implementer: OLLAMA,
  'local-reviewer': OLLAMA,
  judge: 'claude',
} as const satisfies Readonly<Record<RoleStation, AgentId>>;
