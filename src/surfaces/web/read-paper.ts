import { HANDOFF } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import { checkPaper, findPaper, toShown } from '../../daemon/intake/waiting-paper.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import type { TaskOnPage } from '../../contract/draft/proposal-page.ts';
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
    draft: draft === undefined ? null : { tasks: draft.tasks.map(toTask), by: draft.by ?? null, shown: toShown(draft) },
  };
}

/** A task with what its contract says; read here, because a page gets texts in which what hides is written out. */
function toTask(task: TaskOnPage): NonNullable<PaperResponse['draft']>['tasks'][number] {
  const { title, specification, constraints } = parseJsonObject<Written>(task.contract, []) ?? {};
  const [requirements, allowed] = [specification?.requirements ?? [], constraints?.allowed_paths ?? []];
  return { ...task, title: title ?? task.taskId, requirements, allowed_paths: allowed };
}

interface Written {
  readonly title?: string;
  readonly specification?: { readonly requirements?: readonly string[] };
  readonly constraints?: { readonly allowed_paths?: readonly string[] };
}
