import { HANDOFF } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import { checkPaper, findPaper, toShown } from '../../daemon/intake/waiting-paper.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { PaperResponse } from './api-types.ts';

/** A contract that waits, by its file, or the proposal, with its faults. */
export async function readPaper(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  file: string | undefined,
): Promise<PaperResponse> {
  const { name, text, faults, draft } = await checkPaper(place, env, findPaper(place, file));
  return {
    file: `${HANDOFF}/${name}`,
    text,
    version: sha256(text),
    faults,
    draft: draft === undefined ? null : { tasks: draft.tasks, by: draft.by ?? null, shown: toShown(draft) },
  };
}
