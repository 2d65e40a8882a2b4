import { RefusedExpression, tokenizeExpression, type Token } from './tokenize-expression.ts';
import { Float, type Value } from './value.ts';

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not';
export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '&' | '|' | '^' | '<<' | '>>';
export type FunctionName = 'len' | 'abs' | 'min' | 'max' | 'lower';

/** A parsed expression with its place; `parts` holds its operands in the order of the source. */
export type ExpressionNode = { readonly at: number; readonly end: number } & (
  | { readonly kind: 'literal'; readonly value: Value; readonly parts: readonly [] }
  | { readonly kind: 'name'; readonly name: string; readonly parts: readonly [] }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: 'not'; readonly parts: readonly [ExpressionNode] }
  /** `a if b else c`; the condition is in the middle. */
  | { readonly kind: 'choose'; readonly parts: readonly [ExpressionNode, ExpressionNode, ExpressionNode] }
  /** `a < b < c`, with one comparison fewer than operands. */
  | { readonly kind: 'compare'; readonly by: readonly Comparison[]; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: 'sign'; readonly sign: '+' | '-' | '~'; readonly parts: readonly [ExpressionNode] }
  | { readonly kind: 'operate'; readonly operator: Operator; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly parts: readonly ExpressionNode[] }
  /** A `set` occurs only after `in`, where its order is irrelevant. */
  | { readonly kind: 'index' | 'list' | 'tuple' | 'set'; readonly parts: readonly ExpressionNode[] }
);

export const parseExpression = (source: string): ExpressionNode => new Parser(tokenizeExpression(source)).parse();

const BINDING = { choice: 0, or: 1, and: 2, not: 3, compare: 4, bits: 5, sign: 11, power: 12, postfix: 13 } as const;
/** Operators of one row go from left to right. */
const ARITHMETIC = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']];
const INFIX: ReadonlyMap<string, number> = new Map([
  ['if', BINDING.choice],
  ['or', BINDING.or],
  ['and', BINDING.and],
  ...['not', 'in', 'is', '==', '!=', '<', '<=', '>', '>='].map((one) => [one, BINDING.compare] as const),
  ...ARITHMETIC.flatMap((row, at) => row.map((one) => [one, BINDING.bits + at] as const)),
  ['**', BINDING.power],
  ['[', BINDING.postfix],
]);
const FUNCTIONS: readonly string[] = ['len', 'abs', 'min', 'max', 'lower'] satisfies readonly FunctionName[];
const CONSTANTS: ReadonlyMap<string, Value> = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
]);
const WRONG_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
  ['none', 'None'],
  ['undefined', 'None'],
]);
/** Keywords of Python; no variable can have such a name. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const DEEPEST = 32;

/** A Pratt parser: an operator takes everything that binds tighter than itself. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): ExpressionNode {
    if (this.#tokens.length === 1) throw new RefusedExpression('there is no expression', 0);
    const node = this.#parseExpression(BINDING.choice);
    if (this.#next < this.#tokens.length - 1) throw this.#refuse('the expression should end here');
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? this.#tokens.at(-1)!;
  }

  /** The text of the next token; a text in quotes is never an operator. */
  get #text(): string {
    return 'text' in this.#token ? this.#token.text : '';
  }

  #take(text: string): boolean {
    if (this.#text !== text) return false;
    this.#next += 1;
    return true;
  }

  #expect(text: string): number {
    const { end } = this.#token;
    if (!this.#take(text)) throw this.#refuse(`${text} is missing`);
    return end;
  }

  #refuse(message: string): RefusedExpression {
    const text = this.#text;
    return new RefusedExpression(KEYWORDS.has(text) ? `${text} is not known here` : message, this.#token.at);
  }

  /** Parses an operand that may itself contain the same construct. */
  #parseNested(least: number): ExpressionNode {
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw new RefusedExpression(`more than ${DEEPEST} levels within each other`, this.#token.at);
    const node = this.#parseExpression(least);
    this.#depth -= 1;
    return node;
  }

  #parseExpression(least: number): ExpressionNode {
    let left = this.#parsePrefix(least);
    for (;;) {
      const power = INFIX.get(this.#text);
      if (power === undefined || power < least) return left;
      left = this.#parseInfix(left, power);
    }
  }

  #parsePrefix(least: number): ExpressionNode {
    const { at } = this.#token;
    if (least <= BINDING.not && this.#take('not')) {
      const part = this.#parseNested(BINDING.not);
      return { kind: 'not', parts: [part], at, end: part.end };
    }
    const sign = (['-', '+', '~'] as const).find((one) => this.#take(one));
    if (sign === undefined) return this.#parseAtom();
    const part = this.#parseNested(BINDING.sign);
    return { kind: 'sign', sign, parts: [part], at, end: part.end };
  }

  #parseInfix(left: ExpressionNode, power: number): ExpressionNode {
    const { at } = left;
    if (power === BINDING.compare) return this.#parseComparison(left);
    const operator = this.#text;
    this.#next += 1;
    switch (operator) {
      case 'if': {
        const when = this.#parseNested(BINDING.or);
        this.#expect('else');
        const otherwise = this.#parseNested(BINDING.choice);
        return { kind: 'choose', parts: [left, when, otherwise], at, end: otherwise.end };
      }
      case 'and':
      case 'or': {
        const parts = [left, this.#parseExpression(power + 1)];
        while (this.#take(operator)) parts.push(this.#parseExpression(power + 1));
        return { kind: operator, parts, at, end: parts.at(-1)!.end };
      }
      case '[': {
        const index = this.#parseNested(BINDING.choice);
        return { kind: 'index', parts: [left, index], at, end: this.#expect(']') };
      }
      default: {
        // `2 ** 3 ** 2` and `2 ** -1` go on to the right.
        const right = power === BINDING.power ? this.#parseNested(BINDING.sign) : this.#parseExpression(power + 1);
        return { kind: 'operate', operator: operator as Operator, parts: [left, right], at, end: right.end };
      }
    }
  }

  #parseComparison(first: ExpressionNode): ExpressionNode {
    const by: Comparison[] = [];
    const parts = [first];
    while (INFIX.get(this.#text) === BINDING.compare) {
      const comparison = this.#takeComparison();
      const isSet = comparison.endsWith('in') && this.#text === '{';
      const part = isSet ? this.#parseItems('set', '{', '}') : this.#parseExpression(BINDING.bits);
      if (comparison.startsWith('is') && !isConstant(part))
        throw new RefusedExpression(`${comparison} compares with None, True or False`, part.at, 'write == or !=');
      // An operand that is a set has no sum, item or order: `a in {1} + b` is a fault in Python, not `(a in {1}) + b`.
      if (isSet && (INFIX.get(this.#text) ?? BINDING.choice) >= BINDING.compare)
        throw new RefusedExpression('nothing is computed with a set', this.#token.at, 'put the comparison in ( )');
      by.push(comparison);
      parts.push(part);
    }
    return { kind: 'compare', by, parts, at: first.at, end: parts.at(-1)!.end };
  }

  #takeComparison(): Comparison {
    const text = this.#text;
    this.#next += 1;
    if (text === 'not') this.#expect('in');
    if (text === 'not') return 'not in';
    return text === 'is' && this.#take('not') ? 'is not' : (text as Comparison);
  }

  #parseAtom(): ExpressionNode {
    const token = this.#token;
    const { at, end } = token;
    if (token.kind === 'number' || token.kind === 'string') {
      this.#next += 1;
      if (token.kind === 'string' && this.#token.kind === 'string')
        throw new RefusedExpression('two texts stand beside each other', at, 'join them with +');
      const value = token.kind === 'number' && token.isFloat ? new Float(token.value) : token.value;
      return { kind: 'literal', value, parts: [], at, end };
    }
    if (token.kind === 'name') return this.#parseName(token.text, at, end);
    if (token.text === '(') return this.#parseItems('tuple', '(', ')');
    if (token.text === '[') return this.#parseItems('list', '[', ']');
    if (token.text === '{') throw new RefusedExpression('a set is allowed only after in', at, 'write a list: [ ]');
    throw this.#refuse(token.kind === 'end' ? 'the expression ends too early' : `${token.text} does not belong here`);
  }

  #parseName(name: string, at: number, end: number): ExpressionNode {
    const constant = WRONG_CONSTANTS.get(name);
    if (constant !== undefined) throw new RefusedExpression(`${name} is not known here`, at, `write ${constant}`);
    if (KEYWORDS.has(name)) throw this.#refuse('');
    this.#next += 1;
    const value = CONSTANTS.get(name);
    if (value !== undefined) return { kind: 'literal', value, parts: [], at, end };
    if (this.#text === '(') {
      if (!FUNCTIONS.includes(name))
        throw new RefusedExpression(
          `there is no function ${name.slice(0, 60)}`,
          at,
          `there are ${FUNCTIONS.join(', ')}`,
        );
      const { parts, end: last } = this.#parseItems('list', '(', ')');
      return { kind: 'call', name: name as FunctionName, parts, at, end: last };
    }
    if (name.startsWith('__')) throw new RefusedExpression(`${name} is no name of a variable`, at);
    return { kind: 'name', name, parts: [], at, end };
  }

  /** What brackets hold; round ones around one expression without a comma are no tuple. */
  #parseItems(kind: 'list' | 'tuple' | 'set', open: string, close: string): ExpressionNode {
    const { at } = this.#token;
    this.#expect(open);
    const parts: ExpressionNode[] = [];
    let hasComma = false;
    while (this.#text !== close) {
      parts.push(this.#parseNested(BINDING.choice));
      if (!this.#take(',')) break;
      hasComma = true;
    }
    const end = this.#expect(close);
    const [only] = parts;
    if (kind === 'tuple' && only !== undefined && !hasComma) return { ...only, at, end };
    if (kind === 'set' && only === undefined)
      throw new RefusedExpression('an empty pair of braces is no set', at, 'write [ ]');
    return { kind, parts, at, end };
  }
}

const isConstant = (node: ExpressionNode): boolean =>
  node.kind === 'literal' && (node.value === null || typeof node.value === 'boolean');
