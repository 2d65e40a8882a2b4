import { withoutGaps } from '../../../base/without-gaps.ts';
import { CONTRACT_FIELDS, type ContractDraft, type PartialDraft } from '../contract-fields.ts';
import type { StandardRoles } from '../task-contract.ts';

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

/** A sentence that clearly forbids a file; other wordings are left to reviewers. */
const FORBIDS =
  /\b(?:do not|don['’]t|must not|may not|never|without)\s+(?:ever\s+)?(?:touch|chang|edit|modify|alter|rewrit|overwrit|delet|remov)(?:e|ing|ying)?\b([^;:\n]*)/gi;
/** The clause ends with the sentence, or before what is wanted or excepted. */
const CLAUSE_END =
  /[.!?](?:\s|$)|,?\s(?:but|only|except|unless|until|when|if|while|instead|and (?:add|change|make|write))\s/i;
const PATH = /`([^`\s]+)`|(?<![\w/.-])((?:[\w@.-]+\/)+[\w@.*-]*|[\w-]+\.[A-Za-z]\w{0,7})(?![\w/])/g;

/** The files and folders that a text clearly forbids, as it spells them. */
export function prohibitedPaths(text: string): readonly string[] {
  const paths = [...text.matchAll(FORBIDS)].flatMap(([, rest = '']) => {
    const clause = rest.slice(0, CLAUSE_END.exec(rest)?.index ?? rest.length);
    return [...clause.matchAll(PATH)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  });
  return [...new Set(paths.filter((path) => /[./]/.test(path) && !/\(|^[a-z]\.[a-z]$/i.test(path)))]; // nor `e.g.`
}
