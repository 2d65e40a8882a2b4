import { Refused } from './expression-fault.ts';
import { COMPARISONS } from './node.ts';
import type { Compared, Comparison, FunctionName, Node, Operator, Token } from './node.ts';
import { KEYWORDS, notCallable, notCallableName, WRONG_LITERALS } from './python-words.ts';
import { tokensOf } from './tokens.ts';
import { Float } from './value.ts';

/** Reads an expression of the rule language, or throws `Refused`. */
export const parseExpression = (source: string): Node => new Parser(tokensOf(source)).whole();

/** Operators from the loosest to the tightest; those of one row go from left to right. */
const TIERS: readonly (readonly string[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']];
const FUNCTIONS: readonly string[] = ['len', 'abs', 'min', 'max', 'lower'] satisfies readonly FunctionName[];
/** Brackets, signs and conditions within each other. */
const DEEPEST = 32;

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    if (this.#isAtEnd()) throw new Refused('syntax', 'there is no expression', 0);
    const node = this.#choice();
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

  /** Goes on if this is what stands here. */
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

  #choice(): Node {
    const chosen = this.#either();
    if (!this.#take('if')) return chosen;
    return this.#deeper(() => {
      const when = this.#either();
      this.#expect('else');
      const otherwise = this.#choice();
      return { kind: 'choose', when, chosen, otherwise, at: chosen.at, end: otherwise.end };
    });
  }

  #either(): Node {
    return this.#joined('or', () => this.#joined('and', () => this.#negation()));
  }

  #joined(kind: 'and' | 'or', part: () => Node): Node {
    const first = part();
    const parts = [first];
    while (this.#take(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts, at: first.at, end: parts.at(-1)?.end ?? first.end };
  }

  #negation(): Node {
    const { at } = this.#token;
    if (!this.#take('not')) return this.#comparison();
    const of = this.#deeper(() => this.#negation());
    return { kind: 'not', of, at, end: of.end };
  }

  #comparison(): Node {
    const first = this.#operation(0);
    const rest: Compared[] = [];
    for (let by = this.#comparator(); by !== undefined; by = this.#comparator())
      rest.push({ by, to: (by === 'in' || by === 'not in') && this.#is('{') ? this.#set() : this.#operation(0) });
    const last = rest.at(-1);
    if (last === undefined) return first;
    for (const { by, to } of rest)
      if ((by === 'is' || by === 'is not') && !isOne(to))
        throw new Refused('unsupported', `${by} compares with None, True or False`, to.at, 'write == or !=');
    return { kind: 'compare', first, rest, at: first.at, end: last.to.end };
  }

  #comparator(): Comparison | undefined {
    if (this.#is('not')) {
      this.#next += 1;
      this.#expect('in');
      return 'not in';
    }
    if (this.#take('is')) return this.#take('not') ? 'is not' : 'is';
    const by = COMPARISONS.find((one) => this.#is(one));
    if (by !== undefined) this.#next += 1;
    return by;
  }

  #operation(tier: number): Node {
    const operators = TIERS[tier];
    if (operators === undefined) return this.#signed();
    let left = this.#operation(tier + 1);
    for (
      let operator = operators.find((one) => this.#is(one));
      operator !== undefined;
      operator = operators.find((one) => this.#is(one))
    ) {
      this.#next += 1;
      const right = this.#operation(tier + 1);
      left = { kind: 'operate', operator: operator as Operator, left, right, at: left.at, end: right.end };
    }
    return left;
  }

  #signed(): Node {
    const { at } = this.#token;
    for (const sign of ['-', '+', '~'] as const)
      if (this.#take(sign)) {
        const of = this.#deeper(() => this.#signed());
        return { kind: 'sign', sign, of, at, end: of.end };
      }
    const left = this.#indexed();
    if (!this.#take('**')) return left;
    const right = this.#deeper(() => this.#signed());
    return { kind: 'operate', operator: '**', left, right, at: left.at, end: right.end };
  }

  #indexed(): Node {
    let node = this.#atom();
    for (;;) {
      if (this.#is('(')) throw notCallable(this.#token.at);
      if (!this.#take('[')) return node;
      const of = node;
      const index = this.#deeper(() => this.#choice());
      const { end } = this.#expect(']');
      node = { kind: 'index', of, index, at: of.at, end };
    }
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
    if (this.#is('{')) throw new Refused('unsupported', 'a set stands only behind in', at, 'write a list: [ ]');
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
      items.push(this.#deeper(() => this.#choice()));
      if (!this.#take(',')) break;
      hasComma = true;
    }
    const { end } = this.#expect(close);
    return { items, end, hasComma };
  }
}

const isOne = (node: Node): boolean =>
  node.kind === 'literal' && (node.value === null || typeof node.value === 'boolean');
