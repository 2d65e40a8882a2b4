import { isBlockingFinding, type Finding } from '../../record/finding.ts';
import { holdsIdentifier, listCodeClaims } from '../text/code-claims.ts';

/** Why every blocking finding is about a file or code that does not exist; undefined where one may hold. */
export function findUngrounded(
  findings: readonly Finding[],
  shown: string,
  paths: readonly string[],
): string | undefined {
  const blocking = findings.filter(isBlockingFinding);
  if (blocking.length === 0) return undefined;
  const why = blocking.map((finding) => whyUngrounded(finding, shown, paths));
  return why.every((one) => one !== undefined)
    ? `what the review blocks for is not there: ${why.slice(0, MOST_REASONS).join('; ')}`
    : undefined;
}

const MOST_REASONS = 5;

/** Why a finding is about nothing that is there; undefined where it may be about something. */
function whyUngrounded({ file, evidence }: Finding, shown: string, paths: readonly string[]): string | undefined {
  if (file !== undefined && !isThere(file, shown, paths)) return `${file} is neither in the change nor in the project`;
  const named = (evidence ?? '')
    .split('\n')
    .flatMap(listCodeClaims)
    .filter(({ kind }) => kind === 'identifier');
  const missing = named.filter(({ text, isFirm }) => isFirm && !holdsIdentifier(shown, text));
  if (named.length === 0 || missing.length < named.length) return undefined;
  return `${missing.map(({ text }) => text).join(', ')} is nowhere in what was shown`;
}

/** Reviewers write `a/src/x.ts`, `./src/x.ts`, or only the end of a path. */
function isThere(file: string, shown: string, paths: readonly string[]): boolean {
  const path = file
    .replace(/^(?:\.\/|[ab]\/)/, '')
    .replace(/:\d+(?:[-:]\d+)?$/, '')
    .trim();
  return path === '' || shown.includes(path) || paths.some((one) => one === path || one.endsWith(`/${path}`));
}
