import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { idOfTitle, readSpec } from '../../../contract/draft/task-spec.ts';
import { COMPLEXITY_LIMITS } from '../../../contract/task-contract-defaults.ts';
import { completeWishes, standardWishes } from '../../../contract/draft/wishes.ts';
import type { PartialWishes, Wishes } from '../../../contract/draft/wishes.ts';
import { openDraftDesk } from '../../../daemon/intake/contract-draft.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { mistake } from '../../../base/problem.ts';
import { handIn, noteUnmatched } from '../hand-in.ts';
import { textOption } from '../options.ts';
import { errorLine, remedyLine } from '../print.ts';
import { fromRoot } from '../typed-paths.ts';
import { flagOf } from '../wish-flags.ts';
import { wishesGiven } from '../wish-options.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon new --spec`: a contract from a spec file, without any model; flags win over what the spec says. */
export async function createFromSpec(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const spec = textOption(options, 'spec') ?? '';
  const read = readSpec(textOf(resolve(cwd, spec)));
  if (!read.ok)
    throw mistake(
      `${spec}: ${read.why.join(`\n${spec}: `)}`,
      `Correct the spec, then run \`andon new --spec ${spec}\`.`,
    );
  const place = await findPlace(resolve(cwd, textOption(options, 'project') ?? '.'), env);
  const { root } = place.facts;
  const said: PartialWishes = { ...read.value.wishes, ...fromRoot(wishesGiven(options), { cwd, root }) };
  const name = textOption(options, 'name') ?? said.project;
  const wishes: PartialWishes = {
    ...said,
    project: name ?? basename(root),
    taskId: said.taskId ?? idOfTitle(said.title),
    complexity: said.complexity ?? 'minor',
  };
  refuseGaps(spec, wishes);
  const note = (notice: string): void => remedyLine(inOneTerminalLine(`note: ${spec}: ${notice}`, 300));
  read.value.notices.forEach(note);
  const desk = await openDraftDesk(place, env);
  try {
    for (const gap of desk.gaps) errorLine(gap);
    const standard = standardWishes(basename(root), desk.settings.roles);
    const complete = completeWishes(wishes, standard);
    await noteUnmatched(desk, complete);
    if (said.complexity === undefined) note(usualLimits(complete));
    return await handIn(invocation, place, desk, complete);
  } finally {
    desk.close();
  }
}

/** What a task of unknown size gets, said because one of it is a ceiling of money. */
function usualLimits({ usd = COMPLEXITY_LIMITS.minor.usd }: Wishes): string {
  return `no complexity is named, so it counts as minor: at most $${usd.toFixed(2)} (change it with --complexity or --budget-usd)`;
}

/** Larger files are no specs. */
const READ_CAP = 1024 * 1024;

function textOf(file: string): string {
  if (!existsSync(file)) throw mistake(`There is no file ${file}.`, runCommand('andon new --spec SPEC.md'));
  const stat = statSync(file);
  if (!stat.isFile() || stat.size > READ_CAP)
    throw mistake(`${file} is no plain file of at most 1 MB.`, runCommand('andon new --spec SPEC.md'));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    throw mistake(`${file} is not valid UTF-8.`, 'Save it as UTF-8.');
  }
}

function refuseGaps(spec: string, { taskId, requirements = [], allowed = [], target }: PartialWishes): void {
  const gaps = [
    taskId === undefined ? `title to make a task id of (${flagOf('taskId')} FIX-1)` : '',
    requirements.length === 0 ? `list under \`## Requirements\` (${flagOf('requirements')} '…')` : '',
    allowed.length === 0 && target === undefined ? `list under \`## Allowed paths\` (${flagOf('allowed')} src/)` : '',
  ].filter((gap) => gap !== '');
  if (gaps.length > 0)
    throw mistake(
      gaps.map((gap) => `${spec}: there is no ${gap}`),
      'Complete the spec, or add the flag.',
    );
}
