import type { FieldKey, PartialDraft } from '../../contract/contract-fields.ts';
import { fillDefaults, withoutGaps } from '../../contract/draft/contract-draft.ts';
import type { ProjectDefaults } from '../../contract/draft/contract-draft.ts';
import { findScope } from '../../contract/draft/find-scope.ts';
import { prohibitedPaths } from '../../contract/draft/prohibitions.ts';
import { idOfTitle } from '../../contract/draft/task-spec.ts';
import type { Fault } from '../../base/fault.ts';
import type { ContractChecker } from '../../daemon/intake/contract-checker.ts';
import { faultAtField } from './submit-contract.ts';

/** A draft whose open fields are proposed. */
export interface ProposedContract {
  readonly draft: PartialDraft;
  /** Paths that were only found by their names. */
  readonly guessed?: readonly string[];
}

/** Proposes id and paths where nothing names them; a path that nothing tells stays open. */
export async function proposeContract(
  checker: ContractChecker,
  given: PartialDraft,
  defaults: ProjectDefaults,
): Promise<ProposedContract> {
  const { requirements = [], allowed_paths: allowed = [], target_file: target, title } = given;
  const prose = [title ?? '', ...requirements].join('\n');
  const task_id = given.task_id ?? (await proposeId(checker, title ?? requirements[0], defaults));
  if (allowed.length > 0 || target !== undefined) return { draft: { ...given, task_id } };
  const forbidden = prohibitedPaths(prose);
  const scope = findScope(
    prose,
    (await checker.listFiles()).filter((path) => !forbidden.includes(path)),
  );
  if (scope === undefined) return { draft: { ...given, task_id } };
  const draft = { ...given, task_id, allowed_paths: scope.paths };
  return { draft, ...(scope.by === 'alike' ? { guessed: scope.paths } : {}) };
}

/** The first words of the sentence; the next free number where they make no id, or one that is taken. */
async function proposeId(checker: ContractChecker, sentence: string | undefined, defaults: ProjectDefaults) {
  const whole = idOfTitle(sentence) ?? '';
  const id = whole.length <= LONGEST_ID ? whole : whole.slice(0, LONGEST_ID + 1).replace(/-[^-]*$/, '');
  const isFree = id !== '' && (await checkField(checker, {}, 'task_id', id, defaults)) === undefined;
  return isFree ? id : checker.suggestId();
}

const LONGEST_ID = 32;

/** The fault that admission would find at one field; fields that are still open get values that always pass. */
export async function checkField(
  checker: ContractChecker,
  draft: PartialDraft,
  key: FieldKey,
  value: unknown,
  defaults: ProjectDefaults,
): Promise<Fault | undefined> {
  const filled = { task_id: FREE_ID, requirements: ['-'], allowed_paths: ['**'], ...withoutGaps(draft), [key]: value };
  const { faults } = await checker.check(checker.write(fillDefaults(filled, defaults)));
  return faultAtField(faults, key);
}

/** An id that no repository has. */
const FREE_ID = 'ANDON-CHECKS-A-FIELD';
