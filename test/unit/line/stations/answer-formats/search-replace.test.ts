import * as fc from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { listFolders } from '../../../../../src/base/list-folders.ts';
import { spelledLike } from '../../../../support/spelled-like.ts';
import type { Block, Edit } from '../../../../../src/line/stations/answer-formats/answer.ts';
import { applyEdits, type EditRefusal } from '../../../../../src/line/stations/answer-formats/apply-answer.ts';
import { mergeAnswer, keepPartialAnswer } from '../../../../../src/line/stations/rework.ts';
import { expectEffortBelow } from '../../../../support/effort.ts';

const HEAD = 'b'.repeat(40);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | null | undefined): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes ?? undefined);

/** Applies edits to files in `src/`; what would be written by path, or the refusals. */
function apply(files: Readonly<Record<string, string>>, edits: readonly Edit[], inPart: readonly string[] = []) {
  const result = applyEdits(edits, {
    current: (path) => (Object.hasOwn(files, path) ? { bytes: encode(files[path] ?? ''), mode: '100644' } : undefined),
    paths: new Set(Object.keys(files)),
    folders: listFolders(Object.keys(files)),
    spelledLike: spelledLike(Object.keys(files)),
    scope: { allowedPaths: ['src/'], forbiddenPaths: [] },
    allowDeletes: true,
    inPart: new Set(inPart),
    example: 'example/greeting.txt',
  });
  return result.ok
    ? { written: Object.fromEntries(result.value.map(({ path, content }) => [path, decode(content)])), refusals: [] }
    : { written: undefined, refusals: result.why };
}

const replace = (path: string, ...blocks: readonly Block[]): Edit => ({ kind: 'replace', path, blocks });
const block = (search: string, replace: string): Block => ({ search, replace });
const change = (...edits: Edit[]) => ({ kind: 'change', edits, notes: 'as asked' }) as const;
const details = (refusals: readonly EditRefusal[]): string => refusals.map(({ detail }) => detail).join('\n');

describe('search and replace', () => {
  const anyLine = fc.oneof(fc.constantFrom('', 'a', 'b', '  a', '}', 'a\ta'), fc.string({ maxLength: 12 }));
  const line = anyLine.map((text) => text.replaceAll(/[\r\n\0\uFEFF]/g, ''));

  it('never throws, whatever file and blocks hold, and either writes or says why not', () => {
    const blocks = fc.array(fc.record({ search: fc.string(), replace: fc.string() }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), blocks, (text, all) => {
        const { written, refusals } = apply({ 'src/a': text }, [replace('src/a', ...all)]);
        expect(written !== undefined || refusals.every(({ detail }) => detail !== '')).toBe(true);
      }),
    );
  });

  it('touches no byte outside its block, in any mixture of line ends, with or without a byte order mark', () => {
    const ends = fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.array(line, { maxLength: 6 }),
        ends,
        fc.boolean(),
        fc.boolean(),
        (before, after, newlines, hasMark, isClosed) => {
          const all = [...before, 'UNIQUE here', ...after];
          const spelt = all.map((text, at) => text + (at < all.length - 1 || isClosed ? (newlines[at] ?? '\n') : ''));
          const mark = hasMark ? '\uFEFF' : '';
          const head = mark + spelt.slice(0, before.length).join('');
          const tail = spelt.slice(before.length + 1).join('');
          const { written } = apply({ 'src/a': head + (spelt[before.length] ?? '') + tail }, [
            replace('src/a', block('UNIQUE here\n', 'NEW one\nNEW two\n')),
          ]);
          const text = written?.['src/a'] ?? '';
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(
            text
              .slice(head.length, text.length - tail.length)
              .replaceAll('\r', '')
              .trimEnd(),
          ).toBe('NEW one\nNEW two');
        },
      ),
    );
  });

  it('shows closest lines that really stand there, with their numbers', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), fc.array(line, { minLength: 1 }), (file, search) => {
        const { refusals } = apply({ 'src/a': `${file.join('\n')}\n` }, [
          replace('src/a', block(`${search.join('\n')}\nnot there\n`, 'x\n')),
        ]);
        for (const shown of details(refusals).matchAll(/^(\d+) \| (.*)$/gm))
          expect(file[Number(shown[1]) - 1]).toBe(shown[2]);
      }),
    );
  });

  it('says that a value which is masked finds no place, and still shows the closest lines', () => {
    const edit = replace('src/a.ts', block("const key = '***';\n", 'const key = read();\n'));
    const shown = details(apply({ 'src/a.ts': "const key = 'k';\n" }, [edit]).refusals);
    expect(shown).toContain('if *** stands for a masked value, leave that line out');
    expect(shown).toContain("1 | const key = 'k';");
  });

  it('shows every place of a text that is there more than once, with the lines beside it', () => {
    const text = 'start\n  return 1;\nmiddle\n  return 1;\nend\n';
    expect(details(apply({ 'src/a': text }, [replace('src/a', block('  return 1;\n', 'x\n'))]).refusals)).toBe(
      [
        'The SEARCH text is in the file 2 times; add lines around it until it is unique.',
        '1 | start\n2 |   return 1;\n3 | middle\n4 |   return 1;',
        '--',
        '2 |   return 1;\n3 | middle\n4 |   return 1;\n5 | end',
      ].join('\n'),
    );
  });

  it('does not let a file be replaced whole of which only parts were shown', () => {
    const files = { 'src/a': 'one\ntwo\n' };
    const whole: Edit = { kind: 'write', path: 'src/a', content: 'new\n' };
    expect(apply(files, [whole], ['src/a']).refusals.map(({ kind }) => kind)).toEqual(['unseen']);
    expect(apply(files, [whole]).written).toEqual({ 'src/a': 'new\n' });
    expect(apply(files, [replace('src/a', block('two\n', 'TWO\n'))], ['src/a']).written).toEqual({
      'src/a': 'one\nTWO\n',
    });
  });

  it('explains many misses in a long file in a moment', () => {
    const text = 'const value = compute(1, 2, 3);\n'.repeat(20_000);
    const blocks = Array.from({ length: 200 }, (_, at) => block(`const value = other(${at});\n`.repeat(12), 'x\n'));
    expectEffortBelow(500, () => {
      expect(apply({ 'src/a': text }, [replace('src/a', ...blocks)]).refusals).toHaveLength(200);
    });
  });
});

describe('an answer of which some blocks found no place', () => {
  const files = { 'src/a': 'one\ntwo\nthree\n', 'src/b': 'four\n' };
  const good = block('one\n', 'ONE\n');
  const bad = block('tow\n', 'TWO\n');
  const worse = block('tree\n', 'THREE\n');
  const first = change(replace('src/a', good, bad), { kind: 'write', path: 'src/b', content: 'FOUR\n' });
  const part = (answer = first) => {
    const kept = keepPartialAnswer(answer, apply(files, answer.edits).refusals, HEAD);
    if (kept === undefined) throw new Error('nothing is kept');
    return kept;
  };

  it('keeps what is good as data, and the rest with the closest real lines', () => {
    expect(part()).toMatchObject({
      head: HEAD,
      kept: [
        { kind: 'replace', path: 'src/a', blocks: [good] },
        { kind: 'write', path: 'src/b', content: 'FOUR\n' },
      ],
      failed: [{ path: 'src/a', ...bad }],
    });
    expect(part().failed[0]?.why).toContain('2 | two');
  });

  it('is completed by the corrected block alone', () => {
    const { answer, unanswered } = mergeAnswer(part(), change(replace('src/a', block('two\n', 'TWO\n'))));
    expect(unanswered).toEqual([]);
    expect(apply(files, answer.edits).written).toEqual({ 'src/a': 'ONE\nTWO\nthree\n', 'src/b': 'FOUR\n' });
  });

  it('is completed as well by an answer that repeats what was taken', () => {
    const { answer } = mergeAnswer(part(), change(replace('src/a', good, block('two\n', 'TWO\n'))));
    expect(apply(files, answer.edits).written).toEqual({ 'src/a': 'ONE\nTWO\nthree\n', 'src/b': 'FOUR\n' });
  });

  it('is replaced for a file that is then given whole', () => {
    const { answer } = mergeAnswer(part(), change({ kind: 'write', path: 'src/a', content: 'all\n' }));
    expect(apply(files, answer.edits).written).toEqual({ 'src/a': 'all\n', 'src/b': 'FOUR\n' });
  });

  it('stands alone when the rest is not needed any more', () => {
    const { answer } = mergeAnswer(part(), { kind: 'no-change', reason: 'the rest is there' });
    expect(apply(files, answer.edits).written).toEqual({ 'src/a': 'ONE\ntwo\nthree\n', 'src/b': 'FOUR\n' });
  });

  it('asks again for a block that the next answer forgets, and for that one only', () => {
    const two = part(change(replace('src/a', good, bad, worse)));
    const merged = mergeAnswer(two, change(replace('src/a', block('two\n', 'TWO\n'))));
    expect(merged.unanswered.map(({ search }) => search)).toEqual(['tree\n']);
    const next = keepPartialAnswer(merged.answer, [], HEAD, merged.unanswered);
    expect(next).toMatchObject({ kept: [{ blocks: [good, block('two\n', 'TWO\n')] }], failed: [{ search: 'tree\n' }] });
  });

  it('takes blocks whose new text differs for answers to the open ones when there are as many', () => {
    const two = part(change(replace('src/a', bad, worse)));
    const other = change(replace('src/a', block('two\n', 'Two\n'), block('three\n', 'Three\n')));
    expect(mergeAnswer(two, other).unanswered).toEqual([]);
  });

  it('asks again for both of two blocks that overlap, so that they can be made one', () => {
    const wide = block('two\nthree\n', '2\n3\n');
    const both = part(change(replace('src/a', good, block('two\n', 'TWO\n'), wide)));
    expect(both.kept).toEqual([{ kind: 'replace', path: 'src/a', blocks: [good] }]);
    expect(both.failed.map(({ search }) => search)).toEqual(['two\n', 'two\nthree\n']);
    const { answer, unanswered } = mergeAnswer(both, change(replace('src/a', wide)));
    expect(unanswered.map(({ search }) => search)).toEqual(['two\n']);
    expect(apply(files, answer.edits).written).toEqual({ 'src/a': 'ONE\n2\n3\n' });
  });

  it('is not kept when anything else is wrong with it', () => {
    const stray = change(replace('src/a', good, bad), { kind: 'write', path: 'lib/x', content: 'x\n' });
    expect(keepPartialAnswer(stray, apply(files, stray.edits).refusals, HEAD)).toBeUndefined();
  });

  it('never loses or doubles a block, however the misses fall', () => {
    const numbers = fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(numbers, fc.func(fc.boolean()), (places, isGood) => {
        const text = Array.from({ length: 21 }, (_, at) => `line ${at}.\n`).join('');
        const spelt = places.map((at) => block(isGood(at) ? `line ${at}.\n` : `lien ${at}.\n`, `new ${at}\n`));
        const answer = change(replace('src/a', ...spelt));
        const { refusals } = apply({ 'src/a': text }, answer.edits);
        const kept = keepPartialAnswer(answer, refusals, HEAD);
        const corrected = places.filter((at) => !isGood(at)).map((at) => block(`line ${at}.\n`, `new ${at}\n`));
        const edits =
          kept === undefined ? answer.edits : mergeAnswer(kept, change(replace('src/a', ...corrected))).answer.edits;
        const expected = places.reduce((now, at) => now.replace(`line ${at}.\n`, `new ${at}\n`), text);
        expect(apply({ 'src/a': text }, edits).written).toEqual({ 'src/a': expected });
      }),
    );
  });
});
