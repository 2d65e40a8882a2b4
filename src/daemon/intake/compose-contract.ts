import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPath } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import { CONTRACT_FIELDS, type ContractDraft } from '../../contract/contract-fields.ts';
import { COMPLEXITY_LIMITS } from '../../contract/task-contract-defaults.ts';
import { asWritten } from '../../contract/task-contract-normalise.ts';

/** The order of the sections in a written contract. */
const SECTIONS =
  'schema_version task_id project title complexity priority after not_before status git roles limits constraints breaker specification gates holdout metadata'.split(
    ' ',
  );

/** Lists that a contract shows even when they are empty. */
const ALWAYS_WRITTEN = ['allowed_paths', 'forbidden_paths', 'requirements'];

type Section = Record<string, unknown>;

/** A whole contract of schema 1.0 from a draft. Sources carry the hash of their file, except those that `mayChange` names. */
export function composeContract(root: string, draft: ContractDraft, mayChange: readonly string[] = []): object {
  const values: Section = {
    ...(draft.complexity === undefined ? {} : COMPLEXITY_LIMITS[draft.complexity]),
    ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)),
    source_files: draft.source_files.map((path) => ({
      path,
      hash: mayChange.includes(path) ? '' : hashOf(root, path),
    })),
    implementer: asWritten(draft.implementer),
    local_reviewer: asWritten(namesIn(draft.local_reviewer)),
    judge: asWritten(namesIn(draft.judge)),
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

/** Sets a value at a path of keys, and makes the sections on its way. */
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
