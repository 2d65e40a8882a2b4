import { isUtf8 } from 'node:buffer';
import { basename, resolve } from 'node:path';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { idOfTitle, readSpec } from '../../../contract/draft/task-spec.ts';
import type { ContractDraft, PartialDraft } from '../../../contract/contract-fields.ts';
import { fillDefaults, projectDefaults } from '../../../contract/draft/contract-draft.ts';
import { COMPLEXITY_LIMITS } from '../../../contract/task-contract-defaults.ts';
import { openContractChecker } from '../../../daemon/intake/contract-checker.ts';
import { readBytes } from '../../../inspection/read-files.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { askContract } from '../ask-contract.ts';
import { submitContract, noteUnmatched } from '../submit-contract.ts';
import { readTextOption } from '../options.ts';
import { printErrorLine, printRemedy } from '../print.ts';
import { runPrompts, mayAsk } from '../prompts.ts';
import { fromRoot } from '../typed-paths.ts';
import { runCommand } from '../usage-errors.ts';
import { draftFromFlags } from '../contract-flags.ts';
import { flagOf } from '../contract-options.ts';
import type { Invocation } from '../command.ts';

/** `andon new`: a contract from a spec, from flags that win over it, or from questions; checked before it is dropped. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const file = readTextOption(options, 'spec');
  const spec = file === undefined ? undefined : specIn(resolve(cwd, file), file);
  const folder = resolve(cwd, readTextOption(options, 'project') ?? '.');
  const found = await loadWorkspace(folder, env, { tolerates: 'the checkout' });
  const { root } = found.facts;
  const said: PartialDraft = { ...spec?.draft, ...fromRoot(draftFromFlags(options), { cwd, root }) };
  const given: PartialDraft = {
    ...said,
    ...(spec && defaultsOfSpec(said)),
    project: readTextOption(options, 'name') ?? said.project,
  };
  const missing = missingIn(given);
  const asks = missing.length > 0 && mayAsk(invocation);
  if (missing.length > 0 && !asks) throw missingFields(missing, file);
  const note = (text: string): void => printRemedy(toTerminalLine(`note: ${file ?? ''}: ${text}`, 300));
  spec?.notices.forEach(note);
  const checker = await openContractChecker(found, env);
  const place = { ...found, settings: checker.settings };
  const defaults = projectDefaults(basename(root), place.settings.roles);
  try {
    for (const gap of checker.gaps) printErrorLine(gap);
    if (asks)
      return await runPrompts('andon new', (ask) => askContract(ask, { invocation, place, checker, given, defaults }));
    const draft = fillDefaults(given, defaults);
    await noteUnmatched(checker, draft);
    if (spec !== undefined && said.complexity === undefined) note(usualLimits(draft));
    return await submitContract(invocation, place, checker, draft);
  } finally {
    checker.close();
  }
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
      ? runCommand(
          "andon new --id FIX-1 --allow src/ --require 'Dates are shown in UTC'",
          'or `andon new` in a terminal',
        )
      : `Add the options, or a title, \`## Requirements\` and \`## Allowed paths\` to ${spec}.`,
  );
