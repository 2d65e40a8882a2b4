import { blocks } from '../../record/finding.ts';
import type { CitedFinding, Dropped } from '../../record/panel.ts';
import type { PanelTurn } from '../../record/panel-turn.ts';
import { AGENT_ROLES } from '../../rule-model/rule-words.ts';
import type { AgentRole } from '../../rule-model/rule-words.ts';
import { consensusOf } from '../../rules/reviews/consensus.ts';
import type { Consensus, Manner, Vote } from '../../rules/reviews/consensus.ts';
import { isSamePlace, numbered } from './numbered.ts';

/** Who sits on a panel. */
interface Member {
  readonly name: string;
  readonly roles: readonly AgentRole[];
}

/** A finding after both rounds. */
export interface SettledFinding {
  readonly id: string;
  readonly finding: CitedFinding;
  readonly by: string;
  /** It must be put right: by its severity, or because a judge fails the change by it. */
  readonly mustGo: boolean;
  /** Who found the same place by himself. */
  readonly alsoBy: readonly string[];
  readonly agreed: readonly string[];
  readonly disagreed: readonly string[];
  /** `refuted`: somebody of a higher role than all who hold it cites what contradicts it. */
  readonly state: 'stands' | 'withdrawn' | 'refuted';
}

/** What a panel says together. */
export interface Settled {
  readonly consensus: Consensus;
  readonly votes: readonly Vote[];
  readonly findings: readonly SettledFinding[];
  /** What code left out of the answers of each reviewer. */
  readonly dropped: ReadonlyMap<string, readonly Dropped[]>;
  /** Why a reviewer has no vote. */
  readonly silent: ReadonlyMap<string, string>;
}

/** Whether a second round can change anything: something blocks, or somebody says FAIL, and there is somebody else to ask. */
export const wantsSecondRound = (turns: readonly PanelTurn[]): boolean =>
  turns.filter(({ round, noVote }) => round === 1 && noVote === undefined).length > 1 &&
  turns.some(({ verdict, findings = [] }) => findings.some(isBlocking) || (verdict === 'FAIL' && findings.length > 0));

/**
 * Puts both rounds together. A finding stands unless its author takes it back, or somebody refutes it by a citation whose
 * role comes before the roles of all who hold it; a critical security flaw only its author takes back. Whoever holds a
 * standing finding that blocks says a MUST; whoever says FAIL and has nothing left that cites has no vote, and is no PASS.
 * Neither the order of reviewers nor that of their answers changes anything.
 */
export function settle(members: readonly Member[], turns: readonly PanelTurn[], manner: Manner = {}): Settled {
  const rank = rankBy(manner.priority ?? AGENT_ROLES);
  const rankOf = (name: string): number => rank(members.find((one) => one.name === name)?.roles ?? []);
  const all = numbered(turns);
  const findings = all.map(({ id, finding, reviewer }): SettledFinding => {
    const positions = turns.flatMap((turn) =>
      (turn.positions ?? []).filter((one) => one.finding === id).map(({ says }) => ({ says, who: turn.reviewer })),
    );
    const who = (word: string): readonly string[] =>
      positions
        .filter(({ says }) => says === word)
        .map((one) => one.who)
        .toSorted();
    const alsoBy = [
      ...new Set(
        all
          .filter((other) => other.reviewer !== reviewer && isSamePlace(other.finding, finding))
          .map((other) => other.reviewer),
      ),
    ].toSorted();
    const [agreed, disagreed] = [who('AGREE'), who('DISAGREE')];
    const isWithdrawn = positions.some(({ says, who: name }) => says === 'WITHDRAW' && name === reviewer);
    const held = Math.min(...[reviewer, ...agreed, ...alsoBy].map(rankOf));
    const isFlaw = finding.security && finding.severity === 'critical';
    const isRefuted = !isFlaw && disagreed.some((name) => rankOf(name) < held);
    const state = isWithdrawn ? ('withdrawn' as const) : isRefuted ? ('refuted' as const) : ('stands' as const);
    const failing = turns.some((one) => one.round === 1 && one.reviewer === reviewer && isFailing(one));
    return { id, finding, by: reviewer, mustGo: failing || isBlocking(finding), alsoBy, agreed, disagreed, state };
  });
  const silent = new Map<string, string>();
  const votes = members.map(({ name, roles }): Vote => {
    const first = turns.find(({ reviewer, round }) => reviewer === name && round === 1);
    const none = (why: string): Vote => {
      silent.set(name, why);
      return { agent: name, roles, said: 'NO_VOTE', isAbsent: true };
    };
    if (first?.verdict === undefined) return none(first?.noVote ?? 'it was not asked');
    const held = findings.filter(
      ({ by, agreed, state }) => state === 'stands' && (by === name || agreed.includes(name)),
    );
    if (held.some(({ mustGo }) => mustGo)) return { agent: name, roles, said: 'VIOLATED', must: true, isFinding: true };
    if (first.verdict === 'PASS') return { agent: name, roles, said: 'PASS' };
    if (held.length > 0) return { agent: name, roles, said: 'VIOLATED', must: false, isFinding: true };
    const own = findings.filter(({ by }) => by === name);
    return own.length > 0
      ? { agent: name, roles, said: 'PASS' }
      : none('it says FAIL, and nothing that it says cites what is there');
  });
  const dropped = new Map(
    members.map(({ name }) => [
      name,
      turns.filter(({ reviewer }) => reviewer === name).flatMap((turn) => turn.dropped ?? []),
    ]),
  );
  return { consensus: consensusOf(votes, manner), votes, findings, dropped, silent };
}

/** A judge names as an issue only what blocks; of one who says CONDITIONAL it is the severity that tells. */
const isFailing = ({ report }: PanelTurn): boolean => report?.verdict === 'FAIL' || report?.verdict === 'CRITICAL_HALT';

const isBlocking = (finding: CitedFinding): boolean => blocks({ ...finding, line: undefined, source: 'reviewer' });

/** The place of the first of these roles in an order; whoever has none of them comes last. */
const rankBy =
  (order: readonly AgentRole[]) =>
  (roles: readonly AgentRole[]): number =>
    Math.min(order.length, ...roles.map((role) => order.indexOf(role)).filter((at) => at !== -1));
