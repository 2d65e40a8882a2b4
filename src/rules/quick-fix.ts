import type { Rule } from './model/rule.ts';
import type { QuickFixType } from './model/rule-words.ts';

/** How much one fix of a type may touch: places of a spelling, one guard, test cases, lines of documentation. */
const CAPS: Readonly<Record<QuickFixType, { readonly most: number; readonly of: string }>> = {
  'TYPE-A': { most: 5, of: 'places' },
  'TYPE-B': { most: 1, of: 'guard' },
  'TYPE-C': { most: 3, of: 'test cases' },
  'TYPE-D': { most: 10, of: 'lines' },
};

/** How often the quick channel may be used before the task goes the long way. */
const QUICK_FIX_LIMITS = { stage: 2, task: 3, file: 3 } as const;

/** A proposed fix with its known figures; unknown ones do not count against it. */
export interface QuickFixRequest {
  readonly type?: QuickFixType | undefined;
  /** Places, guards, test cases or lines that it touches. */
  readonly places?: number | undefined;
  readonly fixesInStage?: number | undefined;
  readonly fixesInTask?: number | undefined;
  readonly fixesInFile?: number | undefined;
  readonly addsLogicBranch?: boolean | undefined;
  readonly changesInterface?: boolean | undefined;
}

/** What the quick channel answers: a fix adds nothing to the iteration count, a refusal sends it the long way. */
interface QuickFixAnswer {
  readonly eligible: boolean;
  readonly iterationDelta: 0 | 1;
  readonly why?: string;
}

/** Whether a fix is small enough for the quick channel: by type, by how often it was used, by what it may not do. */
export function quickFix(request: QuickFixRequest, fix?: Rule['quick_fix']): QuickFixAnswer {
  const why = forbidden(request) ?? explainTooOften(request) ?? explainTooLarge(request, fix);
  return why === undefined ? { eligible: true, iterationDelta: 0 } : { eligible: false, iterationDelta: 1, why };
}

function forbidden(request: QuickFixRequest): string | undefined {
  if (request.addsLogicBranch === true) return 'it adds a branch of logic';
  return request.changesInterface === true ? 'it changes an interface' : undefined;
}

/** One more fix must still fit into each limit. */
function explainTooOften({ fixesInStage = 0, fixesInTask = 0, fixesInFile = 0 }: QuickFixRequest): string | undefined {
  const fixes = { stage: fixesInStage, task: fixesInTask, file: fixesInFile };
  const over = (['stage', 'task', 'file'] as const).find((where) => fixes[where] + 1 > QUICK_FIX_LIMITS[where]);
  return over && `there were ${fixes[over]} quick fixes in this ${over}; at most ${QUICK_FIX_LIMITS[over]}`;
}

function explainTooLarge({ type = 'TYPE-A', places = 1 }: QuickFixRequest, fix: Rule['quick_fix']): string | undefined {
  const { most, of } = CAPS[type];
  const cap = Math.min(most, fix?.max_fixes ?? most);
  return places > cap ? `it touches ${places} ${of}; at most ${cap} for ${type}` : undefined;
}
