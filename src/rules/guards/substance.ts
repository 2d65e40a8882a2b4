import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { countsIn } from './counts.ts';
import { anywhere, english, holds } from './patterns.ts';
import { tellsFeeling, tellsTrouble } from './praise.ts';
import { tokensOf } from './tokens.ts';
import data from './words/substance.json' with { type: 'json' };

/** A bracket that is left open would swallow the words after it. */
const words = z.array(z.string().regex(/^[^[\]()|]+$/));
const WORDS = tableOf(
  'src/rules/guards/words/substance.json',
  z.strictObject({
    english: z.strictObject({
      things: words.describe('what software is made of, and what is done with it'),
      actions: words.describe('what is done to such a thing, or what of it is in question'),
      general: words.describe('what may be said of any task'),
      intensifying: words,
      finished: words.describe('that a task is over says nothing of how good it is'),
    }),
    korean: z.strictObject({
      things: words,
      actions: words,
      intensifying: words,
      addressed: words,
      general: words,
    }),
    chinese: z.strictObject({
      things: words,
      actions: words,
      intensifying: words,
      addressed: words,
      general: words,
    }),
  }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

const THINGS = [english(EN.things), anywhere(KO.things), anywhere(ZH.things)];
const ACTIONS = [english(EN.actions), anywhere(KO.actions), anywhere(ZH.actions)];

/** Whether a masked sentence tells of a thing of the task, or of something that was done, found or is in question. */
export function isSubstantive(sentence: string): boolean {
  if (tokensOf(sentence).some(({ script, thing }) => script === 'quote' || thing !== undefined)) return true;
  if (countsIn(sentence) || ASKS.test(sentence) || holds(sentence, ...THINGS)) return true;
  return !EXCEEDED.test(sentence) && (holds(sentence, ...ACTIONS) || DENIES.test(sentence) || tellsTrouble(sentence));
}

/** Whether a masked sentence tells what was done to a thing of the task, or what is wrong with it. */
export const isResult = (sentence: string): boolean =>
  holds(sentence, ...THINGS) &&
  (holds(sentence, ...ACTIONS) || HAPPENED.test(sentence) || DENIES.test(sentence) || tellsTrouble(sentence));

/** A verb of what was done: `swallowed`. */
const HAPPENED = /(?<!\w)[a-z]{3,}ed(?!\w)/iu;
/** `…, doesn't it?` asks nothing. */
const ASKS = /(?<!,\s(?:\w+n['’]t|is|are|was|were|does|do|did|has|have)\s(?:it|he|she|they|you|that|this))[?？]/u;
const DENIES = /(?<!\w)(?:not|no|none|never|nothing|nobody|without|neither|nor)(?!\w)|n['’]t(?!\w)/iu;
/** `It doesn't get better than this`, `I couldn't be happier`: what denies that there is more praises. */
const EXCEEDED =
  /(?:n['’]t|\bnot|\bnever)\s+(?:get|be|have been|ask for|imagine|have (?:asked|hoped|done|put|said) (?:it |for )?)\s*(?:any )?(?:better|more|happier|prouder|cleaner|nicer|finer)(?!\w)|nothing (?:short of|less than)/iu;

/**
 * How many marks of judgement a masked sentence bears: of everything or of nobody's thing in particular, of whoever reads,
 * with words that only strengthen, in rows of adjectives, by a likeness. One alone says little; a sentence with none is 0.
 */
export function marksOfJudgement(sentence: string): number {
  if (EXCEEDED.test(sentence)) return 2;
  const marks = [
    ABOUT.test(sentence) && !FINISHED.test(sentence),
    holds(sentence, INTENSIFYING, ...ASIAN.intensifying),
    ADDRESSED.test(sentence) || holds(sentence, ...ASIAN.addressed),
    ADJECTIVES.some((pattern) => pattern.test(sentence)),
    LIKENESS.test(sentence),
    THANKS.test(sentence) || tellsFeeling(sentence),
    EXCLAIMED.test(sentence),
    holds(sentence, ...ASIAN.general),
  ];
  return marks.filter(Boolean).length;
}

const INTENSIFYING = english(EN.intensifying);
const ASIAN = {
  intensifying: [anywhere(KO.intensifying), anywhere(ZH.intensifying)],
  addressed: [anywhere(KO.addressed), anywhere(ZH.addressed)],
  general: [anywhere(KO.general), anywhere(ZH.general)],
};
/** `This codebase sings`, `everything has been`, `your thinking is`: at the head of a clause, with something said of it. */
const ABOUT = new RegExp(
  `(?:^|[,;.!—–-]\\s+|\\band\\s+)\\P{L}*(?:(?:what|the way|how) you[\\w' ]{1,20}|this|it|that|everything|everyone|you|your [a-z]+|(?:the|this|that|such|your|our) (?:[a-z-]+ ){0,2}?(?:${EN.general.join('|')}))(?:['’]s)?\\s+[a-z]`,
  'iu',
);
const FINISHED = new RegExp(
  `(?:(?:is|are|was|were|has been|looks|seems|all)|['’]s)(?: now| all| already)? (?:${EN.finished.join('|')})(?!\\w)|\\bworks\\b`,
  'iu',
);
const ADDRESSED = /(?<!\w)(?:you|your|yours|you['’](?:re|ve))(?!\w)/iu;
/** `is robust, scalable and lean`; `a polished, careful piece`. */
const ADJECTIVES = [
  /(?<!\w)(?:is|are|was|were|feels?|looks?|stays?|reads?)\s+(?:[a-z]+ly\s+)?[a-z-]{3,}(?:,\s+[a-z-]{3,}){1,6},?\s+(?:and\s+)?[a-z-]{3,}/iu,
  /(?<!\w)an?\s+[a-z-]{3,},\s+[a-z-]{3,}(?:,\s+[a-z-]{3,}){0,4}\s+[a-z]{3,}/iu,
  /^(?:the|such|what an?)\s[a-z]+,\s+(?:the|such)\s[a-z]+,/iu,
];
const LIKENESS = /(?<!\w)(?:like|as if|as though) (?:an?|the|it)(?!\w)/iu;
/** `What a journey`, `so much growth`. */
const EXCLAIMED = /(?:^|[,.!]\s)\W*(?:what an?|such an?|so (?:much|many)) [a-z]/iu;
const THANKS = /(?<!\w)(?:thanks?|thank you|grateful|honou?red)(?!\w)|감사|고맙|感谢|谢谢/iu;
