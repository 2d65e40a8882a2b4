import { announcingIn } from './announcing.ts';
import { touches } from './patterns.ts';
import type { Span } from './patterns.ts';
import { contrastsIn, praiseIn } from './praise.ts';
import type { OwnWords, Praise } from './praise.ts';
import { tokensOf, weightOf } from './tokens.ts';
import type { Token } from './tokens.ts';
import { STOP_WORDS } from '../text/words.ts';

/** What a sentence does for whoever reads it. */
export type Label = 'evidence' | 'technical' | 'flattery' | 'confirmation' | 'intent' | 'content';

/** A sentence with its label. */
export interface Labelled {
  readonly label: Label;
  readonly text: string;
  /** Its length in tokens: words, eojeol, halves of Chinese characters. */
  readonly weight: number;
  /** The words for which it is praise. */
  readonly praise: readonly string[];
  /** An intent that begins with a confirmation: `Sure, I'll …`. */
  readonly confirms: boolean;
  /** Words of it that are known in one of the languages that are read. */
  readonly known: number;
}

/** Labels a masked sentence; undefined for one without a word. The first that fits counts, in the order of `Label`. */
export function labelSentence(sentence: string, own: OwnWords): Labelled | undefined {
  const tokens = tokensOf(sentence);
  const said = tokens.filter(({ script }) => script !== 'quote');
  if (tokens.length === 0) return undefined;
  const praise = praiseIn(sentence, own);
  const announcing = announcingIn(sentence);
  const empty = [...announcing.confirmation, ...announcing.intent, ...announcing.filler];
  const left = remainder(tokens, empty);
  const label = labelOf();
  return {
    label,
    text: sentence,
    weight: tokens.reduce((sum, token) => sum + weightOf(token), 0),
    praise:
      label === 'flattery' ? [...praise.strong, ...praise.weak].map(({ from, to }) => sentence.slice(from, to)) : [],
    confirms: announcing.confirmation.length > 0,
    known: said.filter((token) => isKnown(token, empty, praise)).length,
  };

  function labelOf(): Label {
    const isIntent = announcing.intent.length > 0;
    if (!isIntent && tokens.some((token) => isEvidence(token, tokens, sentence))) return 'evidence';
    if (!isIntent && countsIn(sentence)) return 'evidence';
    if (isFlattery(tokens, praise, sentence)) return 'flattery';
    if (praise.technical.length > 0) return 'technical';
    if (tokens.some(({ script }) => script === 'quote')) return 'content';
    if (HEADING.test(sentence)) return 'content';
    if (isIntent) return left === 0 ? 'confirmation' : left >= SUBSTANTIAL ? 'content' : 'intent';
    if (left === 0 && announcing.confirmation.length > 0 && !sentence.trimEnd().endsWith('?')) return 'confirmation';
    return 'content';
  }
}

/** `## Getting started` announces nothing that will be done. */
const HEADING = /^\s*#{1,6}\s/;

/** An announcement with so many words about its matter says more than that something will be done. */
const SUBSTANTIAL = 5;

/** How much of a sentence is said by other words than these. */
function remainder(tokens: readonly Token[], spans: readonly Span[]): number {
  const left = tokens.map((token) => {
    if (token.script === 'quote') return 1;
    if (token.script === 'han') return uncovered(token, spans);
    return touches(token, spans) || isLight(token) ? 0 : 1;
  });
  return left.reduce<number>((sum, one) => sum + one, 0);
}

/** Of a run of Chinese characters those count that nothing covers, two as one word. */
function uncovered({ text, from }: Token, spans: readonly Span[]): number {
  const isCovered = new Uint8Array(text.length);
  for (const one of spans) isCovered.fill(1, Math.max(0, one.from - from), Math.max(0, one.to - from));
  let left = 0;
  for (let at = 0; at < text.length; at += 1) if (isCovered[at] === 0 && !LIGHT_HAN.has(text.charAt(at))) left += 0.5;
  return Math.floor(left);
}

const LIGHT_HAN = new Set('的了是很非常太真这那个我你您们地得在也都就和与及又最一有');

/** Words that only carry the grammar, and Korean endings and particles that stand by themselves. */
const isLight = ({ script, text }: Token): boolean =>
  script === 'latin' ? isGrammar(text) : script === 'hangul' && KOREAN_LIGHT.test(text);

function isGrammar(text: string): boolean {
  const word = text.toLowerCase().replace('’', "'");
  return STOP_WORDS.has(word) || PRONOUNS.has(word);
}

const PRONOUNS = new Set(
  "i i'm i've me my you your you're we our us it it's its this that that's what how who is are was were am be been have has had so such very really just quite too all as always ever by any from should of the a an in on at to and or for with more most here there oh every everything".split(
    ' ',
  ),
);
const KOREAN_LIGHT =
  /^(?:을|를|이|가|은|는|에|의|로|으로|와|과|도|만|에서|까지|부터|입니다|이다|네요|이네요|예요|이에요|개|수|것|더|좀|꼭|약)$/u;

function isFlattery(tokens: readonly Token[], praise: Praise, sentence: string): boolean {
  const { strong, weak, praised, isTroubled, isPersonal } = praise;
  if (isTroubled || strong.length + weak.length === 0) return false;
  const said = [...strong, ...weak, ...praised];
  if (isInterjection(tokens, praise, sentence) || isHedge(tokens, praise, sentence)) return false;
  const left = remainder(tokens, said);
  const worth = 2 * strong.length + weak.length + praised.filter((one) => !touches(one, [...strong, ...weak])).length;
  if (strong.length > 0) return left <= worth + 1;
  if (weak.length > 1) return left < weak.length;
  return left === 0 || (left === 1 && (isPersonal || EMPHATIC.test(sentence)));
}

const EMPHATIC = /[!！]|\b(?:so|very|really|truly|what|how)\b/i;

/** `Wonderful, the backup was empty`: a word of praise called out before a statement that has none, and that says something. */
function isInterjection(tokens: readonly Token[], { strong, weak, praised }: Praise, sentence: string): boolean {
  const head = CALL.exec(sentence)?.[0].length ?? 0;
  const all = [...strong, ...weak];
  if (head === 0 || !all.some(({ to }) => to <= head) || all.some(({ from }) => from >= head)) return false;
  const rest = tokens.filter(({ from }) => from >= head);
  return remainder(rest, praised) >= STATEMENT;
}

/** One or two words, or up to four Chinese characters, before a comma or a colon. */
const CALL =
  /^[^\p{L}]*(?:oh|ah|wow|well|와|오|哇)?[\s,]*(?:\p{Script=Han}{1,4}|[^\s\p{Script=Han},:，：—–]+(?:\s[^\s\p{Script=Han},:，：—–]+)?)\s?[,:，：—–]\s?/iu;

/** `It is beautiful, but two callers remain`: the side that does not praise says something. */
function isHedge(tokens: readonly Token[], { strong, weak, praised, denied }: Praise, sentence: string): boolean {
  const turns = contrastsIn(sentence);
  if (turns.length === 0) return false;
  const said = [...strong, ...weak];
  const edges = [0, ...turns.map(({ to }) => to), sentence.length];
  return edges.slice(1).some((to, at) => {
    const from = edges[at] ?? 0;
    const isPraising = said.some((one) => one.from < to && one.to > from);
    const side = tokens.filter((one) => one.from >= from && one.to <= to);
    return !isPraising && remainder(side, [...praised, ...denied, ...turns]) >= STATEMENT;
  });
}

/** A statement has a subject and says something of it. */
const STATEMENT = 2;

/** Whether a token can be looked up: a file, an identifier, a hash, a figure with its unit; a mark out of ten is none. */
function isEvidence({ thing, text }: Token, tokens: readonly Token[], sentence: string): boolean {
  if (thing === undefined || thing === 'number') return false;
  if (thing !== 'ratio') return true;
  return !/^(\d+)\/\1$/.test(text) || !MARK.test(text) || tokens.length > 3 || countsIn(sentence);
}

/** A score as it is given for praise. */
const MARK = /^(?:5|10|100)\//;

const isKnown = (token: Token, empty: readonly Span[], praise: Praise): boolean =>
  token.script !== 'latin' ||
  token.thing !== undefined ||
  isGrammar(token.text) ||
  touches(token, [...empty, ...praise.strong, ...praise.weak]);

/** Whether a sentence counts or measures something: `42 tests`, `line 12`, `세 곳`, `12 个测试`. */
const countsIn = (sentence: string): boolean => COUNTED.some((pattern) => pattern.test(sentence));

const NUMBER = String.raw`(?:\d+(?:[.,]\d+)*|zero|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozens?)`;
const UNITS =
  'tests?|specs?|files?|lines?|errors?|warnings?|failures?|functions?|modules?|places?|call(?:er|s|-sites?)?s?|call ?sites?|cases?|rows?|requests?|bytes?|commits?|branches|modules?|assertions?|suites?|packages?|dependencies|endpoints?|columns?|tables?|records?|keys?|retries|attempts?|seconds?|secs?|s|minutes?|mins?|hours?|milliseconds?|ms|kb|mb|gb|megabytes?|gigabytes?|passed|failed|skipped|occurrences?|matches|threads?|processes|connections?|usages?|imports?|exports?|migrations?|queries|percent|threads?|handlers?|routes?|fields?|methods?|classes|types?|variables?|properties|parameters?|characters?|entries|items?|nodes?|times';

/** A figure and its unit; what is spelled out must be a number of things that are found in code. */
const COUNTED: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\w%/#.-])${NUMBER} (?:[a-z-]{2,20} ){0,2}(?:${UNITS})\b`, 'i'),
  /\b(?:lines?|rows?|column|step|port|exit|exit code|code|status|version|commit|issue|pr|status code|task|l)[ :#]+\d+/i,
  /\d+(?:[.,]\d+)*\s?%\s?(?:of|coverage|cpu|memory|faster|slower|fewer|less|line|branch)|coverage[^.]{0,20}\d+(?:\.\d+)?\s?%/i,
  /\d+\s?(?:개|곳|건|행|줄|번째 줄|번|초|분|시간|바이트|퍼센트|회|가지|명|단계|밀리초|메가|기가|킬로)/u,
  /(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:개|곳|건|줄|번|초|분|가지|군데)/u,
  /\d+\s?(?:个|處|处|行|条|次|秒|毫秒|分钟|字节|项|处|倍|列|组|种|份|台|节)/u,
  /커버리지[^.]{0,12}\d|覆盖率[^。]{0,12}\d/u,
];
