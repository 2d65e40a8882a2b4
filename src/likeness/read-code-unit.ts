import type { SourceToken } from './token.ts';

/** A mention of a name: plain, as a member (`.name`), or as a key (`name:`); each differs. */
export interface NameMention {
  readonly at: number;
  readonly name: string;
}

/** One statement, header or entry of a text, in its block. */
export interface CodeUnit {
  readonly words: readonly string[];
  readonly mentions: readonly NameMention[];
  /** Names that it assigns or defines. */
  readonly writes: ReadonlySet<string>;
  /** Names that it introduces, which could be renamed. */
  readonly declares: ReadonlySet<string>;
  /** Names local to it: the parameters of a routine. */
  readonly parameters: ReadonlySet<string>;
  /** External names, which cannot be renamed here. */
  readonly foreign: readonly string[];
  readonly imports: boolean;
  /** It does more than assign a name (a call, a return, a condition), so it keeps its order. */
  readonly acts: boolean;
  /** The unit that opens its block; undefined at the top. */
  readonly parent: number | undefined;
}

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const DECLARING = setOf(
  'const let var val def fn func fun function class struct interface type enum trait module sub local my our macro for catch',
);
const ROUTINE = setOf('def fn func fun function sub lambda');
const IMPORTING = setOf('import from use using require include package open');
/** Words with an effect, or that decide about one. */
const ACTING = setOf(
  'if else elif unless while until for foreach do try catch except finally with switch case match when return throw raise yield await break continue assert delete pass',
);
const KEYWORDS = setOf(
  'if else elif unless then end do while until for foreach in of not and or is try catch except finally raise throw return yield await async break continue switch case default match when with as new delete typeof instanceof void this self super null nil none None true false True False undefined static public private protected internal readonly final abstract override virtual extends implements int long short byte char float double bool boolean string str unsigned signed auto pub mut ref impl where move dyn begin rescue ensure pass global nonlocal assert echo print puts export default from import f',
);

/** Parses the mentions, writes and declarations of a run of tokens; `opens`: a block follows. */
export function readUnit(tokens: readonly SourceToken[], parent: number | undefined, opens: boolean): CodeUnit {
  const first = tokens[0]?.text ?? '';
  const imports = IMPORTING.has(first) || (first === '#' && tokens[1]?.text === 'include');
  const parameters = parametersOf(tokens, opens);
  const mentions: NameMention[] = [];
  const declares = new Set<string>();
  const writes = new Set<string>();
  let depth = 0;
  tokens.forEach(({ kind, text }, at) => {
    if (kind === 'sign') depth += '(['.includes(text) ? 1 : ')]'.includes(text) ? -1 : 0;
    if (kind !== 'word' || KEYWORDS.has(text) || DECLARING.has(text) || ROUTINE.has(text)) return;
    const [before, after, next] = [tokens[at - 1]?.text, tokens[at + 1]?.text, tokens[at + 2]?.text];
    const isMember =
      (before === '.' && tokens[at - 2]?.text !== '.') || (before === '>' && tokens[at - 2]?.text === '-');
    const isGiven = (after === '=' && next !== '=' && next !== '>') || (after === ':' && next === '=');
    const isParameter = parameters.names.has(at);
    const isKey =
      !isMember &&
      !isParameter &&
      !DECLARING.has(before ?? '') &&
      ((at === 0 && after === ':' && tokens.every((one) => one.text !== '=')) || (isGiven && depth > 0));
    const name = isMember ? `.${text}` : isKey ? `${text}:` : text;
    mentions.push({ at, name });
    const isIntroduced =
      !isMember &&
      !isKey &&
      (isParameter ||
        parameters.routine === at ||
        DECLARING.has(before ?? '') ||
        before === 'as' ||
        (isGiven && depth === 0));
    if (isIntroduced || (isGiven && isMember && ['this', 'self'].includes(tokens[at - 2]?.text ?? '')))
      declares.add(name);
    if (isIntroduced && parameters.routine === at) declares.add(`.${text}`); // a method call
    if (isIntroduced || isGiven || isKey) writes.add(name);
  });
  const isEntry = tokens[0]?.kind === 'literal' || (mentions.length === 1 && tokens.length === 1);
  return {
    words: tokens.map(({ text }) => text),
    mentions,
    writes,
    declares: imports ? new Set() : declares,
    parameters: new Set([...parameters.names].map((at) => tokens[at]?.text ?? '')),
    imports,
    foreign: imports ? mentions.map(({ name }) => name) : [],
    acts: !imports && (ACTING.has(first) || (writes.size === 0 && !isEntry)),
    parent,
  };
}

interface Parameters {
  /** The indexes of parameter names. */
  readonly names: ReadonlySet<number>;
  /** The index of the routine's name that takes them. */
  readonly routine: number | undefined;
}

/** The parameters of `def name(…)`, of `(…) =>`, of `name(…)` before a block, and of `type name(type a)`. */
function parametersOf(tokens: readonly SourceToken[], opens: boolean): Parameters {
  const names = new Set<number>();
  const open: number[] = [];
  let routine: number | undefined;
  tokens.forEach(({ kind, text }, at) => {
    if (kind === 'word' && tokens[at + 1]?.text === '=' && tokens[at + 2]?.text === '>') names.add(at); // a => …
    if (kind !== 'sign') return;
    if (text === '(') open.push(at);
    if (text !== ')') return;
    const from = open.pop();
    if (from === undefined) return;
    const name = tokens[from - 1]?.kind === 'word' ? from - 1 : undefined;
    const isArrow = tokens[at + 1]?.text === '=' && tokens[at + 2]?.text === '>';
    const isNamed = ROUTINE.has(tokens[from - 2]?.text ?? '') || ROUTINE.has(tokens[from - 1]?.text ?? '');
    const isMethod = opens && name !== undefined && open.length === 0 && isFree(tokens, name);
    if (!isArrow && !isNamed && !isMethod) return;
    if ((isNamed || isMethod) && name !== undefined && !ROUTINE.has(tokens[name]?.text ?? '')) routine ??= name;
    for (let inside = from + 1; inside < at; inside += 1) if (isParameter(tokens, inside)) names.add(inside);
  });
  return { names, routine };
}

/** `name(…) {` is a method unless something before it makes it a call or a condition. */
const isFree = (tokens: readonly SourceToken[], name: number): boolean =>
  !KEYWORDS.has(tokens[name]?.text ?? '') &&
  !ACTING.has(tokens[0]?.text ?? '') &&
  tokens.slice(0, name).every(({ kind, text }) => kind === 'word' || '<>[]*&@'.includes(text));

/** Names come first (`a: T`, `a = 1`, `...a`) or, after a type, last (`int a`). */
function isParameter(tokens: readonly SourceToken[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind !== 'word' || KEYWORDS.has(token.text)) return false;
  const ends = after === undefined || '),=:?'.includes(after.text);
  return ends && (before?.kind === 'word' || '(,*&.>]'.includes(before?.text ?? ' '));
}
