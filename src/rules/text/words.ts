/** A word of a text: as it stands (in lower case), its stem, where it is, and what stands between it and the word before. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly gap: string;
}

/** The words of a text, in order: `don't` is two, Korean particles are cut off, a run of Chinese characters is one. */
export function readWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const gap = text.slice(last, index);
    last = index + found.length;
    for (const part of partsOf(found.toLowerCase().replaceAll('’', "'"))) {
      if (part === '') continue;
      const same = words.at(-1)?.start === index;
      words.push({ text: part, stem: stemOf(part), start: index, end: last, gap: same ? '' : gap });
    }
  }
  return words;
}

const WORD =
  /\p{Script=Hangul}+|\p{Script=Han}+|(?:(?!\p{Script=Hangul}|\p{Script=Han})[\p{L}\p{N}_])+(?:['’][a-z]{1,2}\b)?/giu;

/** One word, or the two that a contraction stands for. */
function partsOf(word: string): readonly string[] {
  if (/^[가-힣]/u.test(word)) return [withoutParticle(word)];
  const short = CONTRACTIONS.get(word);
  if (short !== undefined) return short;
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not'];
  return [word.replace(/'[a-z]{1,2}$/, '')];
}

const CONTRACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['cannot', ['can', 'not']],
  ["can't", ['can', 'not']],
  ["won't", ['will', 'not']],
  ["shan't", ['shall', 'not']],
  ['dont', ['do', 'not']],
  ['doesnt', ['does', 'not']],
  ['isnt', ['is', 'not']],
  ['wont', ['will', 'not']],
]);

/** A Korean word without the particle that marks its part in the sentence; a word that is nothing else is empty. */
export function withoutParticle(word: string): string {
  const particle = PARTICLES.find((one) => word.endsWith(one));
  if (particle === undefined) return word;
  const rest = word.slice(0, -particle.length);
  return rest.length >= 2 || rest === '' ? rest : word;
}

const PARTICLES =
  '에서는 에게서 으로는 이라는 에서 에게 으로 부터 까지 마다 처럼 보다 하고 이나 에는 로는 과의 와의 을 를 이 가 은 는 에 로 와 과 도 만 의 나'.split(
    ' ',
  );

/** The form that the inflections of an English word share; other words stay as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/.test(word) ? stemmed(IRREGULAR.get(word) ?? word) : word;
  if (stems.size > 20_000) stems.clear();
  stems.set(word, stem);
  return stem;
}

const stems = new Map<string, string>();

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'cookies:cookie movies:movie noted:note notes:note noting:note used:use using:use added:add adding:add written:write wrote:write ran:run built:build hidden:hide hid:hide chosen:choose kept:keep left:leave sent:send ' +
    'thrown:throw threw:throw broken:break broke:break taken:take took:take given:give gave:give made:make done:do did:do ' +
    'held:hold read:read put:put set:set went:go gone:go shown:show known:know knew:know found:find said:say ' +
    'indices:index indexes:index matrices:matrix children:child people:person data:data media:media lost:lose ' +
    'dropped:drop caught:catch rethrown:rethrow rewritten:rewrite overwritten:overwrite unset:unset reset:reset'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Words that only look inflected. */
const WHOLE = new Set(
  'note embed speed need feed seed exceed proceed indeed string thing bring during nothing anything something everything ring king spring process access address class pass less redis axis basis bus status https alias always this is was has its css dns tls aws os js ts sms gas plus canvas chaos kubernetes kubernetes postgres series species lens analysis synopsis'.split(
    ' ',
  ),
);

function stemmed(word: string): string {
  if (WHOLE.has(word)) return word;
  const american = word.length >= 7 ? word.replace(/is(e|ed|es|ing|er|ers|ation|ations)$/, 'iz$1') : word;
  return withoutEnding(withoutPlural(american));
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|zes|ches|shes)$/.test(word) && !/(?:aches|izes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (WHOLE.has(word)) return word;
  const ending = ENDINGS.find(([end]) => word.endsWith(end) && word.length - end.length >= 2);
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending[0].length) + ending[1];
  const isWord = /[aeiouy]/.test(rest) && rest.length >= (ending[0] === 'e' ? 2 : 3);
  if (!isWord) return word;
  const single = /([bdgkmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  // `confirmation` and `confirm`, `validation` and `validate`.
  const isVerbal = /at(?:e|ed|ing|ion|or|ors)$/.test(word) && single.length >= 6 && /[^eo]at$/.test(single);
  return isVerbal ? single.slice(0, -2) : single;
}

/** Endings, longest first, and what stays in their place. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['ators', 'at'],
  ['ator', 'at'],
  ['ssion', 'ss'],
  ['tion', 't'],
  ['ied', 'y'],
  ['ment', ''],
  ['ing', ''],
  ['ed', ''],
  ['ly', ''],
  ['e', ''],
];

/** What a word counts as when words are counted: its stem, or for a run of Chinese characters its pairs of characters. */
export function termsOf(word: Word): readonly string[] {
  if (!/^\p{Script=Han}/u.test(word.text)) return [word.stem];
  const characters = Array.from(word.text);
  return characters.length < 3 ? [word.text] : characters.slice(1).map((one, at) => `${characters[at] ?? ''}${one}`);
}
