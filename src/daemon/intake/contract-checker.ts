import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import { FILES, TERMINAL } from '../../base/names.ts';
import { classifyPath, mayBeAllowed } from '../../base/paths.ts';
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
import type { GateServices, Needs } from '../../wiring/services.ts';

/** Opens a repository for reading, to check contracts that are not dropped yet. */
export async function openContractChecker(place: Workspace, env: NodeJS.ProcessEnv) {
  const journal = readJournal(place);
  const services = await openTargetServices(await buildServices(place, env, () => {}, journal ?? NO_JOURNAL));
  await services.configuration.refresh();
  return {
    ...createContractChecker(services),
    /** The configuration of the target; without a committed one, the default roles are those of the checkout. */
    settings:
      readDecidingFiles(services.project).size === 0
        ? { ...services.settings, roles: place.settings.roles }
        : services.settings,
    /** How the checkout differs from it, a sentence each. */
    gaps: services.configuration.gaps(),
    close: () => journal?.close(),
  };
}

/** Checks contracts by the rules of admission, and never admits them. */
export type ContractChecker = Awaited<ReturnType<typeof openContractChecker>>;

/** The checker of a line that is open already. */
export function createContractChecker(
  services: GateServices & Needs<'agents' | 'clock' | 'configuration' | 'handoff' | 'journal' | 'profiles' | 'queue'>,
) {
  return {
    /** The text of a contract. A source that another task may change (`mayChange`) gets no hash. */
    write: (draft: ContractDraft, mayChange?: readonly string[]): string =>
      `${JSON.stringify(composeContract(services.root, draft, mayChange), null, 2)}\n`,
    /** Every fault for which the line or its queue would refuse this text, and notices. `beside` is dropped with it. */
    async check(text: string, beside: readonly Queued[] = []) {
      const admitted = await admitContract(services, text, { beside });
      const faults = [...(admitted.ok ? [] : admitted.why), ...listTakenIds(services, text)];
      return { faults, notices: admitted.ok ? admitted.value.notices : [] };
    },
    /** The paths of a faultless contract that match no file of the target branch: a slip, or files to come. */
    async listUnmatched(text: string, beside: readonly Queued[] = []): Promise<readonly string[]> {
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
    /** The files of the target branch; none where it cannot be found, which a check names. */
    async listFiles(): Promise<readonly string[]> {
      const target = await services.repository.target(await services.configuration.targetName());
      return target.ok ? (await services.repository.files(target.value.commit)).map(({ path }) => path) : [];
    },
    /** The next number after the ids that this repository knows. */
    async suggestId(): Promise<string> {
      const branches = await services.repository.refsUnder('refs/heads/task/');
      return nextIdAfter([
        ...branches.map(({ ref }) => ref.slice('refs/heads/task/'.length)),
        ...services.journal.taskIds(),
        ...listWaiting(services).map(({ taskId }) => taskId),
      ]);
    },
    /** Whether a task is on the line, halted or waiting, so that another has to wait. */
    isBusy: (): boolean =>
      findActiveTask(services) !== undefined ||
      listWaiting(services).length > 0 ||
      [FILES.contract, FILES.lock].some((name) => services.handoff.exists(name)),
  };
}

/** The readable contracts in `_handoff/` and its queue. */
function listWaiting({ queue }: Needs<'queue'>): readonly { readonly name: string; readonly taskId: string }[] {
  return [FILES.lock, ...queue.waiting([]).map(({ name }) => name)].flatMap((name) => {
    const text = queue.read(name);
    const parsed = text.ok && text.value !== undefined ? parseContract(text.value) : undefined;
    if (parsed === undefined || !parsed.ok || TERMINAL.includes(parsed.value.document['status'] as never)) return [];
    return [{ name, taskId: parsed.value.contract.taskId }];
  });
}

/** Admission accepts a rewritten contract of the same id; a new contract is another task. */
function listTakenIds(services: Needs<'handoff' | 'journal' | 'queue'>, text: string): readonly Fault[] {
  const parsed = parseContract(text);
  if (!parsed.ok) return [];
  const { taskId } = parsed.value.contract;
  const isSame = (id: string | undefined): boolean => id?.toLowerCase() === taskId.toLowerCase();
  const queued = `${FILES.queue}/${taskId}.json`;
  const file = listWaiting(services).find((one) => isSame(one.taskId))?.name;
  const place = file ?? (services.handoff.exists(queued) ? queued : undefined);
  const where = place ?? (isSame(findActiveTask(services)?.taskId) ? 'the line' : undefined);
  if (where === undefined) return [];
  const expected = `an id that no other task has: ${taskId} is in ${where} already`;
  return [createFault('$.task_id', taskId, expected, `"${taskId.slice(0, 60)}-2"`)];
}

/** `DOC-007` makes `DOC-008`: the highest number behind the beginning of the first numbered id. */
function nextIdAfter(ids: readonly string[]): string {
  const numbered = ids.flatMap((id) => {
    const [, beginning, digits] = /^(.{1,50}?)(\d{1,9})$/.exec(id) ?? [];
    return beginning === undefined || digits === undefined ? [] : [{ beginning, digits }];
  });
  const { beginning, digits } = numbered[0] ?? { beginning: 'TASK-', digits: '000' };
  const same = numbered.filter((one) => one.beginning.toLowerCase() === beginning.toLowerCase());
  const highest = Math.max(0, ...same.map((one) => Number(one.digits)));
  return `${beginning}${String(highest + 1).padStart(digits.length, '0')}`;
}
