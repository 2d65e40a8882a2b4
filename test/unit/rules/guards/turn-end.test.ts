import { describe, expect, test } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { endOfTurn, type Turn } from '../../../../src/rules/guards/turn-end.ts';
import type { Session } from '../../../../src/rules/session/session.ts';

const EMPTY: Session = { asked: undefined, said: undefined, runs: [], read: [], changed: [], shown: [] };
const GREEN = { command: 'npm test', isGreen: true, passed: 42, all: 42 };

/** What sends back a turn whose last words are these. */
function back(text: string, session: Partial<Session> = {}, more: Partial<Turn> = {}) {
  return endOfTurn(
    { text, session: { ...EMPTY, ...session }, retries: {}, isWaiting: false, ...more },
    standardMessages(),
  ).back;
}

describe('the end of a turn outside the line', () => {
  test('praise goes back, a report of results does not', () => {
    expect(back('Perfect! An excellent plan.')).toMatchObject({ guard: 'ResponseValidator' });
    expect(back('Renamed the parser in src/a.ts, line 3.')).toBeUndefined();
  });

  test('an approval counts with what the session shows, and not with words', () => {
    const text = 'APPROVE. npm test: 42/42 passed.';
    expect(back(text)).toMatchObject({ guard: 'ReviewGate' });
    expect(back(text, { runs: [GREEN] })).toBeUndefined();
    expect(back(text, { runs: [{ ...GREEN, all: 44 }] })?.feedback).toContain('it says 42/42, the record 42/44');
    expect(back('APPROVE. I read src/a.ts:1-40.')).toMatchObject({ guard: 'ReviewGate' });
    expect(back('APPROVE. I read src/a.ts:1-40.', { read: ['src/a.ts'] })).toBeUndefined();
    expect(
      back('APPROVE. git diff: +3 -1 in src/a.ts.', { read: ['src/a.ts'], shown: [{ added: 3, deleted: 1 }] }),
    ).toBeUndefined();
  });

  test('tests that are said to be green, and are red or older than the last change, go back', () => {
    const text = 'Done: npm test passed, 42/42.';
    expect(back(text, { runs: [{ command: 'npm test', isGreen: false }] })?.feedback).toContain('npm test is red');
    expect(back(text, { runs: [{ ...GREEN, changedSince: 'src/a.ts' }] })?.feedback).toContain(
      'src/a.ts was changed after it',
    );
    expect(back(text, { runs: [GREEN] })).toBeUndefined();
    expect(back('npm test is red: 3 of 42 fail.', { runs: [{ command: 'npm test', isGreen: false }] })).toBeUndefined();
  });

  test('three files that nobody expected go back once; one that is asked for goes to the human', () => {
    const session = { asked: 'EXPECTED OUTCOME:\n- Update src/a.ts', changed: ['src/a.ts', 'b.ts', 'c.ts', 'd.ts'] };
    const text = 'Updated src/a.ts.';
    expect(back(text, session)).toMatchObject({ guard: 'ScopeGuard' });
    expect(back(text, session, { retries: { ScopeGuard: 1 } })).toBeUndefined();
    expect(back(text, { ...session, changed: ['src/a.ts', 'b.ts'] })).toBeUndefined();
    const asks = endOfTurn(
      {
        text: `${text}\nSCOPE REQUEST: b.ts - its caller`,
        session: { ...EMPTY, ...session },
        retries: {},
        isWaiting: false,
      },
      standardMessages(),
    );
    expect(asks.back).toBeUndefined();
    expect(asks.notes.join('\n')).toContain('asks for more scope: b.ts (its caller)');
  });

  test('items that nothing is said of go back once; not where it says why, where others still work, or where no list was given', () => {
    const session = { asked: 'EXPECTED OUTCOME:\n- Update docs/guide.md\n- Run npm test', changed: ['docs/guide.md'] };
    const text = 'Updated docs/guide.md.';
    expect(back(text, session)?.feedback).toContain('[SYSTEM] Remaining: 1 items. Next: Run npm test');
    expect(back(text, session, { retries: { TodoTracker: 1 } })).toBeUndefined();
    expect(back(text, session, { isWaiting: true })).toBeUndefined();
    expect(back(text, { ...session, runs: [GREEN] })).toBeUndefined();
    expect(back('Updated docs/guide.md. I could not run npm test: there is no network.', session)).toBeUndefined();
    expect(back(text, { ...session, asked: 'Please look at the guide, and run npm test.' })).toBeUndefined();
  });

  test('a turn goes back three times in all, and whatever is switched off does not send it', () => {
    const retries = { ResponseValidator: 2, ReviewGate: 1 };
    expect(back('APPROVE', {}, { retries })).toBeUndefined();
    const off = { ...standardMessages(), enabled: false };
    expect(endOfTurn({ text: 'Perfect!', session: EMPTY, retries: {}, isWaiting: false }, off).back).toBeUndefined();
  });
});
