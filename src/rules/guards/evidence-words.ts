import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { english } from './patterns.ts';
import data from './words/evidence.json' with { type: 'json' };

const words = z.array(z.string().min(1));
const language = {
  runs: words,
  good: words,
  bad_verbs: words,
  bad_nouns: words,
  denied: words,
  negation: words,
  doubt: words,
  told: words,
  foreign: words,
  excused: words,
  read: words,
  diff: words,
  things: words,
};
const WORDS = tableOf(
  'src/rules/guards/words/evidence.json',
  z.strictObject({
    english: z.strictObject({ ...language, idioms: words }),
    korean: z.strictObject(language),
    chinese: z.strictObject(language),
  }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

type Key = keyof typeof language;
const of = (key: Key): readonly RegExp[] => [
  english(EN[key]),
  new RegExp([...KO[key], ...ZH[key]].toSorted((one, other) => other.length - one.length).join('|'), 'gu'),
];
/** What runs and has an outcome. */
export const RUNS = of('runs');
/** Outcomes that are good. */
export const GOOD = of('good');
/** Outcomes that are bad. */
export const BAD = of('bad_verbs');
/** What takes a claim back. */
export const DENIED = of('denied');
/** What turns a verb round. */
export const NEGATION = of('negation');
/** What has not been seen yet. */
export const DOUBT = of('doubt');
/** The word of somebody else. */
export const TOLD = of('told');
/** What is not about this change. */
export const FOREIGN = of('foreign');
/** What was red once, and is not now. */
export const EXCUSED = of('excused');
/** That something was looked at. */
export const READ = of('read');
/** Commands that show a change. */
export const DIFF = of('diff');

/** Who is still to look has not looked; what he looked for may well be in doubt. */
export const LOOK_DOUBT =
  /(?<![\w])(?:will|would|should|going to|later|plan to|needs? to|must|todo|tomorrow|once|assum\w+|if (?:i|we|somebody|someone))(?!\w)|['’]ll(?!\w)|겠습니다|예정|나중에|해야|할게|稍后|之后再|应该|将(?:会)?|需要/iu;
/** Turns of phrase in which a word of evidence shows nothing. */
export const IDIOMS = english(EN.idioms);
/** `n't`. */
export const SHORT = /n['’]t(?!\w)/iu;
/** `'ll`, `'d`. */
export const SOON = /['’](?:ll|d)(?!\w)/iu;
/** So many of something went wrong; none is not so many. */
export const BAD_COUNT = new RegExp(
  `(?<![\\w./-])[1-9]\\d*(?:/\\d+|,\\d+)*(?: of (?:the )?\\d+)?(?: [a-z-]+){0,2} (?:${EN.bad_nouns.join('|')})(?![\\w-])|(?:${KO.bad_nouns.join('|')})\\s?[1-9]\\d*\\s?(?:개|건)|[1-9]\\d*\\s?(?:개|건)(?:의|가|이|는)?\\s?(?:\\S+\\s)?(?:${KO.bad_nouns.join('|')})|[1-9]\\d*\\s?(?:个|处|条|项)\\s?(?:\\p{Script=Han}{0,4})(?:${ZH.bad_nouns.join('|')})|(?:${ZH.bad_nouns.join('|')})\\s?[1-9]\\d*`,
  'iu',
);
/** That there is none. */
export const NONE_BAD = /(?<![\w])(?:0|zero|no|none|without(?: any)?|not a single|없)/iu;
/** So many passed. */
export const PASSED_COUNT =
  /(?<![\w./])(?:all )?[1-9]\d*(?:,\d{3})*(?: [a-z-]+){0,2} (?:passed|passing|pass|green)(?![\w-])|[1-9]\d*\s?개?(?:의)?\s?(?:\S{1,8}\s)?(?:모두 |전부 )?통과|[1-9]\d*\s?(?:个|项)?\p{Script=Han}{0,6}通过/iu;
/** `0 tests passed`: a run in which nothing was tested. */
export const NOTHING_PASSED =
  /(?<![\w./,])0(?: [a-z-]+){0,2} (?:passed|passing|pass|green)(?![\w-])|(?<![\d.,/])0\s?개?(?:의)?\s?(?:모두 |전부 )?통과|(?<![\d.,/])0\s?(?:个|项)?\p{Script=Han}{0,6}通过/iu;
/** What is counted is people, pages, points. */
export const OTHER_COUNT = new RegExp(
  `^\\s*(?:of (?:the )?)?(?:[a-z-]+ )?(?:${EN.things.join('|')})(?![\\w-])|^\\s?(?:${[...KO.things, ...ZH.things].join('|')})`,
  'iu',
);
