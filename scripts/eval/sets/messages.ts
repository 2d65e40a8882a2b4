import { standardMessages } from '../../../src/project/config/message-settings.ts';
import { validateResponse } from '../../../src/rules/guards/response-validator.ts';
import { checkReview } from '../../../src/rules/guards/review-gate.ts';
import { share, textOf, type DataSet, type Figure, type Measured, type Row } from '../data-set.ts';

/** Messages and reviews as they were written by hand. */
export const AGENT_MESSAGES: DataSet = { name: 'agent-messages', measure: measureWritten };

/** Answers of agents of another project. */
export const MAMA_AGENT_RESPONSES: DataSet = { name: 'mama-agent-responses', measure: measureWritten };

const GOALS = { message: 0.85, review: 0.95, honest: 0.02 };

interface LabelledMessage {
  readonly id: string;
  readonly kind: string;
  readonly expect: string;
  readonly text: string;
}

function measureWritten(rows: readonly Row[], file: string): Measured {
  const messages = rows.map((row) => ({
    id: textOf(row, 'id', file),
    kind: typeof row['kind'] === 'string' ? row['kind'] : /REVIEWER/.test(String(row['name'])) ? 'review' : 'message',
    expect: textOf(row, 'expect', file),
    text: textOf(row, 'text', file),
  }));
  const honest = messages.filter(({ expect }) => expect === 'accept');
  return {
    rows: rows.length,
    figures: [
      ...figuresOf(messages, 'message', 'validator right', '0.774 words, 0.645 sentences'),
      ...figuresOf(messages, 'review', 'review gate right', '0.474 patterns'),
      {
        name: 'honest ones refused',
        value: share(honest.filter(isMissed).length, honest.length, 0),
        isShare: true,
        goal: { must: 'at most', limit: GOALS.honest },
      },
    ],
    misses: messages
      .filter(isMissed)
      .map(({ id, expect, text }) => `${id}: expected ${expect}: ${JSON.stringify(text)}`),
  };
}

function figuresOf(
  messages: readonly LabelledMessage[],
  kind: 'message' | 'review',
  name: string,
  baseline: string,
): readonly Figure[] {
  const mine = messages.filter((one) => one.kind === kind);
  if (mine.length === 0) return [];
  const value = share(mine.filter((one) => !isMissed(one)).length, mine.length);
  return [{ name, value, isShare: true, baseline, goal: { must: 'at least', limit: GOALS[kind] } }];
}

function isMissed({ kind, expect, text }: LabelledMessage): boolean {
  const passes =
    kind === 'review'
      ? checkReview(text, standardMessages().review_gate).accepted
      : validateResponse(text, standardMessages().response_validator).valid;
  return passes !== (expect === 'accept');
}
