import { basename, resolve } from 'node:path';
import { completeWishes, standardWishes } from '../../../contract/draft/wishes.ts';
import type { PartialWishes } from '../../../contract/draft/wishes.ts';
import { openDraftDesk } from '../../../daemon/intake/contract-draft.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { errorLine } from '../print.ts';
import { mistake } from '../../../base/problem.ts';
import { askContract } from '../ask-contract.ts';
import { handIn, noteUnmatched } from '../hand-in.ts';
import { textOption } from '../options.ts';
import { converse, mayAsk } from '../prompts.ts';
import { fromRoot } from '../typed-paths.ts';
import { flagOf } from '../wish-flags.ts';
import { wishesGiven } from '../wish-options.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon new`: a contract from a spec, from flags, or from questions in a terminal; checked before it is dropped. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  if (textOption(options, 'spec') !== undefined)
    return (await import('../actions/create-from-spec.ts')).createFromSpec(invocation);
  const folder = resolve(cwd, textOption(options, 'project') ?? '.');
  const found = await findPlace(folder, env, { tolerates: 'the checkout' });
  const typed = fromRoot(wishesGiven(options), { cwd, root: found.facts.root });
  const given: PartialWishes = { ...typed, project: textOption(options, 'name') };
  const missing = missingIn(given);
  const asks = missing.length > 0 && mayAsk(invocation);
  if (missing.length > 0 && !asks)
    throw mistake(
      `Missing options: ${missing.join(', ')}.`,
      runCommand(
        "andon new --id FIX-1 --allow src/ --require 'Dates are shown in UTC'",
        'or `andon new` in a terminal',
      ),
    );
  const desk = await openDraftDesk(found, env);
  const place = { ...found, settings: desk.settings };
  const standard = standardWishes(basename(place.facts.root), place.settings.roles);
  try {
    for (const gap of desk.gaps) errorLine(gap);
    if (!asks) {
      const wishes = completeWishes(given, standard);
      await noteUnmatched(desk, wishes);
      return await handIn(invocation, place, desk, wishes);
    }
    return await converse('andon new', (ask) => askContract(ask, { invocation, place, desk, given, standard }));
  } finally {
    desk.close();
  }
}

function missingIn({ taskId, requirements, allowed, target }: PartialWishes): readonly string[] {
  return [
    taskId === undefined ? flagOf('taskId') : '',
    requirements === undefined ? flagOf('requirements') : '',
    allowed === undefined && target === undefined ? flagOf('allowed') : '',
  ].filter((name) => name !== '');
}
