import { join } from 'node:path';
import { profileNamed } from '../../config/agent-profiles.ts';
import { rulesInWords } from '../../inspection/profiles.ts';
import { rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import { gateEvidence } from '../../line/documents/reports.ts';
import { briefFirstRound, briefSecondRound } from '../../line/panel/brief.ts';
import type { Viewpoint } from '../../line/panel/brief.ts';
import { nextSeat } from '../../line/panel/next-seat.ts';
import type { NextSeat } from '../../line/panel/next-seat.ts';
import { numbered } from '../../line/panel/numbered.ts';
import { citedFiles, readFirstRound, readSecondRound } from '../../line/panel/read-answer.ts';
import { contractInWords } from '../../line/stations/brief.ts';
import { citedPath } from '../../line/stations/desk.ts';
import { quoteWeigher } from '../../line/stations/evidence.ts';
import type { WeighQuote } from '../../line/stations/evidence.ts';
import type { Change } from '../../record/change.ts';
import type { Facts } from '../../record/facts.ts';
import { inOneLine } from '../../record/finding.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { PanelTurn } from '../../record/panel.ts';
import { wordsBeside } from '../../rules/guards/structured-review.ts';
import { callAgent } from '../calls/call-agent.ts';
import { withoutTranscript } from '../calls/without-transcript.ts';
import { whoWorks } from '../calls/who-works.ts';
import type { Services } from '../wiring/services.ts';
import type { StepLog, StepOutcome } from '../wiring/step-log.ts';
import { goesBackAtOnce, takeOneOfSeveral } from './take-message.ts';

/** Who of a panel is asked next about the change that stands; undefined once it can be settled. */
export const nextReviewer = ({ contract: { roles }, panel = [] }: LineRecord): NextSeat | undefined =>
  nextSeat(roles.reviewers ?? [], panel);

/**
 * Asks one reviewer of a panel, and journals what it said before the next one is asked: a crash costs one call. Who fails,
 * is out of reach while others suffice, or cannot be read has no vote; only the budget and a human's matter stop the line.
 */
export async function askReviewer(
  services: Services,
  log: StepLog,
  signal: AbortSignal,
  change: Change,
  { name, round, left }: NextSeat,
): Promise<StepOutcome> {
  const { record } = log;
  const { panel = [] } = record;
  const all = numbered(panel);
  const parts = {
    own: all.filter(({ reviewer }) => reviewer === name),
    others: all.filter(({ reviewer }) => reviewer !== name),
  };
  const diff = await services.repository.patch(record.base, change.commit);
  const { agent } = whoWorks(services, record, 'local-reviewer', name);
  const hasEyes = agent.worksAt.includes('judge');
  const shown = {
    asked: `${contractInWords(record, true)}${hasEyes ? '\n\nYour working directory is a private copy of it: diff.patch is the change, tree/ holds the whole tree. You may read both.' : ''}`,
    diff,
    gates: gateEvidence(record.gates, record.bending),
    nonce: services.nonce(),
  };
  const view = await viewOf(services, name);
  const brief = round === 1 ? briefFirstRound(shown, view) : briefSecondRound(shown, view, parts);
  const place = `${record.taskId}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
  const about = { reviewer: name, round, tree: change.tree };
  const noVote = (why: string): StepOutcome =>
    heard({ ...about, noVote: why.slice(0, 500) }, `${name} has no vote: ${why}`);
  const transcript = await callAgent(services, log, {
    station: 'local-reviewer',
    brief,
    folder: await folderFor(services, place, change, hasEyes ? diff : undefined),
    seat: { name, share: left },
    mayBeMissed: mayBeMissed(services, record),
    signal,
  }).finally(() => services.folders.tidy(place));
  if (!transcript.ok) {
    const { why } = transcript;
    if (why.by === 'budget') return withoutTranscript('local-reviewer', why);
    if (why.by === 'hold')
      return mayBeMissed(services, record)
        ? noVote(`out of reach: ${why.reason}`)
        : withoutTranscript('local-reviewer', why);
    return noVote(`${why.failure.kind}: ${why.failure.detail}`);
  }
  const call = log.record.callCount;
  const weigh = await weigherFor(services, record, change, diff, citedFiles(transcript.value));
  if (round === 2) {
    const answer = readSecondRound(transcript.value, weigh, parts);
    if (!answer.ok) return noVote(`unreadable: ${answer.why}`);
    const { positions, dropped } = answer.value;
    return heard(
      { ...about, positions: [...positions], dropped: [...dropped], call },
      `${name} on what the others found: ${positions.map(({ finding, says }) => `${says} ${finding}`).join(', ') || 'nothing'}`,
    );
  }
  const answer = readFirstRound(transcript.value, weigh);
  if (!answer.ok) return noVote(`unreadable: ${answer.why}`);
  const { verdict, findings, dropped } = answer.value;
  const said = findings.map(({ line, quote, ...one }) => ({
    ...one,
    source: 'reviewer',
    evidence: quote,
    ...(line === null ? {} : { line }),
  }));
  const ruled = await takeOneOfSeveral(
    services,
    log,
    'review',
    {
      message: { verdict, critical: said.some((one) => one.security && one.severity === 'critical'), findings: said },
      evidence: {
        shown: brief.prompt,
        paths: (await services.repository.files(change.commit)).map(({ path }) => path),
        beside: wordsBeside(transcript.value.text),
        settings: services.settings.messages,
      },
      words: said.map(inOneLine).join('\n'),
    },
    signal,
  );
  const rulings = ruled.rulings.length === 0 ? {} : { rulings: [...ruled.rulings] };
  if (ruled.objection !== undefined) return ruled.objection;
  if (ruled.unfit !== undefined && goesBackAtOnce(ruled.unfit))
    return {
      event: 'review_unreadable',
      reason: `${name}: ${ruled.unfit}`,
      facts: { ...rulings, strike: { station: 'local-reviewer', kind: 'refused', why: ruled.unfit } },
    };
  if (ruled.unfit !== undefined) {
    const why = `its answer does not count: ${ruled.unfit}`.slice(0, 500);
    return heard({ ...about, noVote: why, dropped: [...dropped], call }, `${name} has no vote: ${why}`, rulings);
  }
  const [first] = said;
  return heard(
    { ...about, verdict, findings: [...findings], dropped: [...dropped], call },
    `${name}: ${verdict}, ${findings.length} finding${findings.length === 1 ? '' : 's'}${dropped.length === 0 ? '' : `, ${dropped.length} left out`}${first === undefined ? '' : `; ${inOneLine(first)}`}`,
    rulings,
  );
}

const heard = (panel: PanelTurn, reason: string, more: Facts = {}): StepOutcome => ({
  event: 'reviewer_heard',
  reason,
  facts: { ...more, panel },
});

/** Whether the panel reaches its quorum without one more reviewer. */
function mayBeMissed(
  { settings }: Pick<Services, 'settings'>,
  { contract: { roles }, panel = [] }: LineRecord,
): boolean {
  const seats = roles.reviewers?.length ?? 1;
  const missed = panel.filter(({ round, noVote }) => round === 1 && noVote !== undefined).length;
  return seats - missed - 1 >= (settings.review.quorum ?? seats);
}

/** From which point of view it looks, and by which rules; a model without a profile has neither. */
async function viewOf(services: Pick<Services, 'journal' | 'profiles' | 'root'>, name: string): Promise<Viewpoint> {
  const { found } = profileNamed(services.profiles, name);
  if (found === undefined) return { roles: [], rules: [] };
  return { roles: found.roles, rules: rulesInWords(found, await rulebookFor(services.journal, services.root)) };
}

/** A folder that is this reviewer's alone; with the tree for a program whose tools only read. */
async function folderFor(
  { folders, repository }: Pick<Services, 'folders' | 'repository'>,
  place: string,
  change: Change,
  diff: string | undefined,
): Promise<string> {
  if (diff === undefined) return folders.empty(place);
  const folder = folders.desk(place, new Map([['diff.patch', diff]]), []);
  await repository.checkOut(change.commit, join(folder, 'tree'));
  return folder;
}

/** Looks quotes up in the change and in every file of its tree that an answer names. */
async function weigherFor(
  { repository }: Pick<Services, 'repository'>,
  record: LineRecord,
  change: Change,
  patch: string,
  named: readonly string[],
): Promise<WeighQuote> {
  const known = new Set((await repository.files(change.commit)).map(({ path }) => path));
  const changed = change.files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const wanted = [...new Set([...changed, ...named.map(citedPath)])].filter((path) => known.has(path));
  const texts = await repository.read(change.commit, wanted);
  return quoteWeigher({
    patch,
    linesOf: (path) => {
      const bytes = texts.get(path);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes).split('\n');
    },
    changed,
    gates: new Map((record.gates?.results ?? []).map(({ name, output }) => [name, output])),
  });
}
