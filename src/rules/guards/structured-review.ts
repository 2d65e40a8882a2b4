import type { Span } from './patterns.ts';

/** A review that is one JSON object: where its verdict approves, and what it says besides. */
export interface StructuredReview {
  readonly prose: string;
  readonly approvals: readonly Span[];
}

/** Reads a review that is a JSON object with a verdict; undefined for any other text. */
export function structuredReview(text: string): StructuredReview | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.some(([key]) => VERDICT_KEYS.has(key.toLowerCase()))) return undefined;
  const approvals = [...text.matchAll(FIELD)].flatMap(({ 0: whole, 1: head = '', 2: said = '', index }) =>
    APPROVES.test(said) ? [{ from: index + head.length, to: index + whole.length - 1 }] : [],
  );
  const rest = entries.filter(([key]) => !VERDICT_KEYS.has(key.toLowerCase())).map(([, one]) => one);
  return { prose: textsIn(rest).join('\n'), approvals };
}

const VERDICT_KEYS = new Set(['verdict', 'grade', 'decision', 'status', 'result']);
const FIELD = /("(?:verdict|grade|decision|status|result)"\s{0,20}:\s{0,20}")([^"\\]{1,40})"/gi;
const APPROVES = /^(?:approved?|lgtm|pass(?:ed)?|accept(?:ed)?|승인|통과|批准|通过)$/i;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
