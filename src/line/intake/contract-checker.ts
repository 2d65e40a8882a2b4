import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { createFault, type Fault } from '../../base/fault.ts';
import { FILES, TERMINAL, toBranchName } from '../../base/names.ts';
import { classifyPath, isProtected, mayBeAllowed, checkPath } from '../../base/paths.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { CONTRACT_FIELDS, type ContractDraft } from '../../project/contract/contract-fields.ts';
import { findScope, type FoundScope } from '../../project/contract/draft/find-scope.ts';
import { isCheckFile } from '../../rules/weakened-gates/check-files.ts';
import { isSnapshot, isTestPath } from '../../rules/weakened-gates/test-paths.ts';
import type { Queued } from '../order/queued-turn.ts';
import { findActiveTask, openTasks } from '../journal/active-task.ts';
import { admitContract } from './admit.ts';
import { NO_JOURNAL, readJournal, usingJournal } from '../journal/open-journal.ts';
import { openTargetServices } from '../services/configuration.ts';
import { readDecidingFiles } from '../../rules/files/project-files.ts';
import { buildServices } from '../services/open-services.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { LineServices, Needs } from '../services/services.ts';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { COMPLEXITY_LIMITS } from '../../project/contract/task-contract-defaults.ts';
import { toWritten } from '../../project/contract/task-contract.ts';
import { readBytes } from '../../rules/files/read-files.ts';

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

export type ContractChecker = Awaited<ReturnType<typeof openContractChecker>>;

export function createContractChecker(services: LineServices) {
  return {
    /** The text of a contract. A source that another task may change (`mayChange`) gets no hash. */
    write: (draft: ContractDraft, mayChange?: readonly string[]): string =>
      `${JSON.stringify(composeContract(services.root, draft, mayChange), null, 2)}\n`,
    /** Every fault for which the line or its queue would refuse this text, and notices. `beside` is dropped with it, `own` is its file. */
    async check(text: string, beside: readonly Queued[] = [], own?: string): Promise<Linted> {
      const { faults, notices } = await lint(services, text, beside);
      return { faults: [...faults, ...listTakenIds(services, text, own)], notices };
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
    /** The branch that a contract is merged into; undefined where there is none to merge into. */
    async findTargetBranch(base: string | undefined): Promise<string | undefined> {
      const target = await services.repository.target(base ?? (await services.configuration.targetName()));
      return target.ok ? toBranchName(target.value.ref) : undefined;
    },
    /** The scope that a sentence names or means among the unprotected files of the target; undefined where nothing is found. */
    async findScope(sentence: string, base?: string): Promise<FoundScope | undefined> {
      const { configuration, repository } = services;
      const target = await repository.target(base ?? (await configuration.targetName()));
      if (!target.ok) return undefined;
      const { settings } = await configuration.at(target.value);
      const files = (await repository.files(target.value.commit)).filter(
        ({ path }) => !isProtected(path, settings.protectedPaths),
      );
      const paths = files.map(({ path }) => path);
      const found = findScope(sentence, paths, new Map(), decidesOverGates);
      if (found !== undefined && found.paths.length > 0) return found;
      const sources = files
        .filter(({ path, size }) => SOURCE.test(path) && size <= SOURCE_BYTES)
        .slice(0, MOST_SOURCES);
      const contents = await repository.read(
        target.value.commit,
        sources.map(({ path }) => path),
      );
      const texts = new Map([...contents].map(([path, bytes]) => [path, textIn(bytes)]));
      return findScope(sentence, paths, texts, decidesOverGates);
    },
    /** Whether a task is on the line, halted or waiting, so that another has to wait. */
    isBusy: (): boolean =>
      findActiveTask(services) !== undefined ||
      listWaiting(services).length > 0 ||
      [FILES.contract, FILES.lock].some((name) => services.handoff.exists(name)),
  };
}

function listWaiting({ queue }: Needs<'queue'>): readonly { readonly name: string; readonly taskId: string }[] {
  return [FILES.lock, ...queue.waiting([]).map(({ name }) => name)].flatMap((name) => {
    const text = queue.read(name);
    const parsed = text.ok && text.value !== undefined ? parseContract(text.value) : undefined;
    if (parsed === undefined || !parsed.ok || TERMINAL.includes(parsed.value.document['status'] as never)) return [];
    return [{ name, taskId: parsed.value.contract.taskId }];
  });
}

/** Admission accepts a rewritten contract of the same id; a new contract is another task. */
function listTakenIds(
  services: Needs<'handoff' | 'journal' | 'queue'>,
  text: string,
  own: string | undefined,
): readonly Fault[] {
  const parsed = parseContract(text);
  if (!parsed.ok) return [];
  const { taskId } = parsed.value.contract;
  const isSame = (id: string | undefined): boolean => id?.toLowerCase() === taskId.toLowerCase();
  const queued = `${FILES.queue}/${taskId}.json`;
  const file = listWaiting(services).find((one) => one.name !== own && isSame(one.taskId))?.name;
  const place = file ?? (queued !== own && services.handoff.exists(queued) ? queued : undefined);
  const where = place ?? (openTasks(services).some((one) => isSame(one.taskId)) ? 'the line' : undefined);
  if (where === undefined) return [];
  const expected = `an id that no other task has: ${taskId} is in ${where} already`;
  return [createFault('$.task_id', taskId, expected, `"${taskId.slice(0, 60)}-2"`)];
}

/** Files whose definitions are read to find a scope: program text of a usual size, not all of a large repository. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|swift|c|cc|cpp|h|ex|exs|vue|svelte)$/;
const SOURCE_BYTES = 200_000;
const MOST_SOURCES = 3000;

/** Whether a file configures gates, or what runs in them; naming it allows that, so a guess never does. */
const decidesOverGates = (path: string): boolean =>
  /(?:^|\/)package\.json$/.test(path) ||
  (isCheckFile({ path, isNew: false }, undefined) && !isTestPath(path) && !isSnapshot(path));

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The order of the sections in a written contract. */
const SECTIONS =
  'schema_version task_id project title complexity priority after not_before status git roles limits constraints breaker specification gates holdout metadata'.split(
    ' ',
  );

/** Lists that a contract shows even when they are empty. */
const ALWAYS_WRITTEN = ['allowed_paths', 'forbidden_paths', 'requirements'];

type Section = Record<string, unknown>;

/** A whole contract of schema 1.0 from a draft. Sources carry the hash of their file, except those that `mayChange` names. */
function composeContract(root: string, draft: ContractDraft, mayChange: readonly string[] = []): object {
  const values: Section = {
    ...(draft.complexity === undefined ? {} : COMPLEXITY_LIMITS[draft.complexity]),
    ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)),
    source_files: draft.source_files.map((path) => ({
      path,
      hash: mayChange.includes(path) ? '' : hashOf(root, path),
    })),
    implementer: toWritten(draft.implementer),
    local_reviewer: toWritten(namesIn(draft.local_reviewer)),
    judge: toWritten(namesIn(draft.judge)),
  };
  const contract: Section = { schema_version: '1.0', status: 'pending_implementer' };
  for (const field of CONTRACT_FIELDS) {
    const value = values[field.key] ?? field.default;
    const isEmpty = Array.isArray(value) && value.length === 0 && !ALWAYS_WRITTEN.includes(field.key);
    if (value !== undefined && !isEmpty && !(value === false && field.default === undefined))
      setAt(contract, field.path.split('.'), value);
  }
  return Object.fromEntries(SECTIONS.flatMap((key) => (key in contract ? [[key, contract[key]]] : [])));
}

function setAt(section: Section, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) section[key] = value;
  else setAt((section[key] ??= {}) as Section, rest, value);
}

const namesIn = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

/** Empty for a path that is not a file of the project; admission then says what is wrong with it. */
function hashOf(root: string, path: string): string {
  if (checkPath(path) !== undefined || lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true)
    return '';
  return `sha256-${sha256(readFileSync(join(root, path)))}`;
}

interface Linted {
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
}

async function lint(services: LineServices, text: string, beside: readonly Queued[]): Promise<Linted> {
  const admitted = await admitContract(services, text, { beside });
  return admitted.ok ? { faults: [], notices: admitted.value.notices } : { faults: admitted.why, notices: [] };
}

/** Checks a contract as at admission, without admitting it. `others` are files of contracts to drop with it. */
export const lintContract = (
  place: Workspace,
  env: NodeJS.ProcessEnv,
  file: string,
  others: readonly string[] = [],
): Promise<Linted> =>
  usingJournal(place, async (journal = NO_JOURNAL) => {
    const services = await buildServices(place, env, () => {}, journal);
    const beside = others.flatMap((other) => (other === file ? [] : readQueued(other)));
    const text = decodeUtf8(readBytes(file, file));
    return text === undefined ? { faults: [NOT_UTF8], notices: [] } : lint(services, text, beside);
  });

/** The line reads no other encoding. */
const NOT_UTF8 = createFault('$', 'bytes that are not valid UTF-8', 'UTF-8 text: save the file as UTF-8');

/** A contract as it would wait; an invalid one has faults of its own. */
function readQueued(name: string): readonly Queued[] {
  const parsed = parseContract(decodeUtf8(readBytes(name, name)) ?? '');
  if (!parsed.ok) return [];
  const { taskId, priority, after = [], notBefore, spec } = parsed.value.contract;
  return [{ name, taskId, priority, after, notBefore, spec, goesFirst: false, waitsFor: 'its turn' }];
}

/** The hash of a file in the form that `source_files[].hash` takes. */
export const hashContractFile = (file: string): string =>
  `sha256-${sha256(readBytes(file, file, Number.POSITIVE_INFINITY))}`;
