/**
 * A text without the clauses that forbid to change something, so that the files which it still names may change. A ban
 * governs the list of files next to it: behind it (`do not touch a.ts, b.ts`), or before it (`a.ts, b.ts are read-only`).
 */
export function withoutForbidden(text: string, isFile: (word: string) => boolean): readonly string[] {
  let isUnderBan = false;
  return text.split('\n').flatMap((row) => {
    if (isUnderBan && (/^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(row) || row.trim() === '')) return [];
    isUnderBan = BAN_HEADER.test(row);
    return isUnderBan ? [] : row.split(/(?<=[.!?。])\s/u).map((sentence) => allowedIn(sentence, isFile));
  });
}

const LABEL = String.raw`out of scope|off[- ]limits|read[- ]only|forbidden|not allowed|must not(?: do)?|(?:do not|don['’]t) (?:touch|change|edit|modify)|범위 밖|수정 금지|변경 금지|不在范围内?|禁止修改`;
/** Its list is below it. */
const BAN_HEADER = new RegExp(
  String.raw`^\s{0,3}(?:#{1,6}\s+(?:\d+[.)]\s+)?(?:${LABEL})[:：]?|(?:\d+[.)]\s+)?[*_]{0,3}(?:${LABEL})(?:\s\w+)?[*_]{0,3}[:：][*_]{0,3})\s*$`,
  'iu',
);
const BAN_LABEL = new RegExp(String.raw`^[\s>*_#+\-\d.)]*(?:${LABEL})[*_]{0,3}[:：]`, 'iu');
const BAN_NOTE = new RegExp(String.raw`^\s*(?:${LABEL})\s*$`, 'iu');

function allowedIn(sentence: string, isFile: (word: string) => boolean): string {
  if (!/[\p{L}\p{N}]/u.test(sentence)) return '';
  const isName = (word: string): boolean =>
    word.length <= LONGEST_NAME && isFile(word.replace(/^[`"'(]+|[`"'),.:]+$/g, ''));
  const label = BAN_LABEL.exec(sentence)?.[0];
  // `Must not: throw in a.ts` forbids something else.
  if (label !== undefined && (!/must not/i.test(label) || governsFile(sentence.slice(label.length), isName))) return '';
  const namesFile = (part: string): boolean => part.split(/[\s,()]+/).some(isName);
  let flat = '';
  let from = 0;
  for (const { 0: whole, 1: inside = '', index } of sentence.matchAll(/\(([^()]{1,200})\)/g)) {
    const before = sentence.slice(from, index);
    from = index + whole.length;
    const ban = banIn(inside, isName);
    if (ban === undefined && !BAN_NOTE.test(inside)) flat += before + whole;
    else if (namesFile(inside)) flat += before + allowedIn(inside, isFile);
    // `a.ts (no changes to the API)` still wants a.ts changed.
    else if (ban !== undefined && !BAN_NOTE.test(inside) && !isOfFile(inside, ban)) flat += `${before} `;
    // `a.ts (read-only)`: a bracket without a file of its own speaks of the one before it.
    else flat += before.trimEnd().replace(/(?<=^|\s)\S{1,300}$/, '');
  }
  flat += sentence.slice(from);
  return flat
    .split(CLAUSE_END)
    .map((clause) => allowedInClause(clause, isName))
    .join(' ');
}

/** Whether a ban in a bracket speaks of the file before the bracket: it names nothing else. */
function isOfFile(inside: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
  if (/\b(?:its|their|the)\s+(?!files?\b)\w/i.test(inside.slice(0, from))) return false;
  return /^\s*(?:$|[.,;:!—–-]|(?:it|them|this|these|those|here|alone|untouched|unchanged|as|yet|at all|please|the files?)\b)/i.test(
    inside.slice(to),
  );
}

/** Whether the next word is a file, or asks to change one. */
function governsFile(behind: string, isName: (word: string) => boolean): boolean {
  const next = behind.replace(/^[\s:*_`"']*(?:(?:for|in|the|any|all|of|under|files?|folders?)\s+){0,4}/i, '');
  return (
    /^(?:touch|chang|edit|modif|alter|delet|remov|renam|rewrit)/i.test(next) ||
    isName(/^[^\s,()]+/.exec(next)?.[0] ?? '')
  );
}

/** `, and src/c.ts` goes on with a list of files; `수정하고` ends a clause. */
const CLAUSE_END =
  /[;；]|，(?=\s*[^\s\w./`])|,\s+and\s+(?!\S*[./])|(?<!\b(?:all|everything|anything|nothing|every file)),?\s{1,9}(?:but|yet)\s|\sand\s+(?=(?:do not|don['’]t|must not|never|leave|keep)\s)|(?:,|\sand)\s+(?=(?:(?:only|just|please)\s+)?(?:edit|change|update|extend|create|add|write|modify|fix|move|rename|bump)\s)|(?<=\s\p{sc=Hangul}|\p{sc=Hangul}{2})(?:고|며|되|지만)[\s,]+/iu;

function allowedInClause(clause: string, isName: (word: string) => boolean): string {
  const namesFile = (part: string): boolean => part.split(/[\s,()]+/).some(isName);
  const ban = banIn(clause, isName);
  if (ban === undefined) return clause;
  const [before, behind] = [clause.slice(0, ban.from), clause.slice(ban.to)];
  if (ban.isException && /\b(?:no|not|nothing|none|never)\b/i.test(before)) return clause;
  if (ban.isState && !namesFile(before)) return clause;
  const exception = ban.isException ? null : EXCEPT.exec(behind);
  const kept = exception === null ? '' : behind.slice(exception.index + exception[0].length);
  const isOfBefore = ban.isState || (ban.isOfBefore && namesFile(before));
  if (!isOfBefore && !/^\s*(?:$|[.!:]|(?:it|them|this|these|those)\b)/i.test(behind)) return `${before} ${kept}`;
  if (/^without|^avoid/i.test(ban.text)) return before;
  // Of the list before it, up to the words that ask for something else.
  const parts = before.split(/,\s*/).slice(0, -1);
  while (isBare(parts.at(-1) ?? '', isName)) parts.pop();
  return `${parts.join(', ')} ${kept}`;
}

/** Names and nothing else. */
function isBare(part: string, isName: (word: string) => boolean): boolean {
  const words = part
    .split(/\s+/)
    .filter((word) => word !== '' && !/^(?:the|both|files?|folders?|and|or|also)$/i.test(word));
  return words.length > 0 && words.every(isName);
}

const LONGEST_NAME = 300;

function banIn(clause: string, isName: (word: string) => boolean) {
  const found = [...FORBIDS, EXCEPT, STATES].flatMap((pattern) => {
    const match = pattern.exec(clause);
    if (match === null) return [];
    // `all errors except timeouts in a.ts` and `avoid adding dependencies to a.ts` leave the file free.
    const isLoose =
      pattern === EXCEPT || /^avoid\b(?!.*\b(?:touch|chang|edit|modif|alter|delet|remov|renam|rewrit))/i.test(match[0]);
    if (isLoose && !governsFile(clause.slice(match.index + match[0].length), isName)) return [];
    const isOfBefore = /\s(?:be|being)\s/i.test(match[0]);
    const to = match.index + (/^(?:leave|keep)\b/i.test(match[0]) ? 5 : match[0].length);
    return [
      {
        text: match[0],
        from: match.index,
        to,
        isOfBefore,
        isException: pattern === EXCEPT,
        isState: pattern === STATES,
      },
    ];
  });
  return found.toSorted((one, other) => one.from - other.from)[0];
}

const FORBIDS: readonly RegExp[] = [
  /\b(?:do not|don['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|never|without|avoid)\s+(?:\w+\s+){0,2}?(?:touch|chang|edit|modif|alter|delet|remov|creat|add|mov|renam|writ|rewrit)\w*/i,
  /\bno\s+(?:\w+\s+)?(?:changes?|edits?|modifications?)\b(?!\s+(?:is|are|was|were|gets?|can|may|will|should|must)\s+(?!(?:be\s+)?(?:allowed|permitted|made|wanted|needed|expected|to\s+be)\b))/i,
  /\b(?:leave|keep)\b.{0,200}?\b(?:alone|untouched|unchanged|as[- ]is|as (?:it|they) (?:is|are))\b/i,
  /\b(?:not|never)(?=\s+(?:in\s+)?[`"']?[\w@*-]{1,100}[./\\][\w*])/i,
  /不要(?:修改|改动|触碰|动|改)|不得(?:修改|改动)|禁止(?:修改|改动)|别(?:动|改)/u,
];
/** What follows is an exception to its clause. */
const EXCEPT =
  /\b(?:except(?: for| in)?|excluding|apart from|aside from|other than|all but|everything but|outside(?: of)?)\b/i;
/** About the files that precede it. */
const STATES =
  /\b(?:is|are|stays?|remains?)\s+(?:\w+\s+)?(?:read[- ]only|off[- ]limits|out of scope|forbidden|unchanged|untouched|frozen|as[- ]is|as (?:it|they) (?:is|are))\b|건드리지|(?:수정|변경)하지\s?(?:마|말)|(?:수정|변경) 금지/iu;
