import { valueIn } from '../../base/json-object.ts';
import type { Span } from './patterns.ts';

/** A review that is one JSON object: where its verdict approves, and what it says besides. */
export interface StructuredReview {
  readonly prose: string;
  readonly approvals: readonly Span[];
}

/** Reads a review that is a JSON object with a verdict; undefined for any other text. */
export function structuredReview(text: string): StructuredReview | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = valueIn(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isVerdict = ([key, one]: readonly [string, unknown]): boolean =>
    VERDICT_KEYS.has(key.toLowerCase()) || (typeof one === 'boolean' && YES_KEY.test(key));
  if (!entries.some(isVerdict)) return undefined;
  const approvals = [...text.matchAll(FIELD), ...text.matchAll(YES_FIELD)].flatMap(
    ({ 0: whole, 1: head = '', 2: said = '', index }) =>
      APPROVES.test(said) ? [{ from: index + head.length, to: index + whole.length - 1 }] : [],
  );
  const rest = entries.filter((entry) => !isVerdict(entry)).map(([, one]) => one);
  return { prose: textsIn(rest).join('\n'), approvals };
}

/**
 * What a review says beside its verdict and its findings: the prose around one JSON object, and the texts of its other
 * fields. What a model thought aloud is not said.
 */
export function wordsBeside(answer: string): string {
  const text = answer.slice(0, LONGEST_ANSWER).replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '\n');
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from === -1 || to < from) return text;
  const around = `${text.slice(0, from)}\n${text.slice(to + 1)}`.replace(/^\s*(`{3,}|~{3,})[^\n]*$/gm, '');
  const value = valueIn(text.slice(from, to + 1));
  if (value === undefined) return around;
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const others = fields.filter(([key]) => !VERDICT_KEYS.has(key.toLowerCase()) && !FINDING_KEYS.has(key));
  return [around, ...others.flatMap(([, one]) => textsIn(one))].join('\n').trim();
}

const LONGEST_ANSWER = 200_000;
const FINDING_KEYS = new Set([
  'findings',
  'issues',
  'blocking_issues',
  'required_fixes',
  'suggestions',
  'security_flags',
  'evidence',
]);
const VERDICT_KEYS = new Set(['verdict', 'grade', 'decision', 'status', 'result']);
const FIELD = /("(?:verdict|grade|decision|status|result)"\s{0,20}:\s{0,20}")([^"\\]{1,40})"/gi;
/** `"approved": true`: turned down, it is `"NEEDS_REVIEW": true`. */
const YES_FIELD = /(")(approved?|lgtm|accept(?:ed)?)"(?=\s{0,20}:\s{0,20}true\b)/gi;
const YES_KEY = /^(?:approved?|lgtm|accept(?:ed)?)$/i;
const APPROVES = /^(?:approved?|lgtm|pass(?:ed)?|accept(?:ed)?|승인|통과|批准|通过)$/i;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
