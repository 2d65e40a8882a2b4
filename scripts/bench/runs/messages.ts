import { STANDARD_MESSAGES } from '../../../src/rule-model/message-settings.ts';
import { checkMessage } from '../../../src/rules/guards/chain.ts';
import { checkReview } from '../../../src/rules/guards/review-gate.ts';
import { validateResponse } from '../../../src/rules/guards/response-validator.ts';
import { trackTodos } from '../../../src/rules/guards/todo-tracker.ts';
import { median, percentile } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import type { Stage } from '../stage.ts';

/** So many messages of 4 kB are read in each pair. */
const MESSAGES = 20;
const PROSE =
  'Changed src/auth.ts: the token is revoked before the new one is made, so a replay finds nothing. npm test: 42/42 passed. The old path in lib/session.ts still reads the cookie; 완벽 해시는 쓰지 않았다. 已修改 docs/guide.md。 I did not touch the migration. ';
const CHECKLIST = Array.from({ length: 20 }, (_, at) => `- Create src/part${at}.ts and test it`).join('\n');
/** Texts that hold other pattern engines up, 1,000 characters of each. */
const HOSTILE = ['a/', 'perfect ', '.', '완벽', '"', "n't ", '好', '1/', '`', 'APPROVE ', 'a_', '- ', 'no '].map(
  (part) => part.repeat(Math.ceil(1000 / part.length)).slice(0, 1000),
);

/** How long the guards take over a message of 4 kB, and whether 200 kB of hostile text cost twice what 100 kB do. */
export function messages(_stage: Stage, { pairs }: Options): Promise<Measured> {
  const text = `${PROSE.repeat(20).slice(0, 4000)} APPROVE`;
  const context = { isDelegation: true, expectedOutcome: CHECKLIST, modified: [{ path: 'src/auth.ts' }] };
  const sides = {
    'response validator': () => validateResponse(text, STANDARD_MESSAGES.responseValidator),
    'review gate': () => checkReview(text, STANDARD_MESSAGES.reviewGate),
    'todo tracker': () => trackTodos(text, CHECKLIST, STANDARD_MESSAGES.todoTracker),
    'the chain': () => checkMessage(text, context, STANDARD_MESSAGES),
  };
  for (const side of Object.values(sides)) timesOf(2, side); // the first ones compile patterns
  const timed = Object.entries(sides).map(([label, side]) => ({
    label,
    unit: 'ms' as const,
    values: timesOf(pairs * MESSAGES, side),
  }));
  const hostile = HOSTILE.map((part) => {
    const [half, whole] = [part.repeat(100), part.repeat(200)];
    const cost = (one: string): number => median(timesOf(3, () => checkMessage(one, context, STANDARD_MESSAGES)));
    return { half: cost(half), whole: cost(whole) };
  });
  const worst = percentile((timed.at(-1)?.values ?? []).slice(), 95);
  const each = Math.max(...timed.slice(0, -1).map(({ values }) => percentile(values, 95)));
  return Promise.resolve({
    name: 'messages',
    notes: ['Messages of 4 kB in three languages; a checklist of 20 items.'],
    sides: [...timed, { label: '200 kB of hostile text', unit: 'ms', values: hostile.map(({ whole }) => whole) }],
    figures: [
      { key: 'messages.each', label: 'the slowest guard, 95th percentile', value: each },
      { key: 'messages.chain', label: 'the chain, 95th percentile', value: worst },
      {
        key: 'messages.growth',
        label: 'hostile text of 200 kB ÷ of 100 kB, the worst',
        value: Math.max(...hostile.map(({ half, whole }) => whole / half)),
      },
    ],
  });
}

function timesOf(count: number, work: () => unknown): readonly number[] {
  return Array.from({ length: count }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
}
