import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import { FILES, TERMINAL, toBranchName } from '../../base/names.ts';
import { checkPattern, classifyPath, isProtected, mayBeAllowed } from '../../base/paths.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { ContractDraft } from '../../contract/contract-fields.ts';
import type { Queued } from '../../line/order/turns.ts';
import { findActiveTask } from '../journal/active-task.ts';
import { admitContract } from './admit.ts';
import { composeContract } from './compose-contract.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { openTargetServices } from '../../wiring/configuration.ts';
import { readDecidingFiles } from '../../wiring/project-files.ts';
import { buildServices } from '../../wiring/open-services.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Services } from '../../wiring/services.ts';

/** Opens the desk of a repository for reading. */
export async function openDraftDesk(place: Workspace, env: NodeJS.ProcessEnv) {
  const journal = readJournal(place);
  const services = await openTargetServices(await buildServices(place, env, () => {}, journal ?? NO_JOURNAL));
  await services.configuration.refresh();
  return {
    ...draftDesk(services),
    /** What the target's configuration says; where it commits none, the usual roles are those of the checkout. */
    settings:
      readDecidingFiles(services.project).size === 0
        ? { ...services.settings, roles: place.settings.roles }
        : services.settings,
    /** How the checkout differs from it, a sentence each. */
    gaps: services.configuration.gaps(),
    close: () => journal?.close(),
  };
}

/** Where a contract is drafted: checked by the rules of admission, never admitted. */
export type DraftDesk = Awaited<ReturnType<typeof openDraftDesk>>;

/** The desk of a line that is open already. */
export function draftDesk(services: Services) {
  return {
    /** The text of a contract; no hash binds it to sources that another task may change before. */
    write: (draft: ContractDraft, mayChange?: readonly string[]): string =>
      `${JSON.stringify(composeContract(services.root, draft, mayChange), null, 2)}\n`,
    /** Every fault for which the line, or what waits for it already, would refuse this text; and what its author should know. `beside` is dropped with it. */
    async look(text: string, beside: readonly Queued[] = []) {
      const admitted = await admitContract(services, text, { beside });
      const faults = [...(admitted.ok ? [] : admitted.why), ...waitsAlready(services, text)];
      return { faults, notices: admitted.ok ? admitted.value.notices : [] };
    },
    /** The paths of a contract without a fault that no file of the target branch lies at: a slip, or files to come. */
    async unmatched(text: string, beside: readonly Queued[] = []): Promise<readonly string[]> {
      const admitted = await admitContract(services, text, { beside });
      if (!admitted.ok) return [];
      const { base, contract } = admitted.value;
      const { allowedPaths, forbiddenPaths } = contract.constraints;
      const files = (await services.repository.files(base)).map(({ path }) => path);
      const isForbidden = (pattern: string) => (path: string) =>
        classifyPath(path, { allowedPaths: ['**'], forbiddenPaths: [pattern] }) === 'forbidden';
      const isAllowed = (pattern: string) => (path: string) =>
        mayBeAllowed(path, { allowedPaths: [pattern], forbiddenPaths: [] });
      return [
        ...allowedPaths.filter((pattern) => !files.some(isAllowed(pattern))),
        ...forbiddenPaths.filter((pattern) => !files.some(isForbidden(pattern))),
      ];
    },
    /** The next number after the ids that this repository knows. */
    async nextId(): Promise<string> {
      const branches = await services.repository.refsUnder('refs/heads/task/');
      const ids = [
        ...branches.map(({ ref }) => ref.slice('refs/heads/task/'.length)),
        ...services.journal.taskIds(),
        ...waiting(services).map(({ taskId }) => taskId),
      ];
      return numberAfter(ids);
    },
    /** The branch that the task would be merged into; a reason when there is none. */
    async target(): Promise<string> {
      const target = await services.repository.target(await services.configuration.targetName());
      return target.ok ? toBranchName(target.value.ref) : target.why;
    },
    /** The folders of the target branch, the largest first, each ending in `/`. */
    async folders(): Promise<readonly string[]> {
      const target = await services.repository.target(await services.configuration.targetName());
      if (!target.ok) return [];
      const files = (await services.repository.files(target.value.commit)).map(({ path }) => path);
      return foldersOf(files.filter((path) => !isProtected(path))).filter((folder) => opens(folder, files));
    },
    /** Whether a task is on the line, halted or waiting, so that another has to wait. */
    isBusy: (): boolean =>
      findActiveTask(services) !== undefined || waiting(services).length > 0 || hasOpenContract(services),
  };
}

/** Whether a folder that is offered would open what lies in it: a name with signs of a glob means something else. */
function opens(folder: string, files: readonly string[]): boolean {
  const inside = files.find((path) => path.startsWith(folder) && !isProtected(path));
  const scope = { allowedPaths: [folder], forbiddenPaths: [] };
  return checkPattern(folder) === undefined && inside !== undefined && classifyPath(inside, scope) === 'allowed';
}

/** A contract lies there, or its lock. */
const hasOpenContract = ({ handoff }: Pick<Services, 'handoff'>): boolean =>
  handoff.exists(FILES.contract) || handoff.exists(FILES.lock);

/** The contracts that lie in `_handoff/` and its queue, as far as they can be read. */
function waiting({ queue }: Pick<Services, 'queue'>): readonly { readonly name: string; readonly taskId: string }[] {
  return [FILES.lock, ...queue.waiting([]).map(({ name }) => name)].flatMap((name) => {
    const text = queue.read(name);
    const parsed = text.ok && text.value !== undefined ? parseContract(text.value) : undefined;
    if (parsed === undefined || !parsed.ok || TERMINAL.includes(parsed.value.document['status'] as never)) return [];
    return [{ name, taskId: parsed.value.contract.taskId }];
  });
}

/** Admission would let a rewritten contract of the same id pass; a new one is another task. */
function waitsAlready(services: Pick<Services, 'handoff' | 'journal' | 'queue'>, text: string): readonly Fault[] {
  const parsed = parseContract(text);
  if (!parsed.ok) return [];
  const { taskId } = parsed.value.contract;
  const same = (id: string | undefined): boolean => id?.toLowerCase() === taskId.toLowerCase();
  const file = waiting(services).find((one) => same(one.taskId))?.name;
  const queued = `${FILES.queue}/${taskId}.json`; // its place in the queue, whatever lies there
  const place = file ?? (services.handoff.exists(queued) ? queued : undefined);
  const where = place ?? (same(findActiveTask(services)?.taskId) ? 'the line' : undefined);
  if (where === undefined) return [];
  const expected = `an id that no other task has: ${taskId} is in ${where} already`;
  return [createFault('$.task_id', taskId, expected, `"${taskId.slice(0, 60)}-2"`)];
}

/** `DOC-007` makes `DOC-008`; the highest number of the most frequent beginning counts. */
function numberAfter(ids: readonly string[]): string {
  const numbered = [...new Set(ids)].flatMap((id) => {
    const [, beginning, digits] = /^(.*?)(\d{1,9})$/.exec(id) ?? [];
    return beginning === undefined || digits === undefined ? [] : [{ beginning, digits }];
  });
  const times = (beginning: string): number => numbered.filter((one) => one.beginning === beginning).length;
  const [most] = numbered.toSorted(
    (a, b) => times(b.beginning) - times(a.beginning) || Number(b.digits) - Number(a.digits),
  );
  const { beginning, digits } = most ?? { beginning: 'TASK-', digits: '000' };
  const taken = new Set(ids.map((id) => id.toLowerCase()));
  for (let number = Number(digits) + 1; ; number += 1) {
    const id = `${beginning}${String(number).padStart(digits.length, '0')}`;
    if (id.length > LONGEST_ID) return numberAfter(ids.filter((one) => one.length < LONGEST_ID));
    if (!taken.has(id.toLowerCase())) return id;
  }
}

/** A task id has at most so many characters. */
const LONGEST_ID = 64;

function foldersOf(files: readonly string[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const file of files) {
    const parts = file.split('/').slice(0, 3);
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = `${parts.slice(0, depth).join('/')}/`;
      sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    }
  }
  return [...sizes].toSorted(([a, left], [b, right]) => right - left || a.localeCompare(b)).map(([folder]) => folder);
}
