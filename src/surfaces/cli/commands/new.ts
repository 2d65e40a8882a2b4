import { isUtf8 } from 'node:buffer';
import { basename, resolve } from 'node:path';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { toShellWord } from '../../../base/shell-word.ts';
import { idOfTitle, readSpec } from '../../../contract/draft/task-spec.ts';
import type { ContractDraft, PartialDraft } from '../../../contract/contract-fields.ts';
import { fillDefaults, projectDefaults } from '../../../contract/draft/contract-draft.ts';
import { COMPLEXITY_LIMITS } from '../../../contract/task-contract-defaults.ts';
import { openContractChecker } from '../../../daemon/intake/contract-checker.ts';
import { readBytes } from '../../../inspection/read-files.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { askContract } from '../ask-contract.ts';
import { proposeContract } from '../propose-contract.ts';
import type { ProposedContract } from '../propose-contract.ts';
import { submitContract, noteUnmatched } from '../submit-contract.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printErrorLine, printRemedy } from '../print.ts';
import { runPrompts, mayAsk } from '../prompts.ts';
import { fromRoot } from '../typed-paths.ts';
import { runCommand } from '../usage-errors.ts';
import { draftFromFlags } from '../contract-flags.ts';
import { flagOf } from '../contract-options.ts';
import type { Invocation } from '../command.ts';

/**
 * `andon new`: a contract from a sentence, a spec, or flags that win over both. What they leave open is proposed, and asked
 * only where nothing tells it; checked before it is dropped.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const file = readTextOption(options, 'spec');
  const spec = file === undefined ? undefined : specIn(resolve(cwd, file), file);
  const folder = resolve(cwd, readTextOption(options, 'project') ?? '.');
  const found = await loadWorkspace(folder, env, { tolerates: 'the checkout' });
  const { root } = found.facts;
  const said: PartialDraft = { ...spec?.draft, ...fromRoot(draftFromFlags(options), { cwd, root }) };
  const [typed] = invocation.args;
  const sentence = Array.isArray(typed) ? typed.map(String).join(' ').trim() : '';
  const given: PartialDraft = {
    ...said,
    ...(spec && defaultsOfSpec(said)),
    ...(sentence !== '' && withSentence(said, sentence)),
    project: readTextOption(options, 'name') ?? said.project,
  };
  const asks = missingIn(given).length > 0 && mayAsk(invocation);
  const missing = missingIn(given);
  if (missing.length > 0 && !asks && sentence === '') throw missingFields(missing, file);
  const note = (text: string): void => printRemedy(toTerminalLine(`note: ${file ?? ''}: ${text}`, 300));
  spec?.notices.forEach(note);
  const checker = await openContractChecker(found, env);
  const place = { ...found, settings: checker.settings };
  const defaults = projectDefaults(basename(root), place.settings.roles);
  try {
    for (const gap of checker.gaps) printErrorLine(gap);
    if (asks)
      return await runPrompts('andon new', (ask) => askContract(ask, { invocation, place, checker, given, defaults }));
    const proposed = missing.length === 0 ? { draft: given } : await proposeContract(checker, given, defaults);
    if (missing.length > 0) refuseGuess(invocation, proposed, sentence);
    const draft = fillDefaults(proposed.draft, defaults);
    await noteUnmatched(checker, draft);
    if (spec !== undefined && said.complexity === undefined) note(usualLimits(draft));
    return await submitContract(invocation, place, checker, draft);
  } finally {
    checker.close();
  }
}

/** The sentence is the requirement; beside requirements it is the title. */
const withSentence = ({ requirements = [], title }: PartialDraft, sentence: string): PartialDraft =>
  requirements.length === 0 ? { requirements: [sentence] } : { title: title ?? sentence };

/** Without a person who looks at it, a guess counts only with `--yes`. */
function refuseGuess({ options }: Invocation, { draft, guessed = [] }: ProposedContract, sentence: string): void {
  const missing = missingIn(draft);
  if (missing.length > 0)
    throw createUsageError(
      'No file is named in the sentence, and none has a name like it.',
      runCommand(`andon new ${toShellWord(sentence) ?? '"…"'} --allow src/`, 'with the files that may change'),
    );
  if (guessed.length === 0 || hasFlag(options, 'yes') || hasFlag(options, 'print')) return;
  const paths = guessed.map((path) => toTerminalLine(path, 200));
  throw createUsageError(
    `These files were only found by their names: ${paths.join(', ')}.`,
    `Name the files with --allow, or take these: andon new ${toShellWord(sentence) ?? '"…"'} --yes`,
  );
}

function specIn(path: string, name: string): { readonly draft: PartialDraft; readonly notices: readonly string[] } {
  const bytes = readBytes(path, name);
  if (!isUtf8(bytes)) throw createUsageError(`${name} is not valid UTF-8.`, 'Save it as UTF-8.');
  const read = readSpec(new TextDecoder().decode(bytes));
  if (read.ok) return read.value;
  throw createUsageError(
    read.why.map((why) => `${name}: ${why}`),
    `Correct the spec, then run \`andon new --spec ${name}\`.`,
  );
}

/** A spec need not name an id or a complexity. */
const defaultsOfSpec = ({ task_id: id, title, complexity }: PartialDraft): PartialDraft => ({
  task_id: id ?? idOfTitle(title),
  complexity: complexity ?? 'minor',
});

/** The ceiling of a task of unknown size, said because it is money. */
function usualLimits({ budget_usd: usd = COMPLEXITY_LIMITS.minor.budget_usd }: ContractDraft): string {
  return `no complexity is named, so it counts as minor: at most $${usd.toFixed(2)} (change it with --complexity or --budget-usd)`;
}

function missingIn({
  task_id: id,
  requirements,
  allowed_paths: allowed,
  target_file: target,
}: PartialDraft): readonly string[] {
  return [
    id === undefined ? flagOf('task_id') : '',
    (requirements ?? []).length === 0 ? flagOf('requirements') : '',
    (allowed ?? []).length === 0 && target === undefined ? flagOf('allowed_paths') : '',
  ].filter((name) => name !== '');
}

const missingFields = (missing: readonly string[], spec: string | undefined): Error =>
  createUsageError(
    `Missing options: ${missing.join(', ')}.`,
    spec === undefined
      ? runCommand("andon new 'Dates are shown in UTC' --allow src/", 'or `andon new` in a terminal')
      : `Add the options, or a title, \`## Requirements\` and \`## Allowed paths\` to ${spec}.`,
  );
