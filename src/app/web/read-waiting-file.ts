import { HANDOFF, STOP_FILE } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import { checkWaitingFile, findWaitingFile, digestDraft, readStop } from '../../line/intake/waiting-file.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { toPlainTexts } from '../../base/plain-texts.ts';
import type { TaskOnPage } from '../../project/contract/draft/proposal-page.ts';
import type { WaitingFileResponse } from './api-types.ts';

/** A contract that waits, by its file, or the proposal, with its faults; or the file that holds the line. */
export async function readWaitingFile(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  file: string | undefined,
): Promise<WaitingFileResponse> {
  if (file === STOP_FILE) {
    const text = readStop(place);
    return { file, text, version: sha256(text), edit_at: null, faults: [], draft: null };
  }
  const { name, text, faults, draft } = await checkWaitingFile(place, env, findWaitingFile(place, file));
  return {
    file: `${HANDOFF}/${name}`,
    text,
    version: sha256(text),
    edit_at: findEditPath(place, name, text),
    faults,
    draft:
      draft === undefined ? null : { tasks: draft.tasks.map(toTask), by: draft.by ?? null, shown: digestDraft(draft) },
  };
}

/**
 * Where an editor must edit a file, of which a page does not show all: something in it is masked or written out. Null
 * where the page can edit it.
 */
export const findEditPath = ({ inboxRoot }: Pick<Workspace, 'inboxRoot'>, name: string, text: string): string | null =>
  toFileText(toPlainTexts(text), text) === text ? null : `${inboxRoot}/${HANDOFF}/${name}`;

/** A text of a page with the line ends of the file, which a browser does not keep. */
export const toFileText = (typed: string, before: string): string =>
  before.includes('\r\n') ? typed.replaceAll(/\r?\n/g, '\r\n') : typed;

/** A task with fields of its contract; read here, since the page gets it with hidden characters written out. */
function toTask(task: TaskOnPage): NonNullable<WaitingFileResponse['draft']>['tasks'][number] {
  const { title, specification, constraints } = parseJsonObject<Written>(task.contract, []) ?? {};
  const [requirements, allowed] = [specification?.requirements ?? [], constraints?.allowed_paths ?? []];
  return { ...task, title: title ?? task.taskId, requirements, allowed_paths: allowed };
}

interface Written {
  readonly title?: string;
  readonly specification?: { readonly requirements?: readonly string[] };
  readonly constraints?: { readonly allowed_paths?: readonly string[] };
}
