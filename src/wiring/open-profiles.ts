import { readAgentProfiles, type AgentProfiles } from '../config/agent-profiles.ts';
import { RULEBOUND_AGENTS, openWorkTree, type ProjectFiles } from './project-files.ts';

export { PROFILES } from './project-files.ts';

/** The agent profiles of a project as they lie in its work tree. */
export const readWorkTreeProfiles = (root: string): AgentProfiles => readProfiles(openWorkTree(root));

/** The agent profiles of a project, wherever its files are read from. */
export function readProfiles(files: ProjectFiles): AgentProfiles {
  const own = files.profiles().map((name) => ({ name, text: files.text(name) ?? '' }));
  return readAgentProfiles(own, { name: RULEBOUND_AGENTS, text: files.text(RULEBOUND_AGENTS) });
}
