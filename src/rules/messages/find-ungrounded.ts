import { isBlockingFinding } from '../../record/finding.ts';
import type { Finding } from '../../record/finding.ts';
import { claimsOf } from '../grounding/claims.ts';
import { readGroundingContext, findClaimSupport } from '../grounding/find-claim-support.ts';
import type { Context } from '../grounding/find-claim-support.ts';

/** Why every blocking finding is about a file or code that does not exist; undefined where one may hold. */
export function findUngrounded(
  findings: readonly Finding[],
  shown: string,
  paths: readonly string[],
): string | undefined {
  const blocking = findings.filter(isBlockingFinding);
  if (blocking.length === 0) return undefined;
  const context = readGroundingContext(shown);
  const why = blocking.map((finding) => whyUngrounded(finding, context, paths));
  return why.every((one) => one !== undefined)
    ? `what the review blocks for is not there: ${why.slice(0, MOST_REASONS).join('; ')}`
    : undefined;
}

const MOST_REASONS = 5;

/** Why a finding is about nothing that is there; undefined where it may be about something. */
function whyUngrounded({ file, evidence }: Finding, context: Context, paths: readonly string[]): string | undefined {
  if (file !== undefined && !isThere(file, context, paths))
    return `${file} is neither in the change nor in the project`;
  const named = (evidence ?? '')
    .split('\n')
    .flatMap(claimsOf)
    .filter(({ kind }) => kind === 'identifier');
  const missing = named.filter((claim) => findClaimSupport(claim, context).is === 'against');
  if (named.length === 0 || missing.length < named.length) return undefined;
  return `${missing.map(({ text }) => text).join(', ')} is nowhere in what was shown`;
}

/** Reviewers write `a/src/x.ts`, `./src/x.ts`, or only the end of a path. */
function isThere(file: string, { text }: Context, paths: readonly string[]): boolean {
  const path = file
    .replace(/^(?:\.\/|[ab]\/)/, '')
    .replace(/:\d+(?:[-:]\d+)?$/, '')
    .trim();
  return path === '' || text.includes(path) || paths.some((one) => one === path || one.endsWith(`/${path}`));
}
