import type { AgentProfile } from '../config/agent-profiles.ts';
import { rulesInWords } from '../inspection/profiles.ts';
import type { ProjectRulebook } from '../inspection/rulebook/rulebook.ts';
import { whyNoWorker } from '../daemon/calls/why-no-worker.ts';
import { workerBy } from '../daemon/calls/who-works.ts';
import type { Worker } from '../daemon/calls/who-works.ts';
import type { Services } from '../wiring/services.ts';
import { Problem } from '../base/problem.ts';

/** One reviewer of a panel: a profile, its program and model, and its rules. */
export interface Seat {
  readonly profile: AgentProfile;
  readonly worker: Worker;
  readonly rules: readonly string[];
}

/** The seats of profiles with a driver; a driver that cannot review is refused by name. */
export function seatsOf(
  services: Pick<Services, 'agents' | 'profiles' | 'settings'>,
  profiles: readonly AgentProfile[],
  book: Pick<ProjectRulebook, 'rules'>,
): readonly Seat[] {
  return profiles
    .filter(({ driver }) => driver !== undefined)
    .map((profile) => {
      const why = whyNoWorker(services, profile.name, 'local-reviewer');
      if (why !== undefined)
        throw new Problem(
          'bad-configuration',
          `${profile.name} cannot review: expected ${why}`,
          'choose a program of docs/agents.md, or add --rules-only',
        );
      return { profile, worker: workerBy(services, profile.name), rules: rulesInWords(profile, book) };
    });
}
