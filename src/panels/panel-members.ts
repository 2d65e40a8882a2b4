import type { AgentProfile } from '../config/agent-profiles.ts';
import { formatProfileRules } from '../inspection/profiles.ts';
import type { ProjectRulebook } from '../inspection/rulebook/rulebook.ts';
import { explainNoWorker } from '../daemon/calls/explain-no-worker.ts';
import { resolveProfileWorker, type Worker } from '../daemon/calls/resolve-worker.ts';
import type { Needs } from '../wiring/services.ts';
import { Problem } from '../base/problem.ts';

/** One reviewer of a panel: a profile, its program and model, and its rules. */
export interface PanelMember {
  readonly profile: AgentProfile;
  readonly worker: Worker;
  readonly rules: readonly string[];
}

/** The seats of profiles with a driver; a driver that cannot review is refused by name. */
export function listPanelMembers(
  services: Needs<'agents' | 'profiles' | 'settings'>,
  profiles: readonly AgentProfile[],
  book: Pick<ProjectRulebook, 'rules'>,
): readonly PanelMember[] {
  return profiles
    .filter(({ driver }) => driver !== undefined)
    .map((profile) => {
      const why = explainNoWorker(services, profile.name, 'local-reviewer');
      if (why !== undefined)
        throw new Problem(
          'bad-configuration',
          `${profile.name} cannot review: expected ${why}`,
          'choose a program of docs/agents.md, or add --rules-only',
        );
      return {
        profile,
        worker: resolveProfileWorker(services, profile.name),
        rules: formatProfileRules(profile, book),
      };
    });
}
