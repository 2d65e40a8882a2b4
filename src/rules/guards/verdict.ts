import { isObject, listTexts, parseJson } from '../../base/json-object.ts';
import { hasWord, wordSpans, type TextSpan } from './message-words.ts';
import { clausesOf, isQuestion, type Prose } from './prose.ts';

/** The places where a message approves in its own name, now and without a condition. */
export const approvalsIn = ({ sentences }: Prose): readonly TextSpan[] =>
  sentences.flatMap(({ text, from: start }) =>
    approvalsInSentence(text).map(({ from, to }) => ({ from: start + from, to: start + to })),
  );

function approvalsInSentence(text: string): readonly TextSpan[] {
  if (isQuestion(text)) return [];
  const clauses = clausesOf(text);
  const splitClause = (span: TextSpan): readonly [before: string, after: string] => {
    const { from = 0, text: clause = text } = clauses.findLast((one) => one.from <= span.from) ?? {};
    return [text.slice(from, span.from), text.slice(span.to, from + clause.length)];
  };
  return [
    ...wordSpans(text, 'approval').filter((span) => isOwn(text, span, ...splitClause(span))),
    ...wordSpans(text, 'bare_approval').filter((span) => isAlone(...splitClause(span))),
  ];
}

function isOwn(text: string, { from, to }: TextSpan, inClause: string, after: string): boolean {
  const word = text.slice(from, to);
  const before = text.slice(0, from);
  if (/\p{Script=Hangul}/u.test(word)) return !isDeniedInKorean(before, after);
  if (/\p{Script=Han}/u.test(word)) return !isDeniedInChinese(before, after);
  const clause = inClause.replace(/^.*[:：]\s/s, '');
  if (hasWord(clause, 'denial') || /n['’]t\b/i.test(clause)) return false;
  if (KOREAN_DENIAL_AFTER.test(after) || isDeniedInChinese(before, '')) return false;
  return !isConditional(clause, text) && !NAMED_AFTER.test(after) && !KOREAN_PARTICLE_AFTER.test(after);
}

/** `I'd approve once …`, but not `I'm happy to approve`. */
const isConditional = (before: string, sentence: string): boolean =>
  /['’](?:ll|d)(?!\w)/.test(before)
    ? /\b(?:once|if|when|as soon as|after|until|provided)\b/i.test(sentence)
    : hasWord(before, 'condition') && !CAN_APPROVE.test(before);
const CAN_APPROVE =
  /\b(?:happy|glad|pleased|fine|comfortable|confident|ready)(?: enough)? (?:to|for)\b|\b(?:i|we) can\b/i;

/** `the approve button`, `APPROVED is written by …`. */
const NAMED_AFTER =
  /^\s+(?:the )?(?:button|endpoint|flow|handler|workflow|step|state|status|process|strategy|api|page|dialog|what|the budget|command|label|policy|rule|route|function|method|permission|role|requests?|list|queue|screen|column|field|flag|values?|inputs?|types?|is\b|was\b|are\b|means|gets)/i;
const KOREAN_PARTICLE_AFTER = /^(?:가|는|은|라고|라는|의|이)\s/u;
const KOREAN_DENIAL_AFTER = /^\s?(?:불가|보류|못|안 |하지|거부)/u;

const isDeniedInKorean = (before: string, after: string): boolean =>
  hasWord(after.slice(0, 14), 'korean_after') ||
  /(?:미|아직|비|불|재)\s?$|(?:면|어야|후에?|까지)\s[^.]{0,20}$/u.test(before);

const isDeniedInChinese = (before: string, after: string): boolean =>
  hasWord(before.slice(-6), 'chinese_before') || hasWord(after.slice(0, 6), 'chinese_after');

/** `Verdict: PASS`, `通过。`: a word that approves only where a clause says nothing else. */
function isAlone(inClause: string, after: string): boolean {
  const before = inClause.trim().replace(/^.*[:：]$/su, '');
  return before === '' && (CLOSES.test(after) || /^\s?[:：]\s/u.test(after));
}

const CLOSES = /^(?:\s(?:from (?:me|my (?:side|end))|here|then|now|with it))?[\s.!)，。！~\p{Emoji_Presentation}]*$/u;

/** Reads a review that is a JSON object with a verdict; undefined for any other text. */
export function structuredReview(text: string) {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const isVerdict = ([key, one]: readonly [string, unknown]): boolean =>
    VERDICT_KEYS.has(key.toLowerCase()) || (typeof one === 'boolean' && YES_KEY.test(key));
  if (!entries.some(isVerdict)) return undefined;
  const approvals = [...text.matchAll(FIELD), ...text.matchAll(YES_FIELD)].flatMap(
    ({ 0: whole, 1: head = '', 2: verdict = '', index }) =>
      APPROVES.test(verdict) ? [{ from: index + head.length, to: index + whole.length - 1 }] : [],
  );
  const rest = entries.filter((entry) => !isVerdict(entry)).map(([, one]) => one);
  return { prose: listTexts(rest).join('\n'), approvals };
}

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
const FIELD = /("(?:verdict|grade|decision|status|result)"\s{0,20}:\s{0,20}")([^"\\]{1,40})"/gi;
/** `"approved": true`: downgraded, it is `"NEEDS_REVIEW": true`. */
const YES_FIELD = /(")(approved?|lgtm|accept(?:ed)?)"(?=\s{0,20}:\s{0,20}true\b)/gi;
const YES_KEY = /^(?:approved?|lgtm|accept(?:ed)?)$/i;
const APPROVES = /^(?:approved?|lgtm|pass(?:ed)?|accept(?:ed)?|승인|통과|批准|通过)$/i;
