import { toTerminalLine, toTerminal } from '../../../base/plain-text.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { requireProfile } from '../../../rules/files/profiles.ts';
import { EXITS, toInspection, review, type ProfileReview, type PanelReview } from '../../panels/review.ts';
import { loadTaskSubject, type PanelProgress } from '../../panels/ask-panel.ts';
import { baseBranch, lookOf } from './check.ts';
import { formatOption, readLlmOption } from '../inspections.ts';
import { SUBJECT_OPTIONS, hasFlag, listGivenOptions, readTextOption } from '../options.ts';
import { printJson, printText, printLine, colourText } from '../print.ts';
import { abortOnSignal } from '../signals.ts';
import { findRecord, withJournal } from '../tasks.ts';
import { conflictingOptions, invalidValue, missingArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { isScored } from '../../../rules/enforce/decide-exit.ts';
import { isOpen } from '../../../rules/model/inspection.ts';
import { formatPlace } from '../../../base/format-place.ts';
import { formatCount } from '../../../base/format-count.ts';
import type { SettledFinding } from '../../../line/panel/settle.ts';
import { reportJson as asJson } from '../../../rules/reporters/json.ts';
import { listDetails, findingHeadline, findingLocation, sortBySeverity } from '../../../rules/reporters/wording.ts';
import { withoutSecrets } from '../../../rules/secrets/mask-secrets.ts';

/**
 * `andon review`: checks a change against the rules of several agent profiles, and asks the models of those that name
 * a driver; what they say together. Progress goes to standard error, the report to standard output.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const write = formatOption(options);
  const format = readTextOption(options, 'format') ?? (hasFlag(options, 'json') ? 'json' : 'text');
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const profiles = namesIn(readTextOption(options, 'agents')).map((name) => requireProfile(place.facts.root, name));
  const { look, surface, asked } = await readSubject(invocation);
  const { llm, signal = abortOnSignal(invocation) } = await readLlmOption(invocation);
  const request = {
    look,
    surface,
    asked,
    rulesOnly: hasFlag(options, 'rulesOnly'),
    llm,
  };
  const found = await review(place, { cwd, env }, request, profiles, { onProgress: showProgress, signal });
  if (format === 'json') printJson(toReviewJson(found));
  else if (format === 'text') showReview(found);
  else printText(write(toInspection(found)));
  return EXITS[found.consensus.status];
}

/** What is reviewed, as it was typed; without a word it is what the branch changed. */
async function readSubject(
  invocation: Invocation,
): Promise<Pick<Parameters<typeof review>[2], 'look' | 'surface' | 'asked'>> {
  const { diff, ...others } = invocation.options;
  // `--diff` without a file is the change of the branch, alone or beside a plan or a contract.
  const isBare = diff === true;
  const options = isBare ? others : invocation.options;
  const isNamed = listGivenOptions(options, SUBJECT_OPTIONS).length > 0;
  const task = readTextOption(options, 'task');
  if ([isNamed, options['base'] !== undefined, task !== undefined].filter(Boolean).length > 1)
    throw conflictingOptions([task === undefined ? '--base' : '--task', 'another subject'], 'andon review --help');
  if (task !== undefined)
    return withJournal(invocation, async (journal, place) => ({
      ...(await loadTaskSubject(place, await findRecord(place, journal, task))),
      surface: 'ci',
    }));
  const isOfFiles = options['file'] !== undefined || hasFlag(options, 'staged');
  if (isBare && isOfFiles)
    throw conflictingOptions(['--diff without a file', '--file or --staged'], 'andon review --help');
  const look = isNamed ? await lookOf({ ...invocation, options }) : {};
  if (isNamed && !isBare) return { look, surface: 'gate', asked: undefined };
  return { look: { ...look, base: await baseBranch(invocation) }, surface: 'ci', asked: undefined };
}

function namesIn(written: string | undefined): readonly string[] {
  const names = (written ?? '').split(',').map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (written === undefined || names.includes(''))
    throw missingArgument('--agents <names>', 'andon agents list', 'to see all profiles');
  if (twice !== undefined)
    throw invalidValue('--agents', written, 'each name once', `andon review --agents ${toTerminalLine(twice, 80)}`);
  return names;
}

/** Prints the progress of a panel to standard error, in the order of the answers. */
function showProgress(news: PanelProgress): void {
  const { name } = news.seat.profile;
  if (news.kind === 'asked') {
    const { agent, model } = news.seat.worker;
    return aside(
      `${name}: asked${news.round === 2 ? ' about what the others found' : ''} (${`${agent.id} ${model}`.trim()})`,
    );
  }
  const { turn, ms, waiting } = news;
  const took = `${(ms / 1000).toFixed(1)} s${waiting.length === 0 ? '' : `; waiting for ${waiting.join(', ')}`}`;
  if (turn.noVote !== undefined) return aside(`${name}: no answer that counts, ${took}: ${turn.noVote}`);
  const left = turn.dropped?.length ?? 0;
  const rest = `${left === 0 ? '' : `, ${left} left out`}, ${took}`;
  if (turn.round === 2) return aside(`${name}: ${formatCount(turn.positions?.length ?? 0, 'answer')}${rest}`);
  aside(`${name}: ${turn.verdict ?? ''}, ${formatCount(turn.findings?.length ?? 0, 'finding')}${rest}`);
  for (const finding of turn.findings ?? [])
    aside(`${finding.severity} ${formatPlace(finding.file, finding.line)} ${finding.description}`, '  ');
}

const aside = (text: string, indent = ''): void => {
  process.stderr.write(
    `${indent}${toTerminal(toTerminalLine(withoutSecrets(text), 300)).replace(/^(\s*)::/, '$1: :')}\n`,
  );
};

const COLOURS = { PASS: 'green', WARN: 'yellow', FAIL: 'red', UNDECIDED: 'red' } as const;

function showReview({ reviews, consensus, panel }: PanelReview): void {
  for (const one of reviews) showOne(one, panel);
  printLine('');
  printLine(`${colourText(COLOURS[consensus.status], consensus.status)}  ${toTerminalLine(consensus.because, 400)}`);
}

function showOne({ profile, vote, inspection }: ProfileReview, panel: PanelReview['panel']): void {
  const word = vote.said === 'VIOLATED' && vote.must !== true ? 'VIOLATED (no MUST)' : vote.said;
  const roles = profile.roles.length === 0 ? '' : ` (${profile.roles.join(', ')})`;
  printLine(
    `${profile.name}${roles}: ${word}${inspection === undefined ? '' : `, ${isScored(inspection) ? `score ${inspection.score}` : 'no score'}, ${inspection.mode}`}`,
  );
  for (const finding of sortBySeverity(inspection?.findings ?? []).filter(isOpen)) {
    printLine(`  ${toTerminalLine(`${findingLocation(finding)}  ${finding.rule}: ${findingHeadline(finding)}`, 300)}`);
    for (const more of listDetails(finding)) printLine(colourText('dim', `    ${toTerminalLine(more, 300)}`));
  }
  for (const { where, what } of inspection?.faults ?? []) printLine(`  ${toTerminalLine(`${where}: ${what}`, 400)}`);
  for (const warning of inspection?.warnings ?? [])
    printLine(colourText('dim', `  note: ${toTerminalLine(warning, 300)}`));
  if (panel !== undefined) showModel(profile.name, panel);
}

function showModel(name: string, { settled, used }: NonNullable<PanelReview['panel']>): void {
  const silent = settled.silent.get(name);
  if (silent !== undefined) printLine(`  ${toTerminalLine(withoutSecrets(`no vote: ${silent}`), 400)}`);
  for (const one of settled.findings.filter(({ by }) => by === name)) {
    for (const [at, text] of renderFinding(one).entries())
      printLine(at === 0 ? `  ${toTerminalLine(text, 300)}` : colourText('dim', `    ${toTerminalLine(text, 300)}`));
  }
  for (const { what, why } of settled.dropped.get(name) ?? [])
    printLine(colourText('dim', `  left out: ${toTerminalLine(withoutSecrets(`${what} (${why})`), 300)}`));
  const calls = used.filter(({ reviewer }) => reviewer === name);
  if (calls.length === 0) return;
  const usd = calls.map(({ usage }) => usage.usd);
  const cost = usd.includes(null)
    ? 'cost unknown'
    : `$${usd.reduce<number>((sum, one) => sum + (one ?? 0), 0).toFixed(4)}`;
  printLine(
    colourText(
      'dim',
      `  ${formatCount(calls.length, 'call')}, ${cost}, ${(Math.max(...calls.map(({ ms }) => ms)) / 1000).toFixed(1)} s at most`,
    ),
  );
}

function renderFinding({ id, finding, alsoBy, agreed, disagreed, state }: SettledFinding): readonly string[] {
  const { severity, category, file, line: at, quote, description, fix } = finding;
  const lines = [
    alsoBy.length === 0 ? '' : `also found by ${alsoBy.join(', ')}`,
    agreed.length === 0 ? '' : `${agreed.join(', ')} agreed`,
    disagreed.length === 0 ? '' : `${disagreed.join(', ')} disagreed, with a citation`,
  ].filter((part) => part !== '');
  return [
    `${formatPlace(file, at)}  ${id} ${severity} ${category}${state === 'stands' ? '' : `, ${state}`}: ${description}`,
    `quotes: ${quote}`,
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
    ...(lines.length === 0 ? [] : [lines.join('; ')]),
  ].map(withoutSecrets);
}

const toReviewJson = ({ reviews, consensus, panel }: PanelReview): object => ({
  status: consensus.status,
  decided_by: consensus.decidedBy,
  because: consensus.because,
  ...(panel === undefined ? {} : { rounds: panel.rounds }),
  agents: reviews.map(({ profile, vote, inspection }) => ({
    name: profile.name,
    roles: profile.roles,
    vote: vote.said,
    must: vote.must ?? false,
    report: inspection === undefined ? null : (JSON.parse(asJson(inspection)) as unknown),
    ...(panel?.settled.dropped.has(profile.name) === true ? modelFacts(profile.name, panel) : {}),
  })),
});

const modelFacts = (name: string, { settled, used }: NonNullable<PanelReview['panel']>): object => ({
  no_vote: settled.silent.get(name) ?? null,
  findings: settled.findings
    .filter(({ by }) => by === name)
    .map(({ id, finding, alsoBy, agreed, disagreed, state }) => ({
      id,
      ...finding,
      quote: withoutSecrets(finding.quote),
      description: withoutSecrets(finding.description),
      state,
      also_by: alsoBy,
      agreed,
      disagreed,
    })),
  dropped: (settled.dropped.get(name) ?? []).map(({ what, why }) => ({
    what: withoutSecrets(what),
    why: withoutSecrets(why),
  })),
  calls: used
    .filter(({ reviewer }) => reviewer === name)
    .map(({ round, usage, ms }) => ({
      round,
      usd: usage.usd,
      tokens_in: usage.tokensIn,
      tokens_out: usage.tokensOut,
      ms,
    })),
});
