import { isObject, listTexts, parseJson } from '../../base/json-object.ts';
import { blankSpans, type TextSpan } from './message-words.ts';

/** A review that holds a JSON object with a verdict. */
interface JsonReview {
  /** The message with the object blanked. */
  readonly beside: string;
  /** The texts of its other fields. */
  readonly fields: string;
  readonly isRejected: boolean;
  readonly approvals: readonly TextSpan[];
}

/** Reads a review that is a JSON object with a verdict, in a fence, or after a sentence; undefined for any other text. */
export function readJsonReview(text: string): JsonReview | undefined {
  const from = /(?<=^|[\n:：.。])[ \t]*\{/.exec(text)?.index ?? -1;
  const to = text.lastIndexOf('}') + 1;
  const json = from === -1 ? '' : text.slice(from, to);
  const value = json === '' ? undefined : parseJson(json);
  if (!isObject(value)) return undefined;
  const top = Object.entries(value);
  // `{"review": {"verdict": …}}`
  const inner = top.some(isVerdict) ? [] : top.flatMap(([, one]) => (isObject(one) ? Object.entries(one) : []));
  const entries = inner.some(([key]) => INNER_KEY.test(key))
    ? [...top.filter(([, one]) => !isObject(one)), ...inner]
    : top;
  const isAlone = !/[\p{L}\p{N}]/u.test(`${text.slice(0, from)}${text.slice(to)}`.replace(/```(?:json)?/g, ''));
  // A status between sentences may be the product's own answer; a verdict, or one with reasons, is a review's.
  const isReview =
    isAlone || entries.some(([key]) => /^(?:verdict|decision|grade|summary|findings|issues)$/i.test(key));
  if (!isReview || !entries.some(isVerdict)) return undefined;
  const verdicts = [...json.matchAll(FIELD), ...json.matchAll(YES_FIELD)];
  const approvals = verdicts.filter(({ 2: verdict = '' }) => APPROVES.test(verdict));
  return {
    beside: blankSpans(text, [{ from, to }]),
    fields: listTexts(entries.filter((entry) => !isVerdict(entry)).map(([, one]) => one)).join('\n'),
    isRejected: approvals.length === 0,
    approvals: approvals.map(({ 0: whole, 1: head = '', index }) => ({
      from: from + index + head.length,
      to: from + index + whole.length - 1,
    })),
  };
}

const isVerdict = ([key, one]: readonly [string, unknown]): boolean =>
  VERDICT_KEYS.has(key.toLowerCase()) || (typeof one === 'boolean' && YES_KEY.test(key));

/**
 * The words of a review beside its verdict and findings: the prose around one JSON object, and the texts of its other
 * fields. Reasoning in `<think>` is left out.
 */
export function wordsBeside(answer: string): string {
  const text = answer.slice(0, LONGEST_ANSWER).replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '\n');
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from === -1 || to < from) return text;
  const around = `${text.slice(0, from)}\n${text.slice(to + 1)}`.replace(/^\s*(`{3,}|~{3,})[^\n]*$/gm, '');
  const value = parseJson(text.slice(from, to + 1));
  if (value === undefined) return around;
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const others = fields.filter(([key]) => !VERDICT_KEYS.has(key.toLowerCase()) && !FINDING_KEYS.has(key));
  return [around, ...others.flatMap(([, one]) => listTexts(one))].join('\n').trim();
}

const LONGEST_ANSWER = 200_000;
const FINDING_KEYS = new Set(
  'findings issues blocking_issues required_fixes suggestions security_flags evidence'.split(' '),
);
const VERDICT_KEYS = new Set('verdict grade decision status result'.split(' '));
const FIELD = /("(?:verdict|grade|decision|status|result)"\s{0,20}:\s{0,20}")([^"\\]{1,80})"/gi;
/** `"approved": true`: downgraded, it is `"NEEDS_REVIEW": true`. */
const YES_FIELD = /(")(approved?|lgtm|accept(?:ed)?)"(?=\s{0,20}:\s{0,20}true\b)/gi;
/** Within another object, a status is that of the product. */
const INNER_KEY = /^(?:verdict|decision|approved?|lgtm)$/i;
const YES_KEY = /^(?:approved?|lgtm|accept(?:ed)?)$/i;
/** `LGTM!`, `__APPROVED__`, `approved_with_nits`. */
const APPROVES =
  /^[\W_]*(?:approved?|lgtm|pass(?:ed)?|accept(?:ed)?|ship it|승인|통과|批准|通过)(?![a-z])(?![\W_]*(?:after|if|once|pending|not))/i;
