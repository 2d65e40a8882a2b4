import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../../src/line/stations/answer-formats/read-answer.ts';

const read = (text: string) => readAnswer(text, { targetFile: 'docs/guide.md', maxFiles: 10 });
const file = (body: string): string => `FILE: src/a.ts\n\`\`\`ts\n${body}\n\`\`\``;

describe('an answer that leaves parts of a file out', () => {
  test.each([
    '// ... existing code ...\nexport const a = 1;',
    'a();\n# ... rest of file unchanged ...',
    'a();\n    /* ... the rest of the implementation ... */',
    'a();\n{/* ... other sections ... */}',
    'a();\n<!-- rest of the document unchanged -->',
    'a();\n// The remaining methods stay the same.',
    'a();\n// existing imports here',
    'a();\n... existing code ...',
    'a();\n# … remaining tests omitted for brevity',
    '<the updated content>',
    '[insert your code here]',
  ])('is no answer: %j would empty the file', (body) => {
    expect(read(file(body))).toMatchObject({ ok: false, why: { kind: 'placeholder' } });
  });

  test.each([
    'call(...rest);\nconst all = {\n  ...existing,\n  ...rest,\n};',
    '// other methods are below\na();',
    '# ... other tests are in test_b.py\na()',
    '// TODO: the rest\nexport const a = 1;',
    'Wait ... and the rest is up to you.',
    '<input placeholder="Name">',
    '// Existing files are read first.\nread();',
    '// the same as before, but faster\nread();',
    '<content>\ntext\n</content>',
  ])('is not suspected for %j', (body) => {
    expect(read(file(body))).toMatchObject({ ok: true });
  });

  test('may find such a line in a file, and may keep it there; it may not put one in its place', () => {
    const block = (search: string, replace: string): string =>
      `FILE: src/a.ts\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
    expect(read(block('// ... existing code ...', 'a();'))).toMatchObject({ ok: true });
    expect(read(block('// ... existing code ...', '// ... existing code ...\na();'))).toMatchObject({ ok: true });
    expect(read(block('a();\nb();', 'a();\n// ... existing code ...'))).toMatchObject({
      ok: false,
      why: { detail: expect.stringContaining('give the whole file, or search/replace blocks') },
    });
  });

  test('a fence is read as a terminal would show it, and what stands inside stays as it is', () => {
    const escaped = '\u001B[?25l⠋ \u001B[K```js\nlet a = "\u001B[1m";\n```\u001B[?25h';
    expect(read(escaped)).toMatchObject({ ok: true, value: { edits: [{ content: 'let a = "\u001B[1m";\n' }] } });
  });
});
