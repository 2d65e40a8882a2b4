import { withoutHidden } from '../text/words.ts';

/** A sentence or clause of a message; marks of the same length replace code and quotes, so that places stay. */
export interface MessageSentence {
  readonly text: string;
  /** Where it begins in the message, in UTF-16 units. */
  readonly from: number;
}

/** What a message says in its own words, and the code and output it shows. */
export interface Prose {
  /** The message with what is not its own words masked; as long as what was read of it. */
  readonly masked: string;
  readonly sentences: readonly MessageSentence[];
  /** Fenced blocks and diffs, whole lines without their fences. */
  readonly blocks: readonly string[];
  /** Whether the message was longer than `LONGEST_MESSAGE`; what is beyond was not read. */
  readonly isCut: boolean;
}

/** Of a longer message, in UTF-16 units, only the beginning is read. */
export const LONGEST_MESSAGE = 200_000;

/** The marks for inline code and quotes in a masked text. */
export const CODE = '\uE000';
export const QUOTE = '\uE001';

/** A masked text for people: an ellipsis for each code and quote. */
export const unmasked = (text: string): string => text.replace(/[\uE000\uE001]+/g, '…');

/**
 * Sets fences, diffs, inline code and quotes aside and splits the rest into sentences. Places are those of the message
 * `withoutHidden`. With `showsQuotes`, inline code and quotes with a figure are read like the author's words.
 */
export function readProse(message: string, { showsQuotes = false } = {}): Prose {
  const read = withoutHidden(message.slice(0, LONGEST_MESSAGE)).replace(/[\uE000\uE001]/g, ' ');
  const { prose: written, blocks } = withoutBlocks(read);
  const shown = written.replace(UNSHOWN, (whole) => (whole.startsWith('`') ? whole : whole.replace(/[^\n]/g, ' ')));
  const prose = showsQuotes ? shown.replace(/(?<!`)`(?!`)/g, ' ').replace(QUOTED_FIGURE, ' $<inner> ') : shown;
  const unquoted = withoutQuotes(prose);
  const masked = /[\p{L}\p{N}]/u.test(unquoted) || unquoted.includes(CODE) ? unquoted : prose; // the quote is the message
  return { masked, sentences: splitProse(masked), blocks, isCut: message.length > LONGEST_MESSAGE };
}

/** `"3 failed, 39 passed"`: output in quotes. */
const QUOTED_FIGURE = /["“](?<inner>[^"“”\n]{0,200}\d[^"“”\n]{0,200})["”]/g;

function withoutBlocks(text: string): { readonly prose: string; readonly blocks: readonly string[] } {
  const rows: string[] = [];
  const blocks: string[] = [];
  let fence: string | undefined;
  let block: string[] = [];
  let inDiff = false;
  let inComment = false;
  for (const row of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(row)?.[1];
    if (fence !== undefined) {
      const closes = mark !== undefined && mark.startsWith(fence) && row.trim() === mark;
      if (closes) [fence, block] = [undefined, keep(blocks, block)];
      else block.push(row);
      rows.push(blank(row));
    } else if (inComment || (/^ {0,3}(?:(?:[-*+]|\d+[.)])\s+)?<!--/.test(row) && !(inDiff && row.startsWith(' ')))) {
      // A comment that begins a line hides all up to its end.
      let from = inComment ? 0 : row.indexOf('<!--') + 4;
      let end = row.indexOf('-->', from);
      while (end !== -1 && /^\s*<!--/.test(row.slice(end + 3))) {
        from = row.indexOf('<!--', end) + 4;
        end = row.indexOf('-->', from);
      }
      inComment = end === -1;
      rows.push(inComment ? blank(row) : blank(row.slice(0, end + 3)) + row.slice(end + 3));
    } else if (mark !== undefined) {
      fence = mark;
      rows.push(blank(row));
    } else {
      inDiff = /^(?:diff --git |@@ -|--- a\/|\+\+\+ b\/)/.test(row) || (inDiff && /^(?:[-+ \\]|index )/.test(row));
      if (inDiff) block.push(row);
      else if (block.length > 0) block = keep(blocks, block);
      rows.push(inDiff ? blank(row) : /^ {0,3}>/.test(row) ? quoted(row) : row);
    }
  }
  keep(blocks, block);
  return { prose: rows.join('\n'), blocks };
}

function keep(blocks: string[], block: readonly string[]): string[] {
  if (block.some((row) => row.trim() !== '')) blocks.push(block.join('\n'));
  return [];
}

const blank = (row: string): string => ' '.repeat(row.length);
const quoted = (row: string): string => QUOTE.repeat(row.length);

/** In characters, at most 400; a longer quote is a forgotten sign. Single quotes need a word boundary on both sides. */
const CODE_SPAN = /`[^`\n]{1,400}`/g;
const QUOTE_SPAN = /"[^"\n]{1,400}"|“[^“”]{1,400}”|「[^「」]{1,400}」|『[^『』]{1,400}』|«[^«»]{1,400}»/g;
/** Struck-out text, and comments within a paragraph. Inline code is matched first, so that `<!--` in it begins none. */
const UNSHOWN = /`[^`\n]{1,400}`|~~[^~\n]{1,400}~~|<!--(?:[^\n]|\n(?![ \t]*\n)){0,4000}?-->/g;

/** Korean particles and Chinese words follow without a space. */
const SINGLE =
  /(?<=^|[\s(，。：、\p{Script=Han}])['‘][^'‘’\n]{3,200}['’](?=[\s.,;:!?)，。！？：、\p{Script=Hangul}\p{Script=Han}]|$)/gmu;

const withoutQuotes = (prose: string): string =>
  [QUOTE_SPAN, SINGLE].reduce(
    (text, pattern) => text.replace(pattern, (whole) => QUOTE.repeat(whole.length)),
    prose.replace(CODE_SPAN, (whole) => CODE.repeat(whole.length)),
  );

const ENDS = /(?<![.!?…/])[.!?…]+(?=["')\]\uE001]*(?:\s|$)|\p{Script=Han}|\p{Script=Hangul})|[。！？]+|\n+|[;；]/gu;
/** In UTF-16 units; a longer one is read in pieces. */
const LONGEST_SENTENCE = 600;

/** Splits a masked text; the places of sentences are those of the text. */
export function splitProse(masked: string): readonly MessageSentence[] {
  const sentences: MessageSentence[] = [];
  let from = 0;
  for (const { 0: end, index } of masked.matchAll(ENDS)) {
    add(sentences, masked, from, index + end.length);
    from = index + end.length;
  }
  add(sentences, masked, from, masked.length);
  return sentences;
}

function add(sentences: MessageSentence[], masked: string, from: number, to: number): void {
  for (let at = from; at < to; at += LONGEST_SENTENCE) {
    const text = masked.slice(at, Math.min(to, at + LONGEST_SENTENCE));
    if (/\S/.test(text)) sentences.push({ text, from: at });
  }
}

export const isQuestion = (sentence: string): boolean => /[?？]["'”’)\]\s]*$/u.test(sentence);

/** Splits a sentence where another statement begins; places are those of the sentence. */
export function clausesOf(sentence: string): readonly MessageSentence[] {
  const clauses: MessageSentence[] = [];
  let from = 0;
  for (const { 0: mark, index } of sentence.matchAll(BETWEEN)) {
    clauses.push({ text: sentence.slice(from, index), from });
    from = index + mark.length;
  }
  clauses.push({ text: sentence.slice(from), from });
  return clauses.filter(({ text }) => text.trim() !== '');
}

const BETWEEN =
  /,(?!\d)|(?<![\w'])and (?=(?:i|we|he|she|they|it|you|this|that|there)(?:['’ ]))|[，、]|—|–|\s-{1,2}\s|(?<![\w'])(?:but|although|though|however|because|since|so that|so|while|whereas|despite|even though)(?![\w'])|(?<=\p{Script=Hangul})(?:지만|(?:이?므로|(?:으)?니까?|(?:아|어|라)서)\s)|但是|但|不过|虽然|所以/giu;
