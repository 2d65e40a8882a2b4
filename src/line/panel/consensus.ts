import { AGENT_ROLES, type AgentRole } from '../../project/config/config-words.ts';

/** What one reviewer says of a change. `NO_VOTE`: it failed, was not there, or could not check everything it had to. */
export interface Vote {
  readonly agent: string;
  readonly roles: readonly AgentRole[];
  readonly said: 'PASS' | 'VIOLATED' | 'NOT_COVERED' | 'NO_VOTE';
  /** Whether what it holds against the change is a MUST; a vote that says no such thing counts as one. */
  readonly must?: boolean;
  /** A reviewer that was asked and did not answer: without it a quorum may decide. What rules could not check is never outvoted. */
  readonly isAbsent?: true;
}

/** What several say together. `WARN`: the voice that counts has objections, none of them a MUST. */
export interface Consensus {
  readonly status: 'PASS' | 'WARN' | 'FAIL' | 'UNDECIDED';
  /** The role, or the agent without one, whose vote decided; null if none did. */
  readonly decidedBy: string | null;
  readonly because: string;
}

export interface VotingOptions {
  /** Quorum if reviewers are absent; default: all of them. */
  readonly quorum?: number | undefined;
  /** Whose voice decides a conflict, first to last; a role that is left out counts as none. Default: AGENT_ROLES. */
  readonly priority?: readonly AgentRole[] | undefined;
}

/**
 * One answer out of several: any MUST violation fails; fewer votes than the quorum leave it undecided, never passed; all
 * who looked and passed pass; else the highest role decides, and of two equal ones the one that objects. The order of the
 * votes changes nothing.
 */
export function computeConsensus(
  votes: readonly Vote[],
  { quorum = votes.length, priority = AGENT_ROLES }: VotingOptions = {},
): Consensus {
  const rankOf = ({ roles }: Vote): number =>
    Math.min(priority.length, ...roles.map((role) => priority.indexOf(role)).filter((at) => at !== -1));
  const voiceOf = (vote: Vote | undefined): string | null =>
    vote === undefined ? null : (priority[rankOf(vote)] ?? vote.agent);
  const toConsensus = (status: Consensus['status'], decisive: Vote | undefined, because: string): Consensus => ({
    status,
    decidedBy: voiceOf(decisive),
    because,
  });
  const failing = votes.filter(({ said, must = true }) => said === 'VIOLATED' && must);
  if (failing.length > 0)
    return toConsensus(
      'FAIL',
      highestBy(failing, rankOf),
      `${named(failing)}: a MUST violation or a blocking finding remains`,
    );
  const silent = votes.filter(({ said }) => said === 'NO_VOTE');
  const isShort = votes.length - silent.length < Math.max(1, quorum);
  if (silent.some(({ isAbsent }) => isAbsent !== true) || (silent.length > 0 && isShort)) {
    const needed = quorum < votes.length ? ` (${quorum} of ${votes.length} must give one)` : '';
    return toConsensus(
      'UNDECIDED',
      undefined,
      `${named(silent)} gave no vote that counts, and nothing passes without it${needed}`,
    );
  }
  const heard = votes.filter(({ said }) => said !== 'NOT_COVERED' && said !== 'NO_VOTE');
  const first = highestBy(heard, rankOf);
  if (first === undefined)
    return toConsensus('UNDECIDED', undefined, 'no reviewer has a rule about this, so it was not checked');
  const objecting = heard.filter(({ said }) => said === 'VIOLATED');
  if (objecting.length === 0) return toConsensus('PASS', first, `${named(heard)} passed it`);
  return first.said === 'VIOLATED'
    ? toConsensus('WARN', first, `${named(objecting)}: objections, none of them a MUST rule or blocking`)
    : toConsensus(
        'PASS',
        first,
        `${named(objecting)} objected, without a MUST rule; ${voiceOf(first) ?? ''} comes before that and passed it`,
      );
}

/** The voice of the highest role; of equal ones the one that objects, then the one whose name comes first. */
function highestBy(votes: readonly Vote[], rankOf: (vote: Vote) => number): Vote | undefined {
  const objects = ({ said }: Vote): number => (said === 'VIOLATED' ? 0 : 1);
  return votes.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || objects(a) - objects(b) || (a.agent < b.agent ? -1 : a.agent > b.agent ? 1 : 0),
  )[0];
}

const named = (votes: readonly Vote[]): string =>
  votes
    .map(({ agent }) => agent)
    .toSorted()
    .join(', ');
