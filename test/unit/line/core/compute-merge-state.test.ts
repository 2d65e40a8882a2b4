import { describe, expect, it } from 'vitest';
import { isReceipt, computeMergeState } from '../../../../src/line/core/compute-merge-state.ts';
import {
  AS_BUILT,
  EVENTS,
  START,
  happen,
  mergesIn,
  rest,
  step,
  type Manners,
  type Model,
} from '../../../support/merge-model.ts';

/** So many events may fall between andon's steps, in every order. */
const EVENTS_AT_MOST = 6;

interface Explored {
  readonly states: number;
  readonly wrong: readonly string[];
}

/** Every interleaving of andon's steps with at most so many events; each state is also run to its rest. */
function explore(manners: Manners, most = EVENTS_AT_MOST): Explored {
  const seen = new Map<string, number>();
  const wrong: string[] = [];
  const visit = (model: Model, left: number, trail: readonly string[]): void => {
    const key = JSON.stringify(model);
    if ((seen.get(key) ?? -1) >= left) return;
    seen.set(key, left);
    const fault = faultOf(model) ?? faultAtRest(rest(model, manners));
    if (fault !== undefined) wrong.push(`${fault}: ${trail.join(', ')}`);
    const next = step(model, manners);
    if (next !== undefined) visit(next, left, [...trail, `(${model.at ?? ''})`]);
    if (left === 0) return;
    for (const event of EVENTS) {
      const after = happen(model, event);
      if (after !== undefined) visit(after, left - 1, [...trail, event]);
    }
  };
  visit(START, most, []);
  return { states: seen.size, wrong };
}

function faultOf(model: Model): string | undefined {
  if (mergesIn(model).length > 1) return 'the target holds the task twice';
  return model.made > 1 + model.again ? 'merged again, and nobody asked for it' : undefined;
}

function faultAtRest(model: Model): string | undefined {
  const fault = faultOf(model);
  if (fault !== undefined) return `${fault} (at rest)`;
  if (model.journal.status !== 'merged') return `it rests at ${model.journal.status}`;
  return model.made === 0 ? 'it says merged, and nothing was ever merged' : undefined;
}

describe('The model of merge, halt, record and target', () => {
  it('merges once, in every interleaving of at most 6 events, and says so', () => {
    const { states, wrong } = explore(AS_BUILT);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(states).toBeGreaterThan(5_000);
  });

  it('is no model that cannot fail: without the first question a task is merged twice by one halt', () => {
    const { wrong } = explore({ asks: false, waitsForLanding: true }, 3);
    expect(wrong.some((one) => one.includes('merged again'))).toBe(true);
    expect(wrong.some((one) => one.includes('restore'))).toBe(true);
    expect(wrong.some((one) => one.includes('reset'))).toBe(true);
  });
});

describe('The standing of a task', () => {
  const merge = { commit: 'm', tip: 't', target: 'refs/heads/main' };
  const none = { made: [], held: new Set<string>(), found: undefined, left: new Set<string>(), known: [] };

  it.each([
    ['open without any receipt', none, 'open'],
    ['open while a merge was only built', { ...none, made: [merge] }, 'open'],
    ['merged as soon as the target holds it', { ...none, made: [merge], held: new Set(['m', 't']) }, 'merged'],
    ['merged by the trailers alone', { ...none, found: merge }, 'merged'],
    [
      'taken back when the target was moved away from it',
      { ...none, made: [merge], left: new Set(['t']) },
      'taken back',
    ],
    ['open again once a human knows of that', { ...none, made: [merge], left: new Set(['t']), known: ['m'] }, 'open'],
    [
      'merged, though a human knows of an older one',
      { ...none, made: [merge], held: new Set(['m']), known: ['m'] },
      'merged',
    ],
  ] as const)('is %s', (_, receipts, is) => {
    expect(computeMergeState(receipts).is).toBe(is);
  });

  it('names the merge alone where the tick on top of it was taken back', () => {
    expect(computeMergeState({ ...none, made: [merge], held: new Set(['m']) })).toEqual({
      is: 'merged',
      merge: { ...merge, tip: 'm' },
    });
  });
});

describe('The receipt of a merge', () => {
  const message = 'Merge task/DOC-001: x\n\nAndon-Task: DOC-001\nAndon-Report: sha256-1\nAndon-Contract: sha256-2\n';

  it.each([
    [message, true],
    [message.replaceAll('DOC-001', 'DOC-0011'), false],
    ['Tick DOC-001 in TODO.md\n\nAndon-Task: DOC-001\n', false],
    ['[TASK: DOC-001] Transition\n\nAndon-Task: DOC-001\nAndon-Attempt: 1\n', false],
    [`Quoted\n\n${message}\nand more words\n`, false],
    ['Undo task/DOC-001\n\nAndon-Undo: DOC-001\n', false],
    [message.replace('Merge task/DOC-001: x', 'fix(docs): a squash'), true],
    [message.replace('x\n', 'x\n\n- Andon-Task: OTHER\n  Andon-Task: OTHER\n'), true],
    [message.replaceAll('DOC-001', 'OTHER').replace('x\n', `x\n\n${message.split('\n\n')[1] ?? ''}`), false],
  ])('is known by its trailers: %j', (text, is) => {
    expect(isReceipt(text, 'DOC-001')).toBe(is);
  });
});
