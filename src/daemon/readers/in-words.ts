import { Problem } from '../../base/problem.ts';

/** What went wrong, and what to type next where that is known. */
export function inWords(error: unknown): { readonly what: string; readonly remedy: string | null } {
  if (error instanceof Problem) return { what: error.message, remedy: error.remedy };
  return { what: error instanceof Error ? error.message : String(error), remedy: null };
}
