import { alternativesOf, type TextSpan } from './message-words.ts';
import { clausesOf, isQuestion, type MessageSentence, type Prose } from './prose.ts';

/**
 * The places where a message approves in its own name: a verdict field, or a clause at the edge of a sentence that is a
 * verdict and hardly anything else. The same word within a sentence is about the product. A verdict that rejects wins.
 */
export function approvalsIn({ sentences }: Prose): readonly TextSpan[] {
  if (sentences.some(({ text }, at) => REJECTING_FIELD.test(text) || (at === 0 && REJECTS.test(text)))) return [];
  return sentences.flatMap(({ text, from: start }, at) =>
    approvalsInSentence(
      text,
      at === 0 && (LONE.exec(text)?.groups?.['field'] !== undefined || sentences.length === 1),
    ).map(({ from, to }) => ({ from: start + from, to: start + to })),
  );
}

function approvalsInSentence(sentence: string, mayBeLone: boolean): readonly TextSpan[] {
  if (isQuestion(sentence)) return [];
  const field = FIELD.exec(sentence) ?? (mayBeLone ? LONE.exec(sentence) : null);
  if (field !== null) return [verdictAt(field, 0)];
  if (CONDITION.test(sentence)) return [];
  const parts = partsOf(sentence);
  return parts.flatMap(({ text, from }, at) => {
    const isAtEdge = at === 0 || at === parts.length - 1;
    const found = VERDICT.exec(text) ?? (isAtEdge ? verdictIn(text) : null);
    return found === null ? [] : [verdictAt(found, from)];
  });
}

const verdictIn = (part: string): RegExpExecArray | null =>
  OPENING.exec(part) ?? WHOLE.exec(part) ?? (OTHER_SUBJECT.test(part) ? null : findKorean(part)) ?? CHINESE.exec(part);

const verdictAt = ({ index, groups }: RegExpExecArray, start: number): TextSpan => {
  const { before = '', verdict = '' } = groups ?? {};
  const from = start + index + before.length;
  return { from, to: from + verdict.length };
};

/** Clauses, cells of a table, and the texts between emoji, each from its first letter. */
const partsOf = (sentence: string): readonly MessageSentence[] =>
  clausesOf(sentence.replace(/:[a-z]\w{2,30}:/g, (emoji) => ' '.repeat(emoji.length))).flatMap(({ text, from }) =>
    [...text.matchAll(PART)].map(({ 0: part, index }) => ({ text: part, from: from + index })),
  );
const PART = /(?:[\p{L}\p{N}+](?:[^|\p{Extended_Pictographic}]|\p{N})*|👍)/gu;

/** `the approve button`, `APPROVED is written by …`. */
const NAMED_AFTER = String.raw`(?!\s+(?:the )?(?:button|endpoint|flow|handler|workflow|step|state|status|process|strategy|api|page|dialog|what|command|label|policy|rule|route|function|method|permission|role|requests?|list|queue|screen|column|field|flag|values?|inputs?|types?|is|was|are|means|gets)(?!\w)|\s?(?:가|는|은|라고|라는|의|이|불가|보류|못|안|하지|거부)(?!\p{L})|\s?(?:버튼|기능|按钮|功能))`;
/** In capitals: a verdict at the beginning of any clause, whatever follows. */
const VERDICT = new RegExp(
  String.raw`^(?<before>)(?<verdict>(?:(?:APPROVED?|[Ll][Gg][Tt][Mm]|SGTM)(?![a-zA-Z])|PASS(?:ED)?(?=\s*(?:[.!:]|$)))(?:\s?[:：]\s?(?:ok|승인합니다))?)${NAMED_AFTER}`,
  'u',
);

const CHANGE = '(?:change|pr|pull request|patch|diff|commit|version|work|one)';
const THIS = String.raw`(?:(?:this|that|these|the|your) ${CHANGE}s?|this|it|that|these|them)(?![\w'-])`;
const WHOLE_CHANGE = String.raw`(?:the|these|all|all the|both) (?:code|changes?|prs?|pull requests?|patch(?:es)?|diffs?|commits?)`;
const LEAD = String.raw`(?<before>(?:(?:(?:i|we)(?:['’](?:m|re|ve)| am| are| have)?|(?:(?:it|this|that)(?: ${CHANGE})?|${WHOLE_CHANGE})(?:['’]s| is| are| gets?| has| have)|(?:fully|reviewed(?: (?:it|(?:this|that|your)(?: ${CHANGE})?|${WHOLE_CHANGE}))?)(?: and)?|recommend|let['’]?s|merge|(?:code )?review(?: is)? (?:completed?|done|finished):?|consider ${THIS}|you have|my|full|so|then|okay|ok|yes|well|overall|therefore|still|also|again|now|hereby|gladly|can|just|very|big|strong|easy|(?:happy|glad|pleased|fine|comfortable|confident|ready)(?: enough)? to|an?) )*)`;
/** What may follow `approved`; `Approved expenses are shown` is about expenses. */
const OPENING = new RegExp(
  String.raw`^${LEAD}(?<verdict>approv(?:e|ed|ing|al granted)(?:\s?[:：]\s?(?:ok|승인합니다))?)(?=\s*(?:$|[^\w\s\p{L}'’-]|\d|합니다|할게요|하겠|함(?!\p{L})|입니다|이요|드립|해요|갈게|了|吧)|_|\s+(?:${THIS}|(?:on|with|without|for|from|because|since|despite|given|as|at|now|again|here|too|based|per|by (?:me|us)|thanks|once|pending|modulo|purely|solely|anyway)(?![\w-])))`,
  'iu',
);

const [ENGLISH = '', KOREAN_PHRASES = '', CHINESE_PHRASES = ''] = [
  /^[\x00-\x7f]+$/,
  /\p{Script=Hangul}/u,
  /\p{Script=Han}/u,
].map((script) =>
  alternativesOf('approval')
    .filter((row) => script.test(row))
    .join('|'),
);
const WHOLE = new RegExp(
  String.raw`^${LEAD}(?<verdict>\+1(?! ?[-/−])|👍|${ENGLISH})(?:,? (?:${THIS}|on ${THIS}|from (?:me|us|here|(?:my|our) (?:side|end))|with (?:it|joy)|here|then|now|too|please|as far as i['’]m concerned))*[^\w\s:]*(?:\s*$|:\s)`,
  'iu',
);
/** A verb closes the sentence: it is about its author if it has no other subject. */
const KOREAN = [
  String.raw`(?<before>(?:.*(?:[서니고데만도히게라어아해며]|저는|제가|최종|변경|사항|건|pr|(?:변경|사항|수정|pr|코드|커밋|패치|건)[은는을를이]) )?)(?<verdict>승인(?:합니다|할게요|하겠습니다|함|하죠|한다|해요|해 ?둡니다|드립니다|이요|입니다| ?처리합니다)?)`,
  String.raw`(?<before>(?:(?:저도|모두|우선|어서|일단|이제|.*없이) )*)(?<verdict>${KOREAN_PHRASES})`,
].map((form) => new RegExp(String.raw`^${form}(?=[^\p{L}\p{N}:：]*$|\s?[:：(~])`, 'iu'));
const findKorean = (part: string): RegExpExecArray | null => KOREAN[0]?.exec(part) ?? KOREAN[1]?.exec(part) ?? null;
const OTHER_SUBJECT = /^\S{2,}(?:가|이|께서|님은)\s(?!.*(?:저도|저는|제가))|면\s/u;
const CHINESE = new RegExp(
  String.raw`^(?<before>(?:所以|那么?|我(?:[看觉]得?|投)?|也|这[次个]|此|本次|予以|同意|先|就|给|点|直接|可以|按\p{Script=Han}{1,8}|该变更|[^：]{0,8}PR)*)(?<verdict>(?:批准| ?approve ?|${CHINESE_PHRASES})(?:[了吧啦]|合[并入]|(?:这次|本次|此次|该|这个?)(?:改动|变更|提交|PR))*)(?=[^\p{L}\p{N}]*$|[:：])`,
  'iu',
);

/** A verdict that waits for something. */
const CONDITION =
  /^\W*(?:once|if|when|as soon as|after|until|provided|unless)(?!\w)|(?<!\w)['’](?:ll|d) (?:approve|sign)|(?:이|으)?면 승인/i;

const WAITS = String.raw`[\W_]*(?:after|if|once|when|until|pending|not|never)(?![a-z])`;
const FIELDS = String.raw`(?:(?:final|my|overall|review(?:er)?) )*(?:verdict|decision|recommendation|conclusion|vote|grade|answer|review|status|result)|결론|판정|(?:검토|리뷰|심사) ?결과|(?:评审|审查|审核)?(?:结论|结果|意见)`;
const OF_FIELD = String.raw`(?<before>^[^\p{L}\p{N}]*(?:${FIELDS})(?: is|[^\p{L}\p{N}\n]*[:：|=→–—-])[^\p{L}\p{N}+👍\n]*)`;
const FIELD = new RegExp(
  String.raw`${OF_FIELD}(?<verdict>(?:approved?|approval|lgtm|accept(?:ed)?|ship it|merge|\+1|👍|승인|통과|批准|通过|(?<!(?:status|result)[^\p{L}]*)(?:pass(?:ed)?|ok|okay|yes|good|go))(?![a-z]))(?!${WAITS})`,
  'iu',
);
/** `Result: PASS` at the beginning, or `Pass.` alone; later on it is the result of a run. */
const LONE =
  /^(?<before>[^\p{L}\p{N}]*(?<field>(?:result|status)[^\p{L}\p{N}\n]*[:：|=][^\p{L}\p{N}\n]*)?)(?<verdict>pass(?:ed)?)[^\p{L}\p{N}]*$/iu;
const REJECTED = String.raw`(?:(?:needs?|request(?:s|ing|ed)?|requires?)[ _-](?:review|work|changes?|revision)|changes?[ _-](?:requested|needed|required)|reject(?:ed|ing)?|fail(?:ed)?|block(?:ed|ing|er)?|not (?:approved?|ready|lgtm|yet)|no[- ]go|do(?:n['’]t| not) (?:merge|ship)|반려|보류|거부|수정이? ?(?:필요|요청)|변경 ?(?:필요|요청)|驳回|打回|拒绝|请修改|需要?修改|不(?:通过|批准|同意))`;
/** `Result: blocked users cannot log in` is about the product; a bare status or result may be as well. */
const REJECTING_FIELD = new RegExp(
  String.raw`${OF_FIELD}(?<!^[^\p{L}]*(?:status|result|answer)(?: is)?[^\p{L}]*)${REJECTED}(?:\s*$|\s*[^\p{L}\p{N}\s_-]|\s+[-–—]|\s+(?:because|due|for|until|since|as|by|on|with)(?![a-z])|(?<=[가-힣一-龥]))`,
  'iu',
);
/** `Changes requested: none` requests nothing. */
const REJECTS = new RegExp(
  String.raw`^[^\p{L}\p{N}]*${REJECTED}(?!\s*[:：]\s*(?:none|no|nothing|false|0|없|无))(?:\s*$|[^\p{L}\p{N}\s_-]|(?<=[가-힣一-龥]))`,
  'iu',
);
