import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../../../src/line/stations/answer-formats/read-answer.ts';

const read = (text: string) => readAnswer(text, { targetFile: 'docs/guide.md', maxFiles: 10 });
const file = (body: string): string => `FILE: src/a.ts\n\`\`\`ts\n${body}\n\`\`\``;

describe('an answer with placeholders', () => {
  test.each([
    '# ... rest of file unchanged ...',
    '// ... existing code ...',
    '<the updated content>',
    '[insert your code here]',
  ])('is unreadable where %j is the whole file', (body) => {
    expect(read(file(body))).toMatchObject({ ok: false, why: { kind: 'placeholder' } });
  });

  test.each([
    'call(...rest);\nconst all = {\n  ...existing,\n  ...rest,\n};',
    '// TODO: the rest\nexport const a = 1;',
    'Wait ... and the rest is up to you.',
    '<input placeholder="Name">',
    '<content>\ntext\n</content>',
  ])('is readable for %j', (body) => {
    expect(read(file(body))).toMatchObject({ ok: true });
  });

  test('a fence is read as a terminal would show it, and what stands inside stays as it is', () => {
    const escaped = '\u001B[?25l⠋ \u001B[K```js\nlet a = "\u001B[1m";\n```\u001B[?25h';
    expect(read(escaped)).toMatchObject({ ok: true, value: { edits: [{ content: 'let a = "\u001B[1m";\n' }] } });
  });
});
