import { standardMessages } from '../../../src/project/config/message-settings.ts';
import { checkMessage } from '../../../src/rules/guards/check-message.ts';
import { checkReview } from '../../../src/rules/guards/review-gate.ts';
import { validateResponse } from '../../../src/rules/guards/response-validator.ts';
import { trackTodos } from '../../../src/rules/guards/todo-tracker.ts';
import { median, percentile } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import type { Stage } from '../stage.ts';

/** Number of messages of 4 kB in each pair. */
const MESSAGES = 20;
/** Number of warm-up messages: Node compiles meanwhile, on threads whose time counts too. */
const WARM_UP = 300;
/** What takes less is over before it can be measured. */
const SHORTEST_MS = 10;
/** What a message says, with a number of its own in each sentence: no sentence is read twice. */
const prose = (at: string): string =>
  `Changed src/auth${at}.ts: the token ${at} is revoked before the new one is made, so a replay finds nothing. npm test: 42/42 passed in round ${at}. The old path in lib/session${at}.ts still reads the cookie; 완벽 해시 ${at}는 쓰지 않았다. 已修改 docs/guide${at}.md。 I did not touch migration ${at}. `;
const messageOf = (at: number): string =>
  `${Array.from({ length: 20 }, (_, part) => prose(`${at}x${part}`))
    .join('')
    .slice(0, 4000)} APPROVE`;
const CHECKLIST = Array.from({ length: 20 }, (_, at) => `- Create src/part${at}.ts and test it`).join('\n');
/** Texts that hold other pattern engines up, 1,000 characters of each. */
const HOSTILE = ['a/', 'perfect ', '.', '완벽', '"', "n't ", '好', '1/', '`', 'APPROVE ', 'a_', '- ', 'no '].map(
  (part) => part.repeat(Math.ceil(1000 / part.length)).slice(0, 1000),
);

/** How long the guards take over a message of 4 kB, and whether 200 kB of hostile text cost twice what 100 kB do. */
export function messages(_stage: Stage, { pairs }: Options): Promise<Measured> {
  const context = { isDelegation: true, expectedOutcome: CHECKLIST, modified: [{ path: 'src/auth.ts' }] };
  const sides = {
    'response validator': (text: string) => validateResponse(text, standardMessages().response_validator),
    'review gate': (text: string) => checkReview(text, standardMessages().review_gate),
    'todo tracker': (text: string) => trackTodos(text, CHECKLIST, standardMessages().todo_tracker),
    'the chain': (text: string) => checkMessage(text, context, standardMessages()),
  };
  for (const side of Object.values(sides)) for (let at = 1; at <= WARM_UP; at += 1) side(messageOf(-at)); // the first ones compile patterns and code
  const timed = Object.entries(sides).map(([label, side], place) => ({
    label,
    unit: 'ms of CPU' as const,
    values: timesOf(pairs * MESSAGES, (at) => messageOf(place * pairs * MESSAGES + at), side),
  }));
  const hostile = HOSTILE.map((part) => {
    const [half, whole] = [part.repeat(100), part.repeat(200)];
    const cost = (one: string): number =>
      median(
        timesOf(
          3,
          (at) => `${one}${at}`,
          (text) => checkMessage(text, context, standardMessages()),
        ),
      );
    return { half: Math.max(SHORTEST_MS, cost(half)), whole: cost(whole) };
  });
  const worst = percentile((timed.at(-1)?.values ?? []).slice(), 95);
  const each = Math.max(...timed.slice(0, -1).map(({ values }) => percentile(values, 95)));
  return Promise.resolve({
    name: 'messages',
    notes: ['Messages of 4 kB in three languages; a checklist of 20 items.'],
    sides: [
      ...timed,
      { label: '200 kB of hostile text', unit: 'ms of CPU', values: hostile.map(({ whole }) => whole) },
    ],
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

/** Milliseconds of CPU, so that the figures hold on a busy machine. */
function timesOf(count: number, textOf: (at: number) => string, work: (text: string) => unknown): readonly number[] {
  return Array.from({ length: count }, (_, at) => {
    const text = textOf(at);
    const begun = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
}
