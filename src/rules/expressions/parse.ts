import { Refused } from './expression-fault.ts';
import { COMPARISONS } from './node.ts';
import type { Compared, Comparison, FunctionName, Node, Operator, Token } from './node.ts';
import { KEYWORDS, notCallable, notCallableName, WRONG_LITERALS } from './python-words.ts';
import { tokensOf } from './tokens.ts';
import { Float } from './value.ts';

/** Reads an expression of the rule language, or throws `Refused`. */
export const parseExpression = (source: string): Node => new Parser(tokensOf(source)).whole();

/** How tightly an operator binds. */
const BINDING = { choice: 0, or: 1, and: 2, not: 3, compare: 4, bits: 5, sign: 11, power: 12, postfix: 13 } as const;
/** Operators from the loosest to the tightest; those of one row go from left to right. */
const ARITHMETIC = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']];
const INFIX: ReadonlyMap<string, number> = new Map([
  ['if', BINDING.choice],
  ['or', BINDING.or],
  ['and', BINDING.and],
  ...['not', 'in', 'is', '==', '!=', '<', '<=', '>', '>='].map((one) => [one, BINDING.compare] as const),
  ...ARITHMETIC.flatMap((row, at) => row.map((one) => [one, BINDING.bits + at] as const)),
  ['**', BINDING.power],
  ['(', BINDING.postfix],
  ['[', BINDING.postfix],
]);
const FUNCTIONS: readonly string[] = ['len', 'abs', 'min', 'max', 'lower'] satisfies readonly FunctionName[];
/** Brackets, signs and conditions within each other. */
const DEEPEST = 32;

/** A Pratt parser: an operator takes what binds tighter than itself. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    if (this.#isAtEnd()) throw new Refused('syntax', 'there is no expression', 0);
    const node = this.#expression(BINDING.choice);
    if (!this.#isAtEnd()) throw this.#unexpected('the expression should end here');
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? this.#tokens[this.#tokens.length - 1]!;
  }

  #isAtEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #is(text: string): boolean {
    const token = this.#token;
    return (token.kind === 'sign' || token.kind === 'name') && token.text === text;
  }

  /** Consumes the token if it is next. */
  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next += 1;
    return true;
  }

  #expect(text: string): Token {
    const token = this.#token;
    if (!this.#take(text)) throw this.#unexpected(`${text} is missing`);
    return token;
  }

  #unexpected(what: string): Refused {
    const token = this.#token;
    return token.kind === 'name' && KEYWORDS.has(token.text)
      ? new Refused('unsupported', `${token.text} is not known here`, token.at)
      : new Refused('syntax', what, token.at);
  }

  /** Everything that may stand within itself passes through here. */
  #deeper<Result>(work: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw new Refused('limit', `more than ${DEEPEST} levels within each other`, this.#token.at);
    const result = work();
    this.#depth -= 1;
    return result;
  }

  #expression(least: number): Node {
    let left = this.#prefix(least);
    for (;;) {
      const power = this.#power();
      if (power === undefined || power < least) return left;
      left = this.#infix(left, power);
    }
  }

  /** The precedence of the next operator; undefined if it is not an operator. */
  #power(): number | undefined {
    const token = this.#token;
    return token.kind === 'sign' || token.kind === 'name' ? INFIX.get(token.text) : undefined;
  }

  #prefix(least: number): Node {
    const { at } = this.#token;
    if (least <= BINDING.not && this.#take('not')) {
      const of = this.#deeper(() => this.#expression(BINDING.not));
      return { kind: 'not', of, at, end: of.end };
    }
    const sign = (['-', '+', '~'] as const).find((one) => this.#take(one));
    if (sign === undefined) return this.#atom();
    const of = this.#deeper(() => this.#expression(BINDING.sign));
    return { kind: 'sign', sign, of, at, end: of.end };
  }

  #infix(left: Node, power: number): Node {
    const { at } = left;
    if (power === BINDING.choice) return this.#choice(left);
    if (power === BINDING.or || power === BINDING.and)
      return this.#joined(left, power === BINDING.or ? 'or' : 'and', power + 1);
    if (power === BINDING.compare) return this.#comparison(left);
    if (this.#is('(')) throw notCallable(this.#token.at);
    if (this.#take('[')) {
      const index = this.#deeper(() => this.#expression(BINDING.choice));
      return { kind: 'index', of: left, index, at, end: this.#expect(']').end };
    }
    const operator = (this.#token as { readonly text: Operator }).text;
    this.#next += 1;
    // `2 ** 3 ** 2` and `2 ** -1` go on to the right.
    const right =
      power === BINDING.power ? this.#deeper(() => this.#expression(BINDING.sign)) : this.#expression(power + 1);
    return { kind: 'operate', operator, left, right, at, end: right.end };
  }

  #choice(chosen: Node): Node {
    this.#expect('if');
    return this.#deeper(() => {
      const when = this.#expression(BINDING.or);
      this.#expect('else');
      const otherwise = this.#expression(BINDING.choice);
      return { kind: 'choose', when, chosen, otherwise, at: chosen.at, end: otherwise.end };
    });
  }

  #joined(first: Node, kind: 'and' | 'or', least: number): Node {
    const parts = [first];
    while (this.#take(kind)) parts.push(this.#expression(least));
    return { kind, parts, at: first.at, end: parts.at(-1)?.end ?? first.end };
  }

  #comparison(first: Node): Node {
    const rest: Compared[] = [];
    for (let by = this.#comparator(); by !== undefined; by = this.#comparator()) {
      const to = (by === 'in' || by === 'not in') && this.#is('{') ? this.#set() : this.#expression(BINDING.bits);
      if ((by === 'is' || by === 'is not') && !isOne(to))
        throw new Refused('unsupported', `${by} compares with None, True or False`, to.at, 'write == or !=');
      rest.push({ by, to });
    }
    return { kind: 'compare', first, rest, at: first.at, end: rest.at(-1)?.to.end ?? first.end };
  }

  #comparator(): Comparison | undefined {
    if (this.#take('not')) {
      this.#expect('in');
      return 'not in';
    }
    if (this.#take('is')) return this.#take('not') ? 'is not' : 'is';
    const by = COMPARISONS.find((one) => this.#is(one));
    if (by !== undefined) this.#next += 1;
    return by;
  }

  #atom(): Node {
    const token = this.#token;
    const { at, end } = token;
    if (token.kind === 'number' || token.kind === 'string') {
      this.#next += 1;
      if (token.kind === 'string' && this.#token.kind === 'string')
        throw new Refused('unsupported', 'two texts stand beside each other', at, 'join them with +');
      const value = token.kind === 'number' && token.isFloat ? new Float(token.value) : token.value;
      return { kind: 'literal', value, at, end };
    }
    if (token.kind === 'name') return this.#named(token.text, at, end);
    if (this.#is('(')) return this.#bracketed();
    if (this.#is('[')) {
      const { items, end: last } = this.#items('[', ']');
      return { kind: 'list', items, at, end: last };
    }
    if (this.#is('{')) throw new Refused('unsupported', 'a set is allowed only after in', at, 'write a list: [ ]');
    if (token.kind === 'end') throw new Refused('syntax', 'the expression ends too early', at);
    throw this.#unexpected(`${token.text} does not belong here`);
  }

  #named(text: string, at: number, end: number): Node {
    const value = text === 'None' ? null : text === 'True' ? true : text === 'False' ? false : undefined;
    const wrong = WRONG_LITERALS.get(text);
    if (wrong !== undefined) throw new Refused('unsupported', `${text} is not known here`, at, `write ${wrong}`);
    if (KEYWORDS.has(text)) throw new Refused('unsupported', `${text} is not known here`, at);
    this.#next += 1;
    if (value !== undefined) return { kind: 'literal', value, at, end };
    if (this.#is('(')) return this.#call(text, at);
    if (text.startsWith('__')) throw new Refused('unsupported', `${text} is no name of a variable`, at);
    return { kind: 'name', name: text, at, end };
  }

  #call(name: string, at: number): Node {
    if (!FUNCTIONS.includes(name)) throw notCallableName(name, FUNCTIONS, at);
    const { items, end } = this.#items('(', ')');
    return { kind: 'call', name: name as FunctionName, given: items, at, end };
  }

  /** Brackets around one expression, or a tuple. */
  #bracketed(): Node {
    const { at } = this.#token;
    const { items, end, hasComma } = this.#items('(', ')');
    const [only] = items;
    if (only !== undefined && items.length === 1 && !hasComma) return { ...only, at, end };
    return { kind: 'tuple', items, at, end };
  }

  #set(): Node {
    const { at } = this.#token;
    const { items, end } = this.#items('{', '}');
    if (items.length === 0) throw new Refused('unsupported', 'an empty pair of braces is no set', at, 'write [ ]');
    return { kind: 'set', items, at, end };
  }

  #items(
    open: string,
    close: string,
  ): { readonly items: readonly Node[]; readonly end: number; readonly hasComma: boolean } {
    this.#expect(open);
    const items: Node[] = [];
    let hasComma = false;
    while (!this.#is(close)) {
      items.push(this.#deeper(() => this.#expression(BINDING.choice)));
      if (!this.#take(',')) break;
      hasComma = true;
    }
    const { end } = this.#expect(close);
    return { items, end, hasComma };
  }
}

const isOne = (node: Node): boolean =>
  node.kind === 'literal' && (node.value === null || typeof node.value === 'boolean');
