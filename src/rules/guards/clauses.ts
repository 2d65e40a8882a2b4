/** A part of a sentence that says one thing, with its place in the sentence. */
export interface Clause {
  readonly text: string;
  readonly from: number;
}

/** Splits a sentence where another statement begins. */
export function clausesOf(sentence: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  for (const { 0: mark, index } of sentence.matchAll(BETWEEN)) {
    clauses.push({ text: sentence.slice(from, index), from });
    from = index + mark.length;
  }
  clauses.push({ text: sentence.slice(from), from });
  return clauses.filter(({ text }) => text.trim() !== '');
}

const BETWEEN =
  /,(?!\d)|(?<![\w'])and (?=(?:i|we|he|she|they|it|you|this|that|there)(?:['’ ]))|[，、]|—|–|\s-{1,2}\s|(?<![\w'])(?:but|although|though|however|because|since|so that|while|whereas|despite|even though)(?![\w'])|(?<=\p{Script=Hangul})지만|但是|但|不过|虽然/giu;
