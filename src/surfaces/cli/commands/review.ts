import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { profileOf } from '../../../inspection/profiles.ts';
import { EXITS, asInspection } from '../../../panels/as-inspection.ts';
import { ofTask } from '../../../panels/of-task.ts';
import { review } from '../../../panels/review.ts';
import { baseBranch } from '../base-branch.ts';
import { lookOf } from './check.ts';
import { formatOption } from '../inspections.ts';
import { LOOKS, flag, givenOf, textOption } from '../options.ts';
import { json, printText } from '../print.ts';
import { asFacts, showProgress, showReview } from '../review-output.ts';
import { onFirstSignal } from '../signals.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { conflictingOptions, invalidValue, missingArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/**
 * `andon review`: checks a change against the rules of several agent profiles, and asks the models of those that name
 * a driver; what they say together. Progress goes to standard error, the report to standard output.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const write = formatOption(options);
  const format = textOption(options, 'format') ?? (flag(options, 'json') ? 'json' : 'text');
  const place = await findPlace(cwd, env);
  const profiles = namesIn(textOption(options, 'agents')).map((name) => profileOf(place.facts.root, name));
  const { look, surface, asked } = await whatOf(invocation);
  const stop = new AbortController();
  onFirstSignal(invocation, () => stop.abort());
  const rulesOnly = flag(options, 'rulesOnly');
  const request = {
    look,
    surface,
    asked,
    rulesOnly,
    waivers: textOption(options, 'waivers'),
    llm: flag(options, 'llm'),
  };
  const found = await review(place, { cwd, env }, request, profiles, { told: showProgress, signal: stop.signal });
  if (format === 'json') json(asFacts(found));
  else if (format === 'text') showReview(found);
  else printText(write(asInspection(found)));
  return EXITS[found.consensus.status];
}

/** What is reviewed, as it was typed; without a word it is what the branch changed. */
async function whatOf(
  invocation: Invocation,
): Promise<Pick<Parameters<typeof review>[2], 'look' | 'surface' | 'asked'>> {
  const { diff, ...others } = invocation.options;
  // `--diff` without a file is the change of the branch, alone or beside a plan or a contract.
  const isBare = diff === true;
  const options = isBare ? others : invocation.options;
  const isNamed = givenOf(options, LOOKS).length > 0;
  const task = textOption(options, 'task');
  if ([isNamed, options['base'] !== undefined, task !== undefined].filter(Boolean).length > 1)
    throw conflictingOptions([task === undefined ? '--base' : '--task', 'another subject'], 'andon review --help');
  if (task !== undefined)
    return withJournal(invocation, async (journal, place) => ({
      ...(await ofTask(place, recordOf(journal, task))),
      surface: 'ci',
    }));
  const isOfFiles = options['file'] !== undefined || flag(options, 'staged');
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
    throw invalidValue('--agents', written, 'each name once', `andon review --agents ${inOneTerminalLine(twice, 80)}`);
  return names;
}
