import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { anywhere, english, holds } from './patterns.ts';
import { tellsTrouble } from './praise.ts';
import data from './words/substance.json' with { type: 'json' };

/** A bracket that is left open would swallow the words after it. */
const words = z.array(z.string().regex(/^[^[\]()|]+$/));
const WORDS = tableOf(
  'src/rules/guards/words/substance.json',
  z.strictObject({
    english: z.strictObject({
      things: words.describe('what software is made of, and what is done with it'),
      actions: words.describe('what is done to such a thing, or what of it is in question'),
    }),
    korean: z.strictObject({ things: words, actions: words }),
    chinese: z.strictObject({ things: words, actions: words }),
  }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

const THINGS = [english(EN.things), anywhere(KO.things), anywhere(ZH.things)];
const ACTIONS = [english(EN.actions), anywhere(KO.actions), anywhere(ZH.actions)];

/** Whether a masked sentence tells what was done to a thing of the task, or what is wrong with it. */
export const isResult = (sentence: string): boolean =>
  holds(sentence, ...THINGS) &&
  (holds(sentence, ...ACTIONS) || HAPPENED.test(sentence) || DENIES.test(sentence) || tellsTrouble(sentence));

/** A verb of what was done: `swallowed`. */
const HAPPENED = /(?<!\w)[a-z]{3,}ed(?!\w)/iu;
const DENIES = /(?<!\w)(?:not|no|none|never|nothing|nobody|without|neither|nor)(?!\w)|n['’]t(?!\w)/iu;
