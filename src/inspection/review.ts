import { isOpen, isUnchecked } from '../rule-model/inspection.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import { inOneTerminalLine } from '../base/plain-text.ts';
import { Problem } from '../base/problem.ts';
import type { AgentProfile } from '../config/agent-profiles.ts';
import { claimFiles } from '../daemon/wiring/file-claims.ts';
import { doorTo } from '../daemon/wiring/files.ts';
import type { Place } from '../daemon/wiring/open-place.ts';
import { consensusOf } from '../rules/reviews/consensus.ts';
import type { Consensus, Vote } from '../rules/reviews/consensus.ts';
import { inspect } from './inspect.ts';
import type { InspectionRequest } from './inspect.ts';
import { subjectOf } from './subject-of.ts';

/** What one profile says of a change: its vote, and the inspection it comes from. */
export interface ProfileReview {
  readonly profile: AgentProfile;
  readonly vote: Vote;
  readonly inspection: Inspection;
}

/** A change held against the rules of several profiles, and what they say together. */
export interface Review {
  readonly reviews: readonly ProfileReview[];
  readonly consensus: Consensus;
}

/** Where files that are being reviewed are named, for other processes that would review them. */
const LOCKS = '.rulebound/.locks';

/**
 * Holds a change against the rules of each profile, by its own mode, and decides what comes of it. While it works, the files
 * are claimed; one that another live process reviews is refused with its name, and nothing is reviewed.
 */
export async function review(
  place: Place,
  shell: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  request: Pick<InspectionRequest, 'look' | 'surface' | 'waivers' | 'llm'>,
  profiles: readonly AgentProfile[],
): Promise<Review> {
  const { subject } = await subjectOf(place, shell.cwd, shell.env, request.look);
  const names = profiles.map(({ name }) => name).join(',');
  const files = subject.files.map(({ path }) => path);
  const claims = await claimFiles(doorTo(place.facts.root).place(LOCKS), names, files);
  try {
    const [taken] = claims.refused;
    if (taken !== undefined)
      throw new Problem(
        'busy',
        `${inOneTerminalLine(taken.file, 200)} is being reviewed by ${inOneTerminalLine(taken.agent, 100)} (pid ${taken.pid})${claims.refused.length === 1 ? '' : `, and ${claims.refused.length - 1} more`}`,
        'wait until that review has ended, then try again',
      );
    const reviews: ProfileReview[] = [];
    for (const profile of profiles) {
      const inspection = await inspect(place, shell, {
        ...request,
        profile,
        trace: false,
        updateBaseline: false,
      });
      reviews.push({ profile, vote: voteOf(profile, inspection), inspection });
    }
    return { reviews, consensus: consensusOf(reviews.map(({ vote }) => vote)) };
  } finally {
    await claims.release();
  }
}

/** What an inspection comes to as a vote; what could not be checked is none, and a hard constraint is always a MUST. */
function voteOf({ name: agent, roles }: AgentProfile, { faults, findings, results }: Inspection): Vote {
  const open = findings.filter((one) => one.status === 'VIOLATED' && isOpen(one));
  const must = open.some(({ modality, hard }) => modality === 'MUST' || hard);
  if (must) return { agent, roles, said: 'VIOLATED', must };
  if (faults.length > 0 || findings.some(isUnchecked)) return { agent, roles, said: 'NO_VOTE' };
  if (open.length > 0) return { agent, roles, said: 'VIOLATED', must };
  return {
    agent,
    roles,
    said: results.some(({ status }) => status === 'PASS' || status === 'VIOLATED') ? 'PASS' : 'NOT_COVERED',
  };
}
