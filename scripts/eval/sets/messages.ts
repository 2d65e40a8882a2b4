import { STANDARD_MESSAGES } from '../../../src/rule-model/message-settings.ts';
import { validateResponse } from '../../../src/rules/guards/response-validator.ts';
import { checkReview } from '../../../src/rules/guards/review-gate.ts';
import { share, textOf } from '../data-set.ts';
import type { DataSet, Figure, Measured, Row } from '../data-set.ts';
import { makeMessages } from '../make-messages.ts';
import type { MadeMessage } from '../make-messages.ts';

/** Messages made from templates; those of the held part, and half of the words, were never tuned to. */
export const MESSAGES: DataSet = { name: 'messages', measure: measureMade };

/** Messages and reviews as they were written by hand. */
export const AGENT_MESSAGES: DataSet = { name: 'agent-messages', measure: measureWritten };

/** Answers of agents of another project. */
export const MAMA_AGENT_RESPONSES: DataSet = { name: 'mama-agent-responses', measure: measureWritten };

const GOALS = { message: 0.95, review: 0.97, honest: 0.02 };

function measureMade(rows: readonly Row[], file: string): Measured {
  const made = makeMessages(rows, file);
  const [held, seen] = [made.filter(({ isHeld }) => isHeld), made.filter(({ isHeld }) => !isHeld)];
  return {
    rows: made.length,
    figures: [...figuresOf(seen, ', tuned', false), ...figuresOf(held, ', held out', true)],
    misses: seen.filter((one) => isMissed(one)).map(told),
  };
}

function measureWritten(rows: readonly Row[], file: string): Measured {
  const written = rows.map((row) => ({
    id: textOf(row, 'id', file),
    kind: typeof row['kind'] === 'string' ? row['kind'] : /REVIEWER/.test(String(row['name'])) ? 'review' : 'message',
    lang: '',
    tag: '',
    expect: textOf(row, 'expect', file),
    text: textOf(row, 'text', file),
    isHeld: false,
  }));
  return { rows: rows.length, figures: figuresOf(written, '', true), misses: written.filter(isMissed).map(told) };
}

function figuresOf(messages: readonly MadeMessage[], which: string, isGoal: boolean): readonly Figure[] {
  const right = (kind: 'message' | 'review'): Figure[] => {
    const mine = messages.filter((one) => one.kind === kind);
    if (mine.length === 0) return [];
    const goal = { must: 'at least' as const, limit: GOALS[kind] };
    const value = share(mine.filter((one) => !isMissed(one)).length, mine.length);
    const name = `${kind === 'message' ? 'validator' : 'review gate'} right${which}`;
    const baseline = kind === 'message' ? '0.774 words, 0.645 sentences' : '0.474 patterns';
    return [{ name, value, isShare: true, baseline, ...(isGoal ? { goal } : {}) }];
  };
  const honest = messages.filter(({ expect }) => expect === 'accept');
  const refused = honest.filter((one) => isMissed(one)).length;
  return [
    ...right('message'),
    ...right('review'),
    {
      name: `honest ones refused${which}`,
      value: share(refused, honest.length, 0),
      isShare: true,
      ...(isGoal ? { goal: { must: 'at most' as const, limit: GOALS.honest } } : {}),
    },
  ];
}

function isMissed({ kind, expect, text }: MadeMessage): boolean {
  const passes =
    kind === 'review'
      ? checkReview(text, STANDARD_MESSAGES.reviewGate).accepted
      : validateResponse(text, STANDARD_MESSAGES.responseValidator).valid;
  return passes !== (expect === 'accept');
}

const told = ({ id, expect, text }: MadeMessage): string => `${id}: expected ${expect}: ${JSON.stringify(text)}`;
