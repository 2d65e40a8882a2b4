import { failure, success, type Outcome } from '../../base/outcome.ts';
import { evaluateTruth } from './evaluate-truth.ts';
import { parseExpression, type ExpressionNode } from './parse-expression.ts';
import { RefusedExpression, type ExpressionFault } from './tokenize-expression.ts';
import { CannotEvaluate, EvaluationScope, UNKNOWN, showValue, type Value } from './value.ts';

export interface CompiledExpression {
  /** The names of its variables, in the order of the source. */
  readonly variables: readonly string[];
  /** Whether it holds for these values; never throws. */
  readonly evaluate: (variables: ReadonlyMap<string, Value>) => Evaluation;
}

export interface Evaluation {
  /** `unknown`: a variable that decides is missing. `error`: it cannot be computed, and `problem` says why. */
  readonly outcome: 'true' | 'false' | 'unknown' | 'error';
  readonly missing: readonly string[];
  readonly problem?: string;
  /** Each condition between `and`, `or` and `not` by itself, in words: `amount <= 50 is False (amount = 75)`. */
  readonly clauses: () => readonly string[];
}

const LONGEST_EXPRESSION = 1024;

export function compileExpression(source: string): Outcome<CompiledExpression, ExpressionFault> {
  if (source.length > LONGEST_EXPRESSION)
    return failure({ message: `it is longer than ${LONGEST_EXPRESSION} characters`, at: LONGEST_EXPRESSION });
  try {
    // Line ends around it, as YAML leaves them, become blanks, so that places stay those of the source.
    const node = parseExpression(source.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, (blanks) => ' '.repeat(blanks.length)));
    return success({
      variables: listNames(node),
      evaluate: (variables) => ({
        ...evaluateOutcome(node, variables),
        clauses: () => listClauses(node).map((clause) => describeClause(clause, source, variables)),
      }),
    });
  } catch (error) {
    if (error instanceof RefusedExpression) return failure(error.fault);
    throw error;
  }
}

function evaluateOutcome(node: ExpressionNode, variables: ReadonlyMap<string, Value>): Omit<Evaluation, 'clauses'> {
  const scope = new EvaluationScope(variables);
  try {
    const truth = evaluateTruth(node, scope);
    return { outcome: truth === UNKNOWN ? 'unknown' : truth ? 'true' : 'false', missing: [...scope.missing] };
  } catch (error) {
    if (!(error instanceof CannotEvaluate)) throw error;
    return { outcome: 'error', missing: [...scope.missing], problem: error.message };
  }
}

/** The conditions that are joined; an expression without `and`, `or` and `not` is one. */
const listClauses = (node: ExpressionNode): readonly ExpressionNode[] =>
  node.kind === 'and' || node.kind === 'or' || node.kind === 'not' ? node.parts.flatMap(listClauses) : [node];

const OUTCOMES = { true: 'is True', false: 'is False', unknown: 'is unknown', error: 'cannot be computed: ' } as const;

function describeClause(clause: ExpressionNode, source: string, variables: ReadonlyMap<string, Value>): string {
  const { outcome, problem = '' } = evaluateOutcome(clause, variables);
  const values = listNames(clause).map((name) => `${name} = ${showValue(variables.get(name) ?? UNKNOWN)}`);
  const text = `${source.slice(clause.at, clause.end).trim()} ${OUTCOMES[outcome]}${problem}`;
  return values.length === 0 ? text : `${text} (${values.join(', ')})`;
}

const listNames = (node: ExpressionNode): readonly string[] => [
  ...new Set(node.kind === 'name' ? [node.name] : node.parts.flatMap(listNames)),
];
