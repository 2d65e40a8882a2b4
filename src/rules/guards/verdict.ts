import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { clausesOf } from './clauses.ts';
import type { Clause } from './clauses.ts';
import { anywhere, english, holds, koreanWords, spansOf } from './patterns.ts';
import type { Span } from './patterns.ts';
import type { Prose, Sentence } from './prose.ts';
import { tokensOf } from './tokens.ts';
import { namesRun } from './evidence.ts';
import data from './words/verdict.json' with { type: 'json' };

const words = z.array(z.string().min(1));
const WORDS = tableOf(
  'src/rules/guards/words/verdict.json',
  z.strictObject({
    english: z.strictObject({
      approval: words,
      bare: words,
      denied: words,
      hypothetical: words,
      told: words,
      noun: words,
      earlier: words,
      own_subject: words,
    }),
    korean: z.strictObject({ approval: words, bare: words, not_own: words, denied_after: words, denied_before: words }),
    chinese: z.strictObject({ approval: words, bare: words, not_own: words, denied_before: words }),
  }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

const APPROVAL = [english(EN.approval), new RegExp(`(?:${KO.approval.join('|')})`, 'gu'), anywhere(ZH.approval)];
/** What may also be said of a test: a verdict only where a clause says nothing else. */
const BARE = [koreanWords(KO.bare), anywhere(ZH.bare)];
const BARE_ENGLISH = english(EN.bare);
/** What may follow where nothing else is said. */
const CLOSES =
  /^(?:\s(?:from (?:me|my (?:side|end))|on my (?:side|end)|here|then|now|with it))?[\s.!)\u{1F300}-\u{1FAFF}]*$/iu;
const CAPITALS = /(?<![\w-])PASS(?:ED)?(?![\w-])|👍/gu;
const DENIED = english([...EN.denied, "n't"]);
const CONTRACTED = /n['’]t(?![\w])/iu;
const HYPOTHETICAL = english(EN.hypothetical);
const SHORTENED = /['’](?:ll|d)(?![\w])/iu;
const TOLD = english(EN.told);
const NOUN_AFTER = new RegExp(`^\\s+(?:the )?(?:${EN.noun.join('|')})(?![\\w-])`, 'iu');
const EARLIER = english(EN.earlier);
const KOREAN_OTHER = new RegExp(KO.not_own.join('|'), 'gu');
const CHINESE_OTHER = anywhere(ZH.not_own);
const KOREAN_DENIED = new RegExp(`^\\p{Script=Hangul}{0,4}\\s?(?:${KO.denied_after.join('|')})`, 'u');
const KOREAN_DENIED_BEFORE = new RegExp(`(?:${KO.denied_before.join('|')})$|아직[^,.]{0,20}$`, 'u');
const CHINESE_DENIED = new RegExp(`(?:${ZH.denied_before.join('|')})(?:能|会|可以|予|打算|建议|想)?$`, 'u');
const OWN = new Set(EN.own_subject);

/** Where a message approves in its own name, now and without a condition; places are those of the masked text. */
export function approvalsIn({ sentences }: Prose): readonly Span[] {
  const found: Span[] = [];
  for (const sentence of sentences) found.push(...inSentence(sentence, found.length >= MANY));
  return found;
}

/** Who approves so often approves: what stands around every further word is not looked at. */
const MANY = 200;

function inSentence({ text, from }: Sentence, isSure: boolean): readonly Span[] {
  if (/[?？]["')\]\s]*$/.test(text)) return [];
  const others = spansOf(text, KOREAN_OTHER, CHINESE_OTHER);
  const clauses = clausesOf(text);
  return [...spansOf(text, ...APPROVAL), ...bareIn(text).filter((span) => isAVerdict(clauses, span))]
    .filter((span) => !others.some((one) => one.from <= span.from && one.to > span.from))
    .filter((span) => isSure || isOwn(text, clauses, span))
    .map((span) => ({ from: from + span.from, to: from + span.to }));
}

const bareIn = (text: string): readonly Span[] => [
  ...spansOf(text, ...BARE),
  ...spansOf(text, BARE_ENGLISH).filter(({ to }) => CLOSES.test(text.slice(to))),
  ...[...text.matchAll(CAPITALS)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
];

/** A bare word is a verdict where its clause tells of no run and counts nothing. */
function isAVerdict(clauses: readonly Clause[], span: Span): boolean {
  const clause = clauses.findLast(({ from }) => from <= span.from);
  if (clause === undefined) return false;
  const around = clause.text.replaceAll(':', ' ');
  const before = clause.text.slice(0, span.from - clause.from).trim();
  // `PASS: npm test ended with exit code 1`: a heading is a verdict, whatever it is followed by; a runner's own line has no colon.
  const isHeading = before === '' && /^\s?[:：]\s/u.test(clause.text.slice(span.to - clause.from));
  if (isHeading) return true;
  const isPart = namesRun(around) || /\d/.test(around);
  if (isPart) return false;
  return (
    before === '' ||
    SAYS_SO.test(before) ||
    /^(?:(?:my |final |the )?(?:verdict|result|decision|status|review|outcome|recommendation|grade)\s?(?:is)?\s?[:=-]?\s?|결과[는은]?\s?:?\s?|판정[은는]?\s?:?\s?|리뷰\s?:?\s?|코드 리뷰\s?:?\s?|结论\s?[:：是为]?\s?|评审\s?[:：]?\s?|审查\s?[:：]?\s?|予以\s?|先\s?|直接\s?|那就\s?|我\s?|일단\s?|그래서\s?|따라서\s?|최종\s?)$/iu.test(
      before,
    )
  );
}

/** `I can only say: PASS`. */
const SAYS_SO =
  /\b(?:say|verdict|vote|conclude|conclusion|answer|decision|recommend|recommendation|grade|call|summary|bottom line)\b[^:]{0,20}:$/iu;

function isOwn(text: string, clauses: readonly Clause[], { from, to }: Span): boolean {
  const clause = clauses.findLast((one) => one.from <= from) ?? { text, from: 0 };
  const before = text.slice(Math.max(clause.from, from - NEAR), from).replace(/^.*[:：]\s+/su, '');
  const after = text.slice(to, Math.min(to + NEAR, clause.from + clause.text.length));
  const word = text.slice(from, to);
  if (/\p{Script=Hangul}/u.test(word))
    return (
      !(word === '승인' && KOREAN_NOUN.test(text.slice(to))) &&
      !KOREAN_DENIED.test(text.slice(to)) &&
      !KOREAN_DENIED_BEFORE.test(text.slice(0, from)) &&
      !isKoreanSupposed(text.slice(0, from), text.slice(to))
    );
  if (/\p{Script=Han}/u.test(word))
    return !CHINESE_DENIED.test(text.slice(0, from)) && !CHINESE_SUPPOSED.test(text.slice(0, from));
  if (SAID_IN_ANOTHER.test(text.slice(to)))
    return (
      !isKoreanSupposed(text.slice(0, from), text.slice(to).trimStart()) && !CHINESE_DENIED.test(text.slice(0, from))
    );
  if (holds(before, DENIED) || CONTRACTED.test(before)) return false;
  if (/(?:불가|보류|不予|거부)/u.test(after)) return false;
  if (holds(lastSentencePart(text, from), TOLD)) return false;
  if (NOUN_AFTER.test(text.slice(to)) || MENTIONED.test(text.slice(to))) return false;
  if (SAYS.test(before)) return true;
  if (holds(before, HYPOTHETICAL) || SHORTENED.test(before)) return isHappyTo(before);
  if (/ed$/i.test(word) && before.trim() === '' && HEADS.test(text.slice(to))) return true;
  if (/ed$/i.test(word) && (holds(`${before} ${after}`, EARLIER) || !isOwnSubject(before)))
    return isPassive(before, after);
  return isVerdictLike(word, before);
}

/** `APPROVED is written by the importer`, `APPROVED가 저장된다`: the word is spoken of. */
const MENTIONED =
  /^\s+(?:is|was|are|were|has|means|gets|appears|comes|stays|remains|returns?|should|must|would)\b|^(?:가|는|은|라고|라는|의|이)\s/u;
/** `approve 합니다`, `approve 了`: an English word as the verb of a Korean or Chinese sentence. */
const SAID_IN_ANOTHER =
  /^\s?(?:합니다|할게요|하겠습니다|드립니다|드려요|드릴게요|해요|했습니다|입니다|이에요|예요|함(?!\p{Script=Hangul})|了|吧|这个)/u;
/** `승인은 무효입니다`: a noun that something is said of. */
const KOREAN_NOUN = /^(?:은|이|의|에|과|와|도|만|율|률|자|일|된\s|되지|될)/u;

/** `Approved: …`: what follows a heading gives reasons, and tells no story of it. */
const HEADS = /^\s?(?:[:.!—–]|$)/u;

/** `… 있었다면 승인했을 것입니다`, `통과하면 승인하겠습니다`: what is said under a condition, of what was or is to come. */
const isKoreanSupposed = (before: string, after: string): boolean =>
  after.startsWith('했을') ||
  (/^(?:을|를)?\s?(?:하겠|드리겠|할\s?(?:것|게|텐데|수\s?있)|해\s?드리)/u.test(after) &&
    /(?:면|어야|아야|해야|뒤에?|후에?|대로|까지|전제로?|조건으?로?)(?:[\s,]|$)/u.test(before));

/** `如果……我就会批准`. */
const CHINESE_SUPPOSED =
  /(?:如果|若|要是|假如|倘若|只要|除非|等|之后|以后|后)[^。]*(?:会|才|再|将|就|就能|才能)(?:能|可以|予以|考虑)?$/u;

/** So many characters around a verdict bear on it. */
const NEAR = 160;

/** What was said before in the sentence, for a teller may stand in an earlier clause; a colon ends what he is told to tell. */
function lastSentencePart(text: string, from: number): string {
  const said = text.slice(Math.max(0, from - 80), from);
  const head = /^(.*)[:：]\s*$/su.exec(said)?.[1];
  return head === undefined ? said : (/(?:\S+\s+){0,2}\S+$/u.exec(head)?.[0] ?? head);
}

/** `I'd approve if npm test passed`, `npm test가 통과하면 승인하겠습니다`: it names the run that is missing. */
export function isConditional(sentence: string): boolean {
  const asked = CONDITION.exec(sentence)?.[1];
  if (asked !== undefined && namesRun(asked) && WOULD.test(sentence)) return true;
  return spansOf(sentence, ...APPROVAL).some(({ from, to }) => {
    const before = sentence.slice(0, from);
    return (isKoreanSupposed(before, sentence.slice(to)) || CHINESE_SUPPOSED.test(before)) && namesRun(before);
  });
}
const CONDITION = /\b(?:if|once|when|unless|until|as soon as|provided|after) ([^,;.]+)/iu;
const WOULD = /\b(?:would|will)\b|['’](?:d|ll)\b/iu;

/** `I would still say LGTM`: it is said by saying that one would. */
const SAYS = /(?:would|['’]d)(?: still)? (?:say|call (?:it|this))\s*[:,]?\s*$/iu;

/** `I'm happy to approve`, `I can approve this`: it is done by saying so. */
const isHappyTo = (before: string): boolean =>
  /(?:happy|glad|pleased|comfortable|confident)(?: enough)? to\s*$|\bI can (?:now |safely |therefore )?\s*$/i.test(
    before,
  ) && !/\b(?:would|'d|once|if|when|before|until|not)\b/i.test(before);

/** `This is approved`; `It was approved yesterday` tells a story. */
const isPassive = (before: string, after: string): boolean =>
  (isOwnSubject(before) || THIS_IS.test(before)) && !holds(`${before} ${after}`, EARLIER);

/** `The change is trivial and therefore` approved. */
const THIS_IS =
  /^\W*(?:this|it|(?:the|this) (?:change|patch|pr|diff|pull request|merge request|work))(?:['’]s| is| looks)(?: [a-z-]+,?){0,6} $/iu;

/** Whether whoever writes speaks of his own verdict: no other subject stands before the word. */
const isOwnSubject = (before: string): boolean =>
  tokensOf(before).every(
    ({ text, script, thing }) =>
      script !== 'latin' ||
      thing !== undefined ||
      OWN.has(text.toLowerCase().replace(/['’].*$/, '')) ||
      /^(?:\W|verdict|review|overall|decision|tests?|build)/i.test(text),
  );

/** A phrase is a verdict wherever it stands; the bare verb needs a subject of its own. */
const isVerdictLike = (word: string, before: string): boolean =>
  word.includes(' ') || /^(?:lgtm|\+1|r\+|shipit)$/i.test(word) || isOwnSubject(before) || /[:：]\s*$/.test(before);
