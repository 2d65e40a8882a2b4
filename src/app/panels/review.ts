import { isOpen, isUnchecked, type Inspection, type RuleFinding } from '../../rules/model/inspection.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import type { AgentProfile } from '../../project/config/agent-profiles.ts';
import { claimFiles } from '../../project/locks/claim-files.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { NO_JOURNAL } from '../../line/journal/open-journal.ts';
import { getStatesHome, openLedgerIn } from '../../line/calls/open-ledger.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { buildServices } from '../../line/services/open-services.ts';
import { inspect, type InspectionRequest } from '../../rules/files/inspect.ts';
import { selectProfileRules } from '../../rules/files/profiles.ts';
import { readProjectRulebook } from '../../rules/files/rulebook.ts';
import { gatherSubject } from '../../rules/files/gather-subject.ts';
import { settle, type PanelResult, type SettledFinding } from '../../line/panel/settle.ts';
import { computeConsensus, type Consensus, type Vote } from '../../line/panel/consensus.ts';
import {
  askPanel,
  type PanelProgress,
  type ReviewerUsage,
  listPanelMembers,
  gatherPanelSubject,
  type PanelRequest,
} from './ask-panel.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { sha256 } from '../../base/sha256.ts';

/** What one profile says of a change: its vote, and the rule inspection behind it, if any. */
export interface ProfileReview {
  readonly profile: AgentProfile;
  readonly vote: Vote;
  readonly inspection: Inspection | undefined;
}

/** A change reviewed by several profiles, with their rules and models, and the result. */
export interface PanelReview {
  readonly subject: string;
  readonly reviews: readonly ProfileReview[];
  readonly consensus: Consensus;
  /** The models' findings; undefined where none was asked. */
  readonly panel:
    | { readonly settled: PanelResult; readonly used: readonly ReviewerUsage[]; readonly rounds: 1 | 2 }
    | undefined;
}

type ReviewRequest = Pick<InspectionRequest, 'look' | 'surface' | 'llm'> & {
  /** Asks no model, whatever the profiles name. */
  readonly rulesOnly: boolean;
  readonly asked: PanelRequest | undefined;
};

/** Where files under review are claimed, visible to other processes. */
const LOCKS = '.rulebound/.locks';

/**
 * Applies each profile's rules in its own mode, asks the models of profiles with a driver, and decides. Files are
 * claimed meanwhile; a file that another live process reviews refuses the review with its name.
 */
export async function review(
  place: Workspace,
  shell: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  request: ReviewRequest,
  profiles: readonly AgentProfile[],
  watch: { readonly onProgress: (news: PanelProgress) => void; readonly signal: AbortSignal },
): Promise<PanelReview> {
  const gathered = await gatherSubject(place, shell.cwd, shell.env, request.look);
  const names = profiles.map(({ name }) => name).join(',');
  const files = gathered.subject.files.map(({ path }) => path);
  const claims = await claimFiles(openDir(place.facts.root).place(LOCKS), names, files);
  try {
    const [taken] = claims.refused;
    if (taken !== undefined)
      throw new Problem(
        'busy',
        `${toTerminalLine(taken.file, 200)} is being reviewed by ${toTerminalLine(taken.agent, 100)} (pid ${taken.pid})${claims.refused.length === 1 ? '' : `, and ${claims.refused.length - 1} more`}`,
        'wait until that review has ended, then try again',
      );
    const asks = request.rulesOnly ? [] : profiles.filter(({ driver }) => driver !== undefined);
    const byRules = new Map<AgentProfile, Inspection>();
    const book = await readProjectRulebook(place.facts.root, { selfTests: false });
    for (const profile of profiles) {
      if (asks.includes(profile) && isHeldToNothing(profile, book)) continue;
      const { look, surface, llm } = request;
      byRules.set(
        profile,
        await inspect(place, shell, {
          look,
          surface,
          llm,
          profile,
          trace: false,
          signal: watch.signal,
        }),
      );
    }
    const panel = asks.length === 0 ? undefined : await ask();
    const votes = profiles.map((profile) => {
      const inspection = byRules.get(profile);
      const ruled = inspection === undefined ? undefined : voteOf(profile, inspection);
      return (
        combineVotes(
          ruled,
          panel?.settled.votes.find(({ agent }) => agent === profile.name),
        ) ?? {
          agent: profile.name,
          roles: profile.roles,
          said: 'NO_VOTE' as const,
        }
      );
    });
    return {
      subject: gathered.title,
      reviews: profiles.map((profile, at) => ({ profile, vote: votes[at] as Vote, inspection: byRules.get(profile) })),
      consensus: computeConsensus(votes, place.settings.review),
      panel,
    };

    async function ask(): Promise<NonNullable<PanelReview['panel']>> {
      if (files.length === 0)
        throw createUsageError(`${gathered.title} holds no file`, 'name something that was changed');
      const services = await buildServices(place, shell.env, () => {}, NO_JOURNAL, 'reviewing');
      const ledger = openLedgerIn(getStatesHome(place));
      try {
        const seats = listPanelMembers(services, asks, book);
        const words = request.asked ?? { words: `A review of ${gathered.title}.`, gates: '' };
        const material = await gatherPanelSubject(gathered, request.look, words, services.nonce());
        const world = { ...services, ledger };
        const { turns, used } = await askPanel(world, seats, material, watch.onProgress, watch.signal);
        const members = asks.map(({ name, roles }) => ({ name, roles }));
        const rounds = turns.some(({ round }) => round === 2) ? 2 : 1;
        return { settled: settle(members, turns, place.settings.review), used, rounds };
      } finally {
        ledger.close();
      }
    }
  } finally {
    await claims.release();
  }
}

/** A model may review a project without rules; naming missing rules is refused as ever. */
const isHeldToNothing = (
  profile: AgentProfile,
  book: Parameters<typeof selectProfileRules>[1] & { readonly faults: readonly unknown[] },
): boolean => book.faults.length === 0 && book.rules.length === 0 && profile.rules.every((rule) => rule === 'all');

/** The stricter vote of rules and model. If one has no vote, neither has the pair, unless the other fails it. */
function combineVotes(ruled: Vote | undefined, vote: Vote | undefined): Vote | undefined {
  if (ruled === undefined || vote === undefined) return ruled ?? vote;
  const both = [ruled, vote];
  return (
    both.find((one) => one.said === 'VIOLATED' && one.must !== false) ??
    both.find((one) => one.said === 'NO_VOTE') ??
    both.find((one) => one.said === 'VIOLATED') ??
    vote
  );
}

/** The vote of an inspection: incomplete checks give none; a hard constraint is always a MUST. */
function voteOf({ name: agent, roles }: AgentProfile, { faults, findings, results }: Inspection): Vote {
  const open = findings.filter((one) => one.status === 'VIOLATED' && isOpen(one));
  const must = open.some(({ modality, hard }) => modality === 'MUST' || hard);
  if (must) return { agent, roles, said: 'VIOLATED', must };
  if (faults.length > 0 || findings.some((finding) => isUnchecked(finding))) return { agent, roles, said: 'NO_VOTE' };
  if (open.length > 0) return { agent, roles, said: 'VIOLATED', must };
  return {
    agent,
    roles,
    said: results.some(({ status }) => status === 'PASS' || status === 'VIOLATED') ? 'PASS' : 'NOT_COVERED',
  };
}

/** A review in the format of the inspection reporters: upheld findings of the panel and of the rules, without duplicates. */
export function toInspection({ reviews, consensus, panel, subject }: PanelReview): Inspection {
  const ruled = reviews.flatMap(({ inspection }) => (inspection === undefined ? [] : [inspection]));
  const [first] = ruled;
  const byRules = new Map(ruled.flatMap(({ findings }) => findings.map((one) => [one.fingerprint, one] as const)));
  const standing = (panel?.settled.findings ?? []).filter(({ state }) => state === 'stands');
  const silent = [...(panel?.settled.silent ?? [])].map(([name, why]) => ({
    where: name,
    what: `it gave no vote: ${withoutSecrets(why)}`,
    remedy: 'andon agents test says whether it answers',
  }));
  return {
    surface: first?.surface ?? 'gate',
    mode: first?.mode ?? 'strict',
    threshold: first?.threshold ?? 0,
    subject,
    results: [...new Map(ruled.flatMap(({ results }) => results.map((one) => [one.rule, one] as const))).values()],
    findings: [...byRules.values(), ...standing.map(toRuleFinding)],
    score: ruled.length === 0 ? (consensus.status === 'PASS' ? 100 : 0) : Math.min(...ruled.map(({ score }) => score)),
    exit: EXITS[consensus.status],
    because: [`${consensus.status}: ${consensus.because}`],
    faults: [...ruled.flatMap(({ faults }) => faults), ...(consensus.status === 'UNDECIDED' ? silent : [])],
    warnings: [
      ...new Set(ruled.flatMap(({ warnings }) => warnings)),
      ...[...(panel?.settled.dropped ?? [])].flatMap(([name, dropped]) =>
        dropped.length === 0 ? [] : [`${name}: ${dropped.length} left out, which cited nothing that is there`],
      ),
      ...(consensus.status === 'UNDECIDED' ? [] : silent.map(({ where, what }) => `${where}: ${what}`)),
    ],
    trace: [],
  };
}

/** Exit codes of a review: no decision is invalid input, never a pass. */
export const EXITS = { PASS: 0, WARN: 0, FAIL: 1, UNDECIDED: 2 } as const;

const SEVERITIES = { critical: 'CRITICAL', high: 'HIGH', medium: 'MEDIUM', low: 'LOW' } as const;
const PRIORITIES = { critical: 'P0', high: 'P1', medium: 'P2', low: 'P3' } as const;

function toRuleFinding({ finding, by, mustGo, alsoBy, agreed }: SettledFinding): RuleFinding {
  const { severity, category, description, file, line, quote, fix } = finding;
  const others = [...new Set([...alsoBy, ...agreed])].toSorted();
  const quoted = withoutSecrets(quote).split('\n', 1)[0] ?? '';
  return {
    rule: `review.${category.toLowerCase().replace(/[^a-z0-9_-]+/g, '-')}`,
    title: withoutSecrets(description),
    severity: SEVERITIES[severity],
    priority: PRIORITIES[severity],
    modality: mustGo ? 'MUST' : 'SHOULD',
    handler: 'LOG_ONLY',
    hard: false,
    status: 'VIOLATED',
    message: withoutSecrets(description),
    ...(fix === undefined ? {} : { suggestion: withoutSecrets(fix) }),
    reason: `found by ${by}${others.length === 0 ? '' : `; ${others.join(', ')} ${others.length === 1 ? 'agrees' : 'agree'}`}`,
    confidence: 1,
    file,
    ...(line === null ? {} : { line }),
    excerpt: quoted,
    fingerprint: sha256(JSON.stringify([category, file, quote, description])),
  };
}
