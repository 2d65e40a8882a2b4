import { readFileSync } from 'node:fs';
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readDecision } from '../../../../src/line/record/decision-file.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const read = (value: unknown) => readDecision(JSON.stringify(value));
const why = (value: unknown): string => {
  const found = read(value);
  return found.ok ? 'it was accepted' : found.why.why;
};
const onHalt = { task_id: 'DOC-001', halt: 'DOC-001-1', path: 1 };

describe('DECISION.json', () => {
  it.each([
    ['decision-on-halt', 'halt'],
    ['decision-on-report', 'report'],
  ])('accepts the example %s', (name, about) => {
    const text = readFileSync(`contracts/examples/${name}.json`, 'utf8');
    expect(readDecision(text)).toMatchObject({ ok: true, value: { about } });
  });

  it('is told apart by its keys, and never is both', () => {
    expect(read(onHalt)).toMatchObject({ ok: true, value: { about: 'halt', answer: onHalt } });
    expect(read({ task_id: 'DOC-001', decision: 'merge' })).toMatchObject({ ok: true, value: { about: 'report' } });
    for (const half of [{ halt: 'DOC-001-1' }, { path: 1 }])
      expect(why({ task_id: 'DOC-001', decision: 'merge', ...half })).toContain('it has both, leave one');
    expect(why({ task_id: 'DOC-001' })).toContain('it has neither');
    expect(why({ ...onHalt, fixes: ['x'] })).toContain('the unknown key "fixes"');
    expect(why({ task_id: 'DOC-001', decision: 'fix', confirm: 'DOC-001' })).toContain('the unknown key "confirm"');
  });

  it('takes the limit of the change by the name of a contract, and by no other', () => {
    expect(read({ ...onHalt, max_diff_size: 900 })).toMatchObject({
      ok: true,
      value: { answer: { max_diff_size: 900 } },
    });
    expect(why({ ...onHalt, max_diff: 900 })).toContain('the unknown key "max_diff"');
  });

  it('is unfinished while it may still be being written, and only then', () => {
    const whole = JSON.stringify(onHalt);
    for (let length = 0; length < whole.length; length += 1)
      expect(readDecision(whole.slice(0, length))).toMatchObject({ ok: false, why: { unfinished: true } });
    for (const text of ['no', '[]', '"x"', '{"a":1,"a":2}', `${whole}}`])
      expect(readDecision(text)).toMatchObject({ ok: false, why: { unfinished: false } });
  });

  it.each([
    [{ ...onHalt, path: '1' }, '$.path: found "1"; expected the number 1 or 2'],
    [{ ...onHalt, path: null }, '$.path: found null; expected the number 1 or 2'],
    [{ ...onHalt, halt: '' }, '$.halt'],
    [{ ...onHalt, confrim: 'x' }, 'the nearest is confirm'],
    [{ ...onHalt, by: 'x'.repeat(81) }, '$.by'],
    [{ task_id: 'DOC-001', decision: 'approve' }, '$.decision: found "approve"; expected one of merge, fix, rebut'],
    [{ ...onHalt, halt: undefined }, '$.halt: found nothing; expected text. The halt that is answered'],
    [{ ...onHalt, path: undefined }, '$.path: found nothing'],
    [{ ...onHalt, task_id: undefined }, '$.task_id: found nothing; expected the id of the task that it is about'],
    [{ ...onHalt, halt: 7 }, '$.halt: found 7; expected text'],
    [{ task_id: 'DOC-001', decision: 'fix', fixes: 'x' }, '$.fixes: found "x"; expected a list'],
  ])('says what is wrong with %j', (value, words) => {
    expect(why(value)).toContain(words);
  });

  it('shows what is no JSON from where it begins', () => {
    const read = readDecision('not json');
    expect(read.ok ? '' : read.why.why).toMatch(/^\$: found not json, expected a value/);
  });

  it('never throws, whatever it is given, and its words cannot steer a terminal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
        const found = readDecision(text);
        if (!found.ok) expect(found.why.why).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
    expect(why({ ...onHalt, '\u001b[2J': 1 })).not.toContain('\u001b');
  });
});
