import { forEveryAgent } from '../../base/agents.ts';
import type { AgentId } from '../../base/agents.ts';
import type { ProgramSettings } from '../../config/program-settings.ts';
import type { Agent } from '../../ports/agent.ts';
import type { RunProgram } from '../processes/run.ts';
import type { AgentKind } from './agent-program.ts';
import { claudeKind } from './claude.ts';
import { ollamaKind } from './ollama.ts';

/** How each agent is opened; one that has no line here is an error of types. */
export const AGENTS: Readonly<Record<AgentId, AgentKind>> = { ollama: ollamaKind, claude: claudeKind };

/** Every agent as it is configured here; `environmentOf` makes the environment of its program. */
export const openAgents = (
  run: RunProgram,
  programs: Readonly<Record<AgentId, ProgramSettings>>,
  environmentOf: (sees: readonly string[], fixed: Readonly<Record<string, string>>) => Record<string, string>,
): Readonly<Record<AgentId, Agent>> =>
  forEveryAgent((id) => {
    const { sees, fixed, open } = AGENTS[id];
    return open(run, { ...programs[id], env: environmentOf(sees, { ...fixed, ...programs[id].env }) });
  });
