import { join } from 'node:path';
import { doorTo } from '../adapters/door.ts';
import { readIfThere, readOwn } from '../adapters/settings/places.ts';
import { readAgentProfiles } from '../config/agent-profiles.ts';
import type { AgentProfiles } from '../config/agent-profiles.ts';

/** Where profiles lie: one a file in andon's own folder, and all together in that of the tool whose rules andon reads too. */
export const PROFILES = '.andon/agents';
export const RULEBOUND_AGENTS = '.rulebound/agents.json';

/** Larger files hold no profiles. */
const LARGEST = 1_000_000;

/** The agent profiles of a project as they lie in its work tree. */
export function profilesAt(root: string): AgentProfiles {
  const names = doorTo(root)
    .entries(PROFILES)
    .filter((entry) => /\.ya?ml$/.test(entry.name))
    .map((entry) => `${PROFILES}/${entry.name}`)
    .toSorted();
  const own = names.map((name) => ({ name, text: readOwn(root, name, LARGEST) ?? '' }));
  const rulebound = { name: RULEBOUND_AGENTS, text: readIfThere(join(root, RULEBOUND_AGENTS), LARGEST) };
  return readAgentProfiles(own, rulebound);
}
