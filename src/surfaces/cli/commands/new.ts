import { basename } from 'node:path';
import type { PartialDraft } from '../../../contract/contract-fields.ts';
import { fillDefaults, projectDefaults } from '../../../contract/draft/contract-draft.ts';
import { openDraftDesk } from '../../../daemon/intake/contract-draft.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { errorLine } from '../print.ts';
import { mistake } from '../../../base/problem.ts';
import { askContract } from '../ask-contract.ts';
import { handIn, noteUnmatched } from '../hand-in.ts';
import { textOption } from '../options.ts';
import { converse, mayAsk } from '../prompts.ts';
import { fromRoot } from '../typed-paths.ts';
import { draftFromFlags } from '../contract-flags.ts';
import { flagOf } from '../contract-options.ts';
import type { Invocation } from '../command.ts';

/** `andon new`: a contract from flags, or from questions in a terminal; checked before it is dropped. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const found = await findPlace(cwd, env, { tolerates: 'the checkout' });
  const typed = fromRoot(draftFromFlags(options), { cwd, root: found.facts.root });
  const given: PartialDraft = { ...typed, project: textOption(options, 'project') };
  const missing = missingIn(given);
  const asks = missing.length > 0 && mayAsk(invocation);
  if (missing.length > 0 && !asks)
    throw mistake(
      `a contract needs ${missing.join(', ')}`,
      "andon new --id FIX-1 --allow src/ --require 'Dates are shown in UTC' (in a terminal, `andon new` alone asks)",
    );
  const desk = await openDraftDesk(found, env);
  const place = { ...found, settings: desk.settings };
  const defaults = projectDefaults(basename(place.facts.root), place.settings.roles);
  try {
    for (const gap of desk.gaps) errorLine(gap);
    if (!asks) {
      const draft = fillDefaults(given, defaults);
      await noteUnmatched(desk, draft);
      return await handIn(invocation, place, desk, draft);
    }
    return await converse('andon new', (ask) => askContract(ask, { invocation, place, desk, given, defaults }));
  } finally {
    desk.close();
  }
}

function missingIn({
  task_id: taskId,
  requirements,
  allowed_paths: allowed,
  target_file: target,
}: PartialDraft): readonly string[] {
  return [
    taskId === undefined ? flagOf('task_id') : '',
    requirements === undefined ? flagOf('requirements') : '',
    allowed === undefined && target === undefined ? flagOf('allowed_paths') : '',
  ].filter((name) => name !== '');
}
