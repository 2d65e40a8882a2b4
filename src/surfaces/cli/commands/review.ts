import { isOpen } from '../../../rule-model/inspection.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { findPlace } from '../../../daemon/wiring/open-place.ts';
import { profileOf } from '../../../inspection/profiles.ts';
import { review } from '../../../inspection/review.ts';
import type { ProfileReview, Review } from '../../../inspection/review.ts';
import { json as asJson } from '../../../rules/reporters/json.ts';
import { details, headline, placeOf, worstFirst } from '../../../rules/reporters/wording.ts';
import { baseOf } from './ci.ts';
import { lookOf } from './check.ts';
import { flag, textOption } from '../options.ts';
import { json, line, styled } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon review`: a change held against the rules of several agent profiles, and what they say together. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const place = await findPlace(cwd, env);
  const profiles = namesIn(textOption(options, 'agents')).map((name) => profileOf(place.facts.root, name));
  const isNamed = ['plan', 'contract', 'file', 'diff', 'staged'].some((option) => options[option] !== undefined);
  if (isNamed && options['base'] !== undefined)
    throw new Problem('bad-argument', '--base cannot be put together with another', 'review one after the other');
  const look = isNamed ? await lookOf(invocation) : { base: await baseOf(invocation) };
  const surface = isNamed ? 'gate' : 'ci';
  const request = { look, surface, waivers: textOption(options, 'waivers'), llm: flag(options, 'llm') } as const;
  const found = await review(place, { cwd, env }, request, profiles);
  if (flag(options, 'json')) json(asFacts(found));
  else show(found);
  return EXITS[found.consensus.status];
}

const EXITS = { PASS: 0, WARN: 0, FAIL: 1, UNDECIDED: 2 } as const;

function namesIn(written: string | undefined): readonly string[] {
  const names = (written ?? '').split(',').map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (written === undefined || names.includes(''))
    throw new Problem(
      'bad-argument',
      'which agents?',
      'andon review --agents claude,claude-admin; andon agents list shows them',
    );
  if (twice !== undefined)
    throw new Problem('bad-argument', `--agents names ${inOneTerminalLine(twice, 80)} twice`, 'each has one voice');
  return names;
}

const COLOURS = { PASS: 'green', WARN: 'yellow', FAIL: 'red', UNDECIDED: 'red' } as const;

function show({ reviews, consensus }: Review): void {
  for (const one of reviews) showOne(one);
  line('');
  line(`${styled(COLOURS[consensus.status], consensus.status)}  ${inOneTerminalLine(consensus.because, 400)}`);
}

function showOne({ profile, vote, inspection }: ProfileReview): void {
  const word = vote.said === 'VIOLATED' && vote.must !== true ? 'VIOLATED (no MUST)' : vote.said;
  const roles = profile.roles.length === 0 ? '' : ` (${profile.roles.join(', ')})`;
  line(`${profile.name}${roles}: ${word}, score ${inspection.score}, ${inspection.mode}`);
  for (const finding of worstFirst(inspection.findings).filter(isOpen)) {
    line(`  ${inOneTerminalLine(`${placeOf(finding)}  ${finding.rule}: ${headline(finding)}`, 300)}`);
    for (const more of details(finding)) line(styled('dim', `    ${inOneTerminalLine(more, 300)}`));
  }
  for (const { where, what } of inspection.faults) line(`  ${inOneTerminalLine(`${where}: ${what}`, 400)}`);
  for (const warning of inspection.warnings) line(styled('dim', `  note: ${inOneTerminalLine(warning, 300)}`));
}

const asFacts = ({ reviews, consensus }: Review): object => ({
  status: consensus.status,
  decided_by: consensus.decidedBy,
  because: consensus.because,
  agents: reviews.map(({ profile, vote, inspection }) => ({
    name: profile.name,
    roles: profile.roles,
    vote: vote.said,
    must: vote.must ?? false,
    report: JSON.parse(asJson(inspection)) as unknown,
  })),
});
