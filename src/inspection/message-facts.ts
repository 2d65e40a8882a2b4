import type { CheckedMessage } from './messages.ts';

/** A checked message as facts for programs: `--json` and the MCP tool. */
export function toMessageFacts({ result, rules, feedback, exit }: CheckedMessage): Readonly<Record<string, unknown>> {
  const { validation, review, scope, todos } = result;
  return {
    passed: feedback === undefined,
    exit,
    stage: result.stage ?? null,
    asked: result.asked,
    feedback: feedback ?? null,
    text: result.text,
    warnings: result.warnings,
    reminder: result.reminder === '' ? null : result.reminder,
    unsure: result.unsure,
    scope_requests: result.requests,
    rules: rules === undefined ? null : { refused: rules.refused, told: rules.noted },
    response_validator:
      validation === undefined
        ? null
        : {
            valid: validation.valid,
            ratio: Math.round(validation.ratio * 1000) / 1000,
            matched: validation.matched,
            sentences: validation.sentences.map(({ label, text }) => ({ label, text: text.trim() })),
          },
    review_gate:
      review === undefined
        ? null
        : {
            is_approval: review.isApproval,
            accepted: review.accepted,
            cross_checked_with: review.crossCheckedWith,
            claims: review.evidence.claims.map(({ kind, text }) => ({ kind, text })),
            against: review.against,
          },
    scope_guard:
      scope === undefined
        ? null
        : { in_scope: scope.inScope, unexpected: scope.unexpected, severity: scope.severity ?? null },
    todo_tracker:
      todos === undefined
        ? null
        : { complete: todos.complete, items: todos.items, pending: todos.pending, markers: todos.markers },
  };
}
