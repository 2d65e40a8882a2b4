import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { CannotEvaluate, Refused } from './expression-fault.ts';
import type { ExpressionFault } from './expression-fault.ts';
import { EvaluationScope, truthOf } from './evaluate.ts';
import type { Node } from './node.ts';
import { parseExpression } from './parse.ts';
import { UNKNOWN, shown } from './value.ts';
import type { Value } from './value.ts';

/** An expression that was read once and can be asked again and again. */
export interface CompiledExpression {
  readonly source: string;
  /** The names of variables in it, in the order in which they stand there. */
  readonly variables: readonly string[];
  /** Whether it holds for these values; never throws. */
  readonly evaluate: (variables: ReadonlyMap<string, Value>) => Evaluation;
}

/** What came of an evaluation. */
export interface Evaluation {
  /** `unknown`: a variable that decides is not there. `error`: it cannot be computed, as `problem` says. */
  readonly outcome: 'true' | 'false' | 'unknown' | 'error';
  /** The variables that were asked for and are not there. */
  readonly missing: readonly string[];
  readonly problem?: string;
  /** Each condition between `and`, `or` and `not` by itself, in words: `amount <= 50 is False (amount = 75)`. */
  readonly clauses: () => readonly string[];
}

/** The longest expression, in characters. */
export const LONGEST_EXPRESSION = 1024;

/** Reads an expression, or says what is wrong with it and where. */
export function compileExpression(source: string): Outcome<CompiledExpression, ExpressionFault> {
  const known = COMPILED.get(source);
  if (known !== undefined) return known;
  const made = compile(source);
  if (source.length > LONGEST_EXPRESSION) return made; // nothing that long is kept
  if (COMPILED.size >= MOST_COMPILED) COMPILED.clear();
  COMPILED.set(source, made);
  return made;
}

const COMPILED = new Map<string, Outcome<CompiledExpression, ExpressionFault>>();
const MOST_COMPILED = 5000;

function compile(source: string): Outcome<CompiledExpression, ExpressionFault> {
  if (source.length > LONGEST_EXPRESSION)
    return failure({
      kind: 'limit',
      message: `it is longer than ${LONGEST_EXPRESSION} characters`,
      at: LONGEST_EXPRESSION,
    });
  try {
    // Blanks around it mean nothing; places stay those of the source.
    const node = parseExpression(source.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, (blanks) => ' '.repeat(blanks.length)));
    return success({
      source,
      variables: [...new Set(namesIn(node))],
      evaluate: (variables) => evaluated(node, source, variables),
    });
  } catch (error) {
    if (error instanceof Refused) return failure(error.fault);
    throw error;
  }
}

function evaluated(node: Node, source: string, variables: ReadonlyMap<string, Value>): Evaluation {
  const scope = new EvaluationScope(variables);
  const clauses = (): readonly string[] => clausesOf(node).map((clause) => told(clause, source, variables));
  try {
    const truth = truthOf(node, scope);
    const outcome = truth === UNKNOWN ? 'unknown' : truth ? 'true' : 'false';
    return { outcome, missing: [...scope.missing], clauses };
  } catch (error) {
    if (!(error instanceof CannotEvaluate)) throw error;
    return { outcome: 'error', missing: [...scope.missing], problem: error.message, clauses };
  }
}

/** The conditions that are joined; an expression without `and`, `or` and `not` is one. */
function clausesOf(node: Node): readonly Node[] {
  if (node.kind === 'and' || node.kind === 'or') return node.parts.flatMap(clausesOf);
  return node.kind === 'not' ? clausesOf(node.of) : [node];
}

function told(clause: Node, source: string, variables: ReadonlyMap<string, Value>): string {
  const text = source.slice(clause.at, clause.end).trim();
  const values = [...new Set(namesIn(clause))].map((name) => `${name} = ${shown(variables.get(name) ?? UNKNOWN)}`);
  return `${text} ${outcomeOf(clause, variables)}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}

function outcomeOf(clause: Node, variables: ReadonlyMap<string, Value>): string {
  try {
    const truth = truthOf(clause, new EvaluationScope(variables));
    return truth === UNKNOWN ? 'is unknown' : truth ? 'is True' : 'is False';
  } catch (error) {
    return `cannot be computed: ${error instanceof Error ? error.message : ''}`;
  }
}

/** Every variable name, with repetitions. */
function namesIn(node: Node): readonly string[] {
  switch (node.kind) {
    case 'name':
      return [node.name];
    case 'literal':
      return [];
    case 'and':
    case 'or':
      return node.parts.flatMap(namesIn);
    case 'not':
    case 'sign':
      return namesIn(node.of);
    case 'compare':
      return [...namesIn(node.first), ...node.rest.flatMap(({ to }) => namesIn(to))];
    case 'operate':
      return [...namesIn(node.left), ...namesIn(node.right)];
    case 'choose':
      return [...namesIn(node.chosen), ...namesIn(node.when), ...namesIn(node.otherwise)];
    case 'index':
      return [...namesIn(node.of), ...namesIn(node.index)];
    case 'call':
      return node.given.flatMap(namesIn);
    case 'list':
    case 'tuple':
    case 'set':
      return node.items.flatMap(namesIn);
  }
}
