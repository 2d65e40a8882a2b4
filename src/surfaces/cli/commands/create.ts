import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { idOfTitle, readSpec } from '../../../contract/draft/task-spec.ts';
import { COMPLEXITY_LIMITS } from '../../../contract/task-contract-defaults.ts';
import type { ContractDraft, PartialDraft } from '../../../contract/contract-fields.ts';
import { fillDefaults, projectDefaults } from '../../../contract/draft/contract-draft.ts';
import { openDraftDesk } from '../../../daemon/intake/contract-draft.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { mistake } from '../../../base/problem.ts';
import { handIn, noteUnmatched } from '../hand-in.ts';
import { textOption } from '../options.ts';
import { errorLine, remedyLine } from '../print.ts';
import { fromRoot } from '../typed-paths.ts';
import { draftFromFlags } from '../contract-flags.ts';
import { flagOf } from '../contract-options.ts';
import type { Invocation } from '../command.ts';

/** `andon create`: a contract from a spec file, without any model; flags win over what the spec says. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const spec = textOption(options, 'spec');
  if (spec === undefined) throw mistake('which spec?', 'andon create --project <folder> --spec SPEC.md');
  const read = readSpec(textOf(resolve(cwd, spec)));
  if (!read.ok) throw mistake(`${spec}: ${read.why.join(`\n${spec}: `)}`, 'correct the spec and try again');
  const place = await findPlace(resolve(cwd, textOption(options, 'project') ?? '.'), env);
  const { root } = place.facts;
  const said: PartialDraft = { ...read.value.draft, ...fromRoot(draftFromFlags(options), { cwd, root }) };
  const name = textOption(options, 'name') ?? said.project;
  const draft: PartialDraft = {
    ...said,
    project: name ?? basename(root),
    task_id: said.task_id ?? idOfTitle(said.title),
    complexity: said.complexity ?? 'minor',
  };
  refuseGaps(spec, draft);
  const note = (notice: string): void => remedyLine(inOneTerminalLine(`note: ${spec}: ${notice}`, 300));
  read.value.notices.forEach(note);
  const desk = await openDraftDesk(place, env);
  try {
    for (const gap of desk.gaps) errorLine(gap);
    const defaults = projectDefaults(basename(root), desk.settings.roles);
    const complete = fillDefaults(draft, defaults);
    await noteUnmatched(desk, complete);
    if (said.complexity === undefined) note(usualLimits(complete));
    return await handIn(invocation, place, desk, complete);
  } finally {
    desk.close();
  }
}

/** What a task of unknown size gets, said because one of it is a ceiling of money. */
function usualLimits({ budget_usd: usd = COMPLEXITY_LIMITS.minor.budget_usd }: ContractDraft): string {
  return `no complexity is named, so it counts as minor: at most $${usd.toFixed(2)} (--complexity or --budget-usd says otherwise)`;
}

/** Larger files are no specs. */
const READ_CAP = 1024 * 1024;

function textOf(file: string): string {
  if (!existsSync(file)) throw mistake(`there is no file ${file}`, 'name a file that is there');
  const stat = statSync(file);
  if (!stat.isFile() || stat.size > READ_CAP)
    throw mistake(`${file} is no plain file of at most 1 MB`, 'name a text file');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    throw mistake(`${file} is not valid UTF-8`, 'save it as UTF-8');
  }
}

function refuseGaps(
  spec: string,
  { task_id: taskId, requirements = [], allowed_paths: allowed = [], target_file: target }: PartialDraft,
): void {
  const gaps = [
    taskId === undefined ? `title to make a task id of (${flagOf('task_id')} FIX-1)` : '',
    requirements.length === 0 ? `list under \`## Requirements\` (${flagOf('requirements')} '…')` : '',
    allowed.length === 0 && target === undefined
      ? `list under \`## Allowed paths\` (${flagOf('allowed_paths')} src/)`
      : '',
  ].filter((gap) => gap !== '');
  if (gaps.length > 0)
    throw mistake(
      gaps.map((gap) => `${spec}: there is no ${gap}`),
      'complete the spec, or give the flag',
    );
}
