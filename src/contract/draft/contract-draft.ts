import { CONTRACT_FIELDS, type ContractDraft, type PartialDraft } from '../contract-fields.ts';
import type { StandardRoles } from '../task-contract.ts';
import { prohibitedPaths } from './prohibitions.ts';

/** The values of a project that fill a draft. */
export type ProjectDefaults = Pick<ContractDraft, 'project' | 'implementer' | 'local_reviewer' | 'judge'>;

/** The defaults of a project: its name and the roles of its configuration. */
export const projectDefaults = (
  project: string,
  { implementers, localReviewer, reviewers = [localReviewer], judge, judges = [judge] }: StandardRoles,
): ProjectDefaults => ({
  project,
  implementer: implementers,
  local_reviewer: reviewers.join(','),
  judge: judges.join(','),
});

/** Fills a draft with the defaults of the project. Paths that a requirement certainly forbids are forbidden. */
export function fillDefaults(written: PartialDraft, defaults: ProjectDefaults): ContractDraft {
  const lists = CONTRACT_FIELDS.filter(({ kind }) => kind === 'texts' || kind === 'paths' || kind === 'gates');
  const draft = {
    task_id: '',
    ...Object.fromEntries(lists.map(({ key }) => [key, []])),
    // A task that writes one file may touch that one.
    ...(written.target_file === undefined ? {} : { allowed_paths: [written.target_file] }),
    ...defaults,
    ...withoutGaps(written),
  } as ContractDraft;
  const { allowed_paths: allowed, forbidden_paths: forbidden, target_file: target } = draft;
  const prose = [...draft.requirements, ...draft.acceptance_criteria, draft.notes ?? ''].join('\n');
  const more = prohibitedPaths(prose).filter((path) => ![...allowed, ...forbidden, target].includes(path));
  return more.length === 0 ? draft : { ...draft, forbidden_paths: [...forbidden, ...more] };
}

/** The fields that have a value. */
const withoutGaps = (draft: PartialDraft): PartialDraft =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
