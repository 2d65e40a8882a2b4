import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { formatComment, parseComment, parsePlace, splitComment } from '../../../../src/project/requests/comment.ts';
import { readDecision } from '../../../../src/line/record/decision-file.ts';
import { anyCharacter } from '../../../support/any-character.ts';

describe('the place of a comment', () => {
  it('is a file and a line', () => {
    expect(parsePlace('src/a.ts:12')).toEqual({ file: 'src/a.ts', line: 12 });
    expect(parsePlace('a: b/c d.md:3')).toEqual({ file: 'a: b/c d.md', line: 3 });
    for (const none of ['src/a.ts', 'src/a.ts:', ':12', 'a:0', 'a:-1', 'a:1.5', 'a:12345678901', ' a:1', 'a\nb:1'])
      expect(parsePlace(none), none).toBeUndefined();
  });

  it('begins a typed comment, or the whole text is about the change', () => {
    expect(splitComment(' src/a.ts:12  Use a map ')).toEqual({ file: 'src/a.ts', line: 12, text: 'Use a map' });
    expect(splitComment('Use a map: src/a.ts:12')).toEqual({ text: 'Use a map: src/a.ts:12' });
    expect(splitComment('src/a.ts:12')).toEqual({ text: 'src/a.ts:12' });
  });

  it('comes back from every text that is made of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w./-]{1,40}$/), fc.integer({ min: 1, max: 999_999_999 }), (file, line) => {
        expect(splitComment(`${file}:${line} x`)).toEqual({ file, line, text: 'x' });
        expect(formatComment({ file, line, text: 'x' })).toBe(`${file}:${line}: x`);
      }),
    );
  });

  it('never throws, whatever is typed', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void splitComment(text)));
  });
});

describe('a comment', () => {
  it('has limits', () => {
    for (const bad of [{ text: ' ' }, { text: 'x'.repeat(2001) }, { file: '', text: 'x' }, { line: 0, text: 'x' }])
      expect(parseComment(bad).ok).toBe(false);
    expect(parseComment({ file: 'x'.repeat(1001), text: 'x' }).ok).toBe(false);
  });
});

describe('DECISION.json with comments', () => {
  const decide = (more: object) => readDecision(JSON.stringify({ task_id: 'A', halt: 'A-1', ...more }));

  it('needs no path and takes none beside them', () => {
    const comments = [{ file: 'a', line: 1, text: 'x' }];
    expect(decide({ comments })).toMatchObject({ ok: true, value: { answer: { comments } } });
    expect(decide({ comments, path: 1 })).toMatchObject({ ok: false, why: { unfinished: false } });
    expect(decide({})).toMatchObject({
      ok: false,
      why: { why: '$.path: found nothing; expected the number 1 or 2, or give `comments`' },
    });
  });

  it('is refused for too many, for unknown keys and for anything that is no comment', () => {
    const many = Array.from({ length: 21 }, () => ({ text: 'x' }));
    for (const comments of [[], many, 'x', [{}], [{ text: 1 }], [{ text: 'x', path: 1 }], [{ text: 'x', line: '1' }]])
      expect(decide({ comments }).ok, JSON.stringify(comments).slice(0, 60)).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (comments) => {
        const read = decide({ comments });
        if (read.ok) expect(comments).toBeInstanceOf(Array);
      }),
    );
  });
});
