import { toTerminalLine } from '../../../base/plain-text.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { requireProfile } from '../../../rules/files/profiles.ts';
import { EXITS, toInspection, review } from '../../panels/review.ts';
import { loadTaskSubject } from '../../panels/ask-panel.ts';
import { baseBranch, lookOf } from './check.ts';
import { formatOption, readLlmOption } from '../inspections.ts';
import { SUBJECT_OPTIONS, hasFlag, listGivenOptions, readTextOption } from '../options.ts';
import { printJson, printText } from '../print.ts';
import { toReviewJson, showProgress, showReview } from '../review-output.ts';
import { abortOnSignal } from '../signals.ts';
import { findRecord, withJournal } from '../tasks.ts';
import { conflictingOptions, invalidValue, missingArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

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
